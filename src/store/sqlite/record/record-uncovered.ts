import { integrationChain, managementChain, sessionChain } from '../../../record/entries.ts';
import type { LeafData } from '../../../record/roots.ts';
import type { RecordStore } from '../../record.ts';
import type { Sqlite } from '../database.ts';

/** So many evaluations are looked at in one read: some 5 ms of the event loop. */
const mostRows = 2_000;

interface Row {
  /** The UUID of the session; null without one. */
  session: string | null;
  integrationRow: number;
  seq: number;
  hash: string;
}

/**
 * Finds which chains have grown. All of one moment: each head is the last entry of its chain among the rows of the cut, and
 * no earlier row can appear after it.
 */
export function createFindUncovered({
  client,
  read,
}: Pick<Sqlite, 'client' | 'read'>): RecordStore['findUncovered'] {
  const lastEvaluation = client
    .prepare<[number], number | null>(
      `SELECT max(id) FROM (SELECT id FROM evaluations WHERE id > ? ORDER BY id LIMIT ${mostRows})`,
    )
    .pluck();
  const countOfEvaluations = client
    .prepare<[number], number>(
      `SELECT count(*) FROM (SELECT 1 FROM evaluations WHERE id > ? LIMIT ${mostRows})`,
    )
    .pluck();
  // Beside max(), SQLite takes the other columns from the row that has it (sqlite.org/lang_select.html#bareagg).
  const headsOf = (rows: string) =>
    client.prepare<[number, number], Row>(
      `SELECT s.uid AS session, h.integration_id AS integrationRow, seq, hash FROM (
         SELECT session_id, integration_id, max(chain_seq) AS seq, entry_hash AS hash FROM ${rows}
         GROUP BY session_id, iif(session_id IS NULL, integration_id, 0)
       ) h LEFT JOIN evaluation_sessions s ON s.id = h.session_id`,
    );
  const columns = 'session_id, integration_id, chain_seq, entry_hash';
  const evaluationHeads = headsOf(`(SELECT ${columns} FROM evaluations WHERE id > ? AND id <= ?)`);
  const entryHeads = headsOf(`(SELECT ${columns} FROM record_entries WHERE id > ? AND id <= ?)`);
  const lastEntry = client
    .prepare<[number], number | null>('SELECT max(id) FROM record_entries WHERE after_evaluation_id <= ?')
    .pluck();
  const lastCall = client.prepare<[number], { id: number; seq: number; hash: string }>(
    `SELECT id, chain_seq AS seq, entry_hash AS hash FROM audit_entries
       WHERE id > ? ORDER BY id DESC LIMIT 1`,
  );
  const integrationOf = client.prepare<[number], string>('SELECT id FROM integrations WHERE row = ?').pluck();
  const chainOf = ({ session, integrationRow }: Row): string =>
    session === null ? integrationChain(integrationOf.get(integrationRow) ?? '') : sessionChain(session);

  return (after) =>
    read(() => {
      const evaluation = lastEvaluation.get(after.evaluation) ?? after.evaluation;
      const entry = Math.max(lastEntry.get(evaluation) ?? 0, after.entry);
      const call = lastCall.get(after.call);
      if (evaluation === after.evaluation && entry === after.entry && !call) return null;
      const heads = new Map<string, LeafData>();
      const rows = [
        ...evaluationHeads.all(after.evaluation, evaluation),
        ...entryHeads.all(after.entry, entry),
      ];
      for (const row of rows) {
        const chain = chainOf(row);
        const other = heads.get(chain);
        if (!other || other.seq < row.seq) heads.set(chain, { chain, seq: row.seq, hash: row.hash });
      }
      if (call) heads.set(managementChain, { chain: managementChain, seq: call.seq, hash: call.hash });
      return {
        cut: { evaluation, entry, call: call?.id ?? after.call },
        heads: [...heads.values()],
        isLast: countOfEvaluations.get(after.evaluation) !== mostRows,
      };
    });
}
