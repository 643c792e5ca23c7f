import { sql } from 'drizzle-orm';
import { integrationChain, managementChain, sessionChain } from '../../../record/entries.ts';
import type { RecordCut, RecordStore } from '../../record.ts';
import type { Db, Postgres } from '../database.ts';
import type { FinalPosition } from '../final-position.ts';

/** So many evaluations are looked at in one read. */
const mostRows = 2_000;

interface Row extends Record<string, unknown> {
  sessionId: string | null;
  /** Null for a management call. */
  integrationId: string | null;
  seq: string;
  hash: string;
}

/**
 * Finds which chains have grown. All is of one position: each head is the last entry of its chain up to there, and no earlier one
 * can appear afterwards.
 */
export function createFindUncovered(
  { read }: Pick<Postgres, 'read'>,
  finalPosition: FinalPosition,
): RecordStore['findUncovered'] {
  return async (after) => {
    const final = await finalPosition.find();
    return read(async (db) => {
      const { last, isLast } = await endOfStep(db, after.evaluation, final);
      const heads = (await headsBetween(db, after, last)).map(({ sessionId, integrationId, seq, hash }) => ({
        chain: sessionId
          ? sessionChain(sessionId)
          : integrationId
            ? integrationChain(integrationId)
            : managementChain,
        seq: Number(seq),
        hash,
      }));
      if (heads.length === 0 && isLast) return null;
      // A record that was moved from another database may be covered further than here.
      const cut = {
        evaluation: last,
        entry: Math.max(after.entry, last),
        call: Math.max(after.call, last),
      };
      return { cut, heads, isLast };
    });
  };
}

async function endOfStep(db: Db, from: number, final: number): Promise<{ last: number; isLast: boolean }> {
  const { rows } = await db.execute<{ count: number; last: string | null }>(
    sql`SELECT count(*)::int AS count, max(position) AS last FROM (
      SELECT position FROM evaluations WHERE position > ${from} AND position <= ${final} ORDER BY position LIMIT ${mostRows}) step`,
  );
  const { count = 0, last = null } = rows[0] ?? {};
  return count < mostRows || last === null
    ? { last: final, isLast: true }
    : { last: Number(last), isLast: false };
}

async function headsBetween(db: Db, after: RecordCut, last: number): Promise<Row[]> {
  const within = (from: number) => sql`position > ${from} AND position <= ${last}`;
  const { rows } = await db.execute<Row>(
    sql`SELECT DISTINCT ON (session_id, integration_id)
        session_id AS "sessionId", integration_id AS "integrationId", chain_seq AS seq, entry_hash AS hash
      FROM (
        SELECT session_id, CASE WHEN session_id IS NULL THEN integration_id END AS integration_id, chain_seq, entry_hash
          FROM evaluations WHERE ${within(after.evaluation)}
        UNION ALL SELECT session_id, CASE WHEN session_id IS NULL THEN integration_id END, chain_seq, entry_hash
          FROM record_entries WHERE ${within(after.entry)}
        UNION ALL SELECT NULL, NULL, chain_seq, entry_hash FROM audit_entries WHERE ${within(after.call)}
      ) entries
      ORDER BY session_id, integration_id, chain_seq DESC`,
  );
  return rows;
}
