import type { ClockReading, ClockStore, KeptClock } from '../clock.ts';
import type { ClockCorrection } from '../maintenance.ts';
import type { Client } from './client.ts';
import type { Sqlite } from './database.ts';

/** The time that a crash may lose, in milliseconds, while changes are recorded. */
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

/** The sessions and reviews that a correction would end, or null when the kept time is not ahead of `to`. Sessions and reviews that have expired count, too. */
export function planCorrection(client: Client, to: number): ClockCorrection | null {
  const from = findClock(client).latestAt;
  if (from <= to) return null;
  const count = (sql: string): number => Number(client.prepare(sql).pluck().get(to));
  return {
    from,
    to,
    sessions: count("SELECT count(*) FROM evaluation_sessions WHERE status = 'ACTIVE' AND expires_at > ?"),
    reviews: count("SELECT count(*) FROM reviews WHERE status IN ('PENDING', 'APPROVED') AND expires_at > ?"),
  };
}

/**
 * Sets the kept time back. All that would live again, or live too long, because it was made while the clock was ahead ends:
 * open sessions, undecided reviews, unused approvals, idempotency keys. The database must be out of WAL mode, so that nobody
 * else has it open. Null, and nothing is done, when the kept time is not ahead of `to`.
 */
export function correctClock(client: Client, to: number): ClockCorrection | null {
  const correct = client.transaction(() => {
    if (client.pragma('journal_mode', { simple: true }) === 'wal') throw new Error('the database is in use');
    const plan = planCorrection(client, to);
    if (!plan) return null;
    const run = (sql: string) => void client.prepare(sql).run({ to });
    run("UPDATE evaluation_sessions SET expires_at = @to WHERE status = 'ACTIVE' AND expires_at > @to");
    client.exec('DELETE FROM session_blocks');
    // As in the migration that made the table.
    client.exec(`INSERT INTO session_blocks
      SELECT integration_id, id / 4096, sum(status = 'ACTIVE'), sum(status = 'COMPLETED'), sum(status = 'TERMINATED'),
        min(expires_at), max(expires_at)
      FROM evaluation_sessions GROUP BY 1, 2`);
    run(`UPDATE reviews SET expires_at = @to, ends_with_session = EXISTS (SELECT 1 FROM evaluation_sessions s
      WHERE s.id = session_id AND s.status = 'ACTIVE' AND s.expires_at = @to)
      WHERE status IN ('PENDING', 'APPROVED') AND expires_at > @to`);
    run('UPDATE callbacks SET next_attempt_at = @to WHERE next_attempt_at > @to');
    run('UPDATE named_sessions SET used_at = @to WHERE used_at > @to');
    run('DELETE FROM idempotency_keys WHERE created_at > @to');
    run(`UPDATE clock SET latest_at = @to, retention_held_at = NULL, corrected_at = @to,
      corrected_evaluation_id = (SELECT max(id) FROM evaluations)`);
    return plan;
  });
  return correct.exclusive();
}
