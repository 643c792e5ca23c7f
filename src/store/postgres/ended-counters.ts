import { type SQL, sql } from 'drizzle-orm';
import type { CounterStore } from '../../evaluate/counters/counters.ts';
import type { Db, Postgres } from './database.ts';

/** A step deletes so many of each. */
const mostDeleted = 500;

/** A counter that an evaluation holds at this moment is left to the next step: it may have been prolonged. */
export function createEndedCounters({ change }: Pick<Postgres, 'change'>): Pick<CounterStore, 'forgetEnded'> {
  async function deleted(tx: Db, statement: SQL): Promise<number> {
    return (await tx.execute(statement)).rowCount ?? 0;
  }
  const ended = (table: SQL, key: SQL, before: number): SQL =>
    sql`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ends_at < ${before}
      ORDER BY ends_at LIMIT ${mostDeleted} FOR UPDATE SKIP LOCKED) AND ends_at < ${before}`;

  async function emptySessions(tx: Db, before: number): Promise<number> {
    const { rows } = await tx.execute<{ sessionId: string }>(
      sql`DELETE FROM counting_sessions WHERE (ends_at, session_id) IN (SELECT ends_at, session_id FROM counting_sessions
          WHERE ends_at < ${before} ORDER BY ends_at, session_id LIMIT ${mostDeleted} FOR UPDATE SKIP LOCKED)
        RETURNING session_id AS "sessionId"`,
    );
    const ids = rows.map(({ sessionId }) => sessionId).sort();
    await tx.execute(
      sql`UPDATE session_states SET counters = NULL WHERE session_id IN (
        SELECT session_id FROM session_states WHERE session_id = ANY(${sql.param(ids)}::uuid[]) ORDER BY session_id FOR UPDATE)`,
    );
    return rows.length;
  }

  return {
    async forgetEnded(before) {
      const counts = [
        await change((tx) => deleted(tx, ended(sql`counter_cells`, sql`integration_id, scope, key`, before))),
        await change((tx) => deleted(tx, ended(sql`counter_scopes`, sql`integration_id, scope`, before))),
        await change((tx) => emptySessions(tx, before)),
      ];
      return counts.some((count) => count === mostDeleted);
    },
  };
}
