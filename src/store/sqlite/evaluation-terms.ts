import { eq } from 'drizzle-orm';
import type { PolicyTerms } from '../../evaluate/evaluation.ts';
import type { EvaluationStore, RemovedLabel } from '../evaluations.ts';
import { parseList } from '../parse-list.ts';
import type { Sqlite } from './database.ts';
import { evaluations, policySets } from './tables.ts';

/** Evaluations of a session that are walked back over to find the first one after a removal. */
const mostWalked = 5_000;

/** What an evaluation was decided by, besides what its own row says. */
export function createEvaluationTerms({
  client,
  db,
  read,
}: Pick<Sqlite, 'client' | 'db' | 'read'>): Pick<
  EvaluationStore,
  'findTerms' | 'listRemovedLabels' | 'countRejections'
> {
  const removed = client.prepare<[{ id: string; most: number }], RemovedLabel>(
    `SELECT c.label, (
       WITH RECURSIVE back (id, previous) AS (
         SELECT e.id, e.previous_id
         UNION ALL
         SELECT b.id, b.previous_id FROM back JOIN evaluations b ON b.id = back.previous
         WHERE back.previous > c.after_evaluation_id
         LIMIT :most
       )
       SELECT uid FROM evaluations WHERE id = (SELECT min(id) FROM back)
     ) AS "before"
     FROM evaluations e JOIN session_changes c ON c.session_id = e.session_id
     WHERE e.uid = :id AND c.kind = 'LABEL_REMOVED' AND c.after_evaluation_id < e.id ORDER BY c.id`,
  );

  const rejections = client
    .prepare<[string], number>(
      `SELECT count(*) FROM evaluations e JOIN session_changes c ON c.session_id = e.session_id
       WHERE e.uid = ? AND c.kind = 'REJECTED' AND c.after_evaluation_id < e.id`,
    )
    .pluck();

  return {
    countRejections: (id) => read(() => rejections.get(id.toLowerCase()) ?? 0),

    findTerms: (id) =>
      read(() => {
        const found = db
          .select({ terms: policySets.terms })
          .from(evaluations)
          .innerJoin(policySets, eq(policySets.id, evaluations.policySetId))
          .where(eq(evaluations.uid, id.toLowerCase()))
          .get();
        return parseList<PolicyTerms>(found?.terms ?? null);
      }),
    listRemovedLabels: (id) => read(() => removed.all({ id: id.toLowerCase(), most: mostWalked })),
  };
}
