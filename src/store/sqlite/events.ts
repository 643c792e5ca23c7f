import { asc, desc, getTableColumns, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { type EventStore, eventsToPrune, type NewEvent, prunedAtOnce, type StoredEvent } from '../events.ts';
import type { Sqlite } from './database.ts';
import { prepareHotRead } from './hot-statement.ts';
import { events } from './tables.ts';

/** The log from inside a change: what is appended is kept with that change, or not at all. */
export interface EventLog {
  append(event: NewEvent): void;
}

const { id: sequence, uid, totalBytes, ...plain } = getTableColumns(events);
const columns = { sequence, id: uid, ...plain };

/** What a row costs beside its texts, in bytes: the row, its entry in the index, and the numbers. */
const rowBytes = 120;

export function createEventLog({ client, db, writer, read }: Sqlite): EventLog & { store: EventStore } {
  const insert = client.prepare<[string, string, number, string | null, string, string, number]>(
    `INSERT INTO events (uid, type, at, integration_id, subject, data, total_bytes)
     VALUES (?, ?, ?, ?, ?, ?, ? + coalesce((SELECT total_bytes FROM events ORDER BY id DESC LIMIT 1), 0))`,
  );
  const latest = client.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").pluck();
  const firstWaiting = client
    .prepare<[], number>('SELECT min(event_id) FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL')
    .pluck();
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

  const list = (where: SQL | undefined, order: SQL, size: number): StoredEvent[] =>
    db.select(columns).from(events).where(where).orderBy(order).limit(size).all();

  const after = prepareHotRead<StoredEvent, [number, number]>(
    client,
    columns,
    db
      .select(columns)
      .from(events)
      .where(gt(sequence, sql.placeholder('after')))
      .orderBy(asc(sequence))
      .limit(sql.placeholder('size')),
    ['after', 'size'],
  );

  return {
    append(event) {
      const { id, type, at, integrationId, subject, data } = event;
      const bytes = Buffer.byteLength(data) + Buffer.byteLength(subject) + rowBytes;
      const { lastInsertRowid } = insert.run(id, type, at, integrationId, subject, data, bytes);
      appended.push({ ...event, sequence: Number(lastInsertRowid) });
    },

    store: {
      listAfter: (place, size) => read(() => after.all(place, size)),

      listBefore: (before, size) =>
        read(() => list(before === null ? undefined : lt(sequence, before), desc(sequence), size)),

      bounds: () =>
        read(() => {
          const last = latest.get() ?? 0;
          return { oldest: list(undefined, asc(sequence), 1)[0]?.sequence ?? last + 1, latest: last };
        }),

      prune: (before, mostBytes) =>
        writer.run(() => {
          const [newest] = db.select({ totalBytes }).from(events).orderBy(desc(sequence)).limit(1).all();
          if (!newest) return false;
          const oldest = db
            .select({ sequence, at: plain.at, totalBytes })
            .from(events)
            .orderBy(asc(sequence))
            .limit(prunedAtOnce)
            .all();
          const waiting = firstWaiting.get() ?? Number.POSITIVE_INFINITY;
          const limits = { before, mostBytes, totalBytes: newest.totalBytes };
          const gone = eventsToPrune(oldest, limits, (event) => event.sequence >= waiting);
          const last = gone.at(-1);
          if (!last) return false;
          db.delete(events)
            .where(
              inArray(
                sequence,
                gone.map((event) => event.sequence),
              ),
            )
            .run();
          return gone.length === prunedAtOnce;
        }),

      onAppended: (tell) => void listeners.push(tell),
    },
  };
}
