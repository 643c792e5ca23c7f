import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '../../errors.ts';
import { codeOf, isLost } from './client.ts';

/**
 * Tells whether a transaction was committed when its connection is lost meanwhile. PostgreSQL's own number of the transaction does not:
 * after a crash of the server, another transaction may get the number of one that had not reached the disk. So each transaction that
 * writes no row with an id of its own also writes a number of ours, to a row that one transaction at a time uses.
 */
export interface CommitMark {
  readonly id: string;
  number: number;
}
export const newMark = (): CommitMark => ({ id: randomUUID(), number: 0 });

const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The last statement before COMMIT. Returns the transaction's `xid`, and nothing where nothing was written. */
export function markCommit(mark: CommitMark): pg.QueryConfig {
  mark.number++;
  return {
    name: 'mark commit',
    text: `INSERT INTO commit_marks (id, number, written_at)
      SELECT $1::uuid, $2::int, ${now} WHERE pg_current_xact_id_if_assigned() IS NOT NULL
      ON CONFLICT (id) DO UPDATE SET number = excluded.number, written_at = excluded.written_at
      RETURNING pg_current_xact_id()::text AS xid`,
    values: [mark.id, mark.number],
  };
}

/** Deletes marks of processes that have ended. */
export async function forgetOldMarks(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(`DELETE FROM commit_marks WHERE id IN (
    SELECT id FROM commit_marks WHERE written_at < ${now} - 86400000 FOR UPDATE SKIP LOCKED)`);
}

const giveUpAfterMs = 10_000;
const pauseMs = 50;

/** Finds the mark when its transaction was committed. */
export const findMark = ({ id, number }: CommitMark): pg.QueryConfig => ({
  text: 'SELECT 1 FROM commit_marks WHERE id = $1 AND number = $2',
  values: [id, number],
});

/** Waits for the end of a transaction whose connection is lost. `proof` finds a row when it was committed, and only then. */
export async function wasCommitted(
  pool: Pick<pg.Pool, 'query'>,
  xid: string,
  proof: pg.QueryConfig,
): Promise<boolean> {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (;;) {
    try {
      if (!(await isRunning(pool, xid))) return (await pool.query(proof)).rowCount === 1;
    } catch (error) {
      if (!isLost(error)) throw error;
    }
    if (performance.now() > giveUpAt)
      throw new AppError('unavailable', 'the store does not say whether the change was made');
    await setTimeout(pauseMs);
  }
}

async function isRunning(pool: Pick<pg.Pool, 'query'>, xid: string): Promise<boolean> {
  try {
    const text = 'SELECT pg_xact_status($1::xid8) AS status';
    const { rows } = await pool.query<{ status: string | null }>(text, [xid]);
    return rows[0]?.status === 'in progress';
  } catch (error) {
    // No transaction has this number any more: the server crashed, and lost it.
    if (codeOf(error) === '22023') return false;
    throw error;
  }
}
