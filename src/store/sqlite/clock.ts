import type { ClockReading, ClockStore, KeptClock } from '../clock.ts';
import type { Client } from './client.ts';
import type { Sqlite } from './database.ts';

/** What a crash may lose of the time, in milliseconds, while changes are recorded. */
const keepEveryMs = 1_000;

export function createClockStore({
  client,
  writer,
  look,
}: Pick<Sqlite, 'client' | 'writer' | 'look'>): ClockStore {
  const write = client.prepare<[number, number | null]>(
    `INSERT INTO clock (id, latest_at, retention_held_at) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET latest_at = max(latest_at, excluded.latest_at),
       retention_held_at = coalesce(retention_held_at, excluded.retention_held_at)`,
  );
  let read: (() => ClockReading) | null = null;
  let kept: ClockReading = { latestAt: 0, jumpedFrom: null };
  /** Written by the transaction under way. */
  let written: ClockReading | null = null;

  function keep(): void {
    if (!read) return;
    const { latestAt, jumpedFrom } = read();
    write.run(latestAt, jumpedFrom === kept.jumpedFrom ? null : jumpedFrom);
    written = { latestAt, jumpedFrom };
  }

  writer.onEnd(() => {
    if (!read || written) return;
    const { latestAt, jumpedFrom } = read();
    if (latestAt - kept.latestAt >= keepEveryMs || jumpedFrom !== kept.jumpedFrom) keep();
  });
  writer.onCommit(() => {
    if (written) kept = written;
    written = null;
  });
  writer.onRollback(() => {
    written = null;
  });

  return {
    now: Date.now,
    find: () => look(() => findClock(client)),
    follow(source) {
      read = source;
    },
    keep: () =>
      writer.run(() => {
        keep();
        return findClock(client);
      }),
  };
}

export function findClock(client: Client): KeptClock {
  const row = client
    .prepare<[], KeptClock>('SELECT latest_at AS latestAt, retention_held_at AS retentionHeldAt FROM clock')
    .get();
  return row ?? { latestAt: 0, retentionHeldAt: null };
}

/** Lets retention go on after the clock jumped ahead. False when it was not held. */
export function confirmRetention(client: Client): boolean {
  client.pragma('synchronous = FULL');
  return (
    client.prepare('UPDATE clock SET retention_held_at = NULL WHERE retention_held_at IS NOT NULL').run()
      .changes > 0
  );
}
