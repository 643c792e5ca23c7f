import type {
  EventColumns,
  EventDatabase,
  EventStore,
  NewEvent,
  StoredEvent,
} from '../../features/events/store.ts';
import { call } from '../../sql/steps.ts';
import type { Sqlite } from './database.ts';
import { events } from './tables.ts';

/** The log from inside a change: what is appended is kept with that change, or not at all. */
export interface EventLog {
  append(event: NewEvent): void;
}

const { id: sequence, uid: id, type, at, integrationId, subject, data } = events;
export const eventColumns: EventColumns = {
  key: sequence,
  stored: { sequence, id, type, at, integrationId, subject, data },
};

/** The size of a row beside its texts, in bytes: the row, its entry in the index, and the numbers. */
const rowBytes = 120;

export function createEventLog({
  client,
  writer,
}: Pick<Sqlite, 'client' | 'writer'>): EventLog &
  Pick<EventStore, 'onAppended'> & { database: EventDatabase } {
  const insert = client.prepare<[string, string, number, string | null, string, string, number]>(
    `INSERT INTO events (uid, type, at, integration_id, subject, data, total_bytes)
     VALUES (?, ?, ?, ?, ?, ?, ? + coalesce((SELECT total_bytes FROM events ORDER BY id DESC LIMIT 1), 0))`,
  );
  // The sequence outlives the events: an empty log has a latest number, too.
  const latest = client.prepare<[], { sequence: number; totalBytes: number }>(
    `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) AS sequence,
       coalesce((SELECT total_bytes FROM events ORDER BY id DESC LIMIT 1), 0) AS totalBytes`,
  );
  const listeners: ((events: readonly StoredEvent[]) => void)[] = [];
  let appended: StoredEvent[] = [];

  writer.onRollback(() => {
    appended = [];
  });
  writer.onCommit(() => {
    if (appended.length === 0) return;
    const committed = appended;
    appended = [];
    writer.onSynced(() => {
      for (const tell of listeners) tell(committed);
    });
  });

  return {
    append(event) {
      const { id, type, at, integrationId, subject, data } = event;
      const bytes = Buffer.byteLength(data) + Buffer.byteLength(subject) + rowBytes;
      const { lastInsertRowid } = insert.run(id, type, at, integrationId, subject, data, bytes);
      appended.push({ ...event, sequence: Number(lastInsertRowid) });
    },

    onAppended: (tell) => void listeners.push(tell),

    database: {
      columns: eventColumns,
      settle: () => Promise.resolve(),
      latest: () => call(() => latest.get() as { sequence: number; totalBytes: number }),
      // A change has the database to itself.
      *holdDeliveries() {},
    },
  };
}
