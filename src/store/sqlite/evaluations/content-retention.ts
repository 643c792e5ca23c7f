import { and, asc, eq, gt, isNotNull, lte, or, sql } from 'drizzle-orm';
import type { EvaluationStore } from '../../evaluations.ts';
import { erasedContent } from '../../stored-entries.ts';
import type { Sqlite } from '../database.ts';
import { erase } from '../erase.ts';
import { clock, contentRetention, evaluations } from '../tables.ts';

/** A step looks at so many evaluations, and deletes so many bytes: some 2 ms of the event loop. */
const mostRows = 250;
const mostBytes = 1_048_576;

/**
 * Evaluations are appended in the order of time, so one remembered id divides those without content from the others:
 * an index on their time would cost every insert. Those that a clock ahead of time made later than its correction count as
 * made at the correction: else they would keep all later ones from being deleted.
 */
export function createContentRetention({
  client,
  db,
  steady,
  writer,
}: Pick<Sqlite, 'client' | 'db' | 'steady' | 'writer'>): EvaluationStore['forgetContent'] {
  const { input, targetMetadata, violations, contentSalt } = evaluations;
  const bytes = sql<number>`coalesce(octet_length(${input}), 0) + coalesce(octet_length(${targetMetadata}), 0)`;
  const oldest = steady
    .select({ id: evaluations.id, createdAt: evaluations.createdAt, bytes })
    .from(evaluations)
    .where(gt(evaluations.id, sql.placeholder('after')))
    .orderBy(asc(evaluations.id))
    .limit(mostRows)
    .prepare();

  const { placeholder } = sql;
  const withContent = steady
    .select({ id: evaluations.id, contentSalt, input, targetMetadata, violations })
    .from(evaluations)
    .where(
      and(
        gt(evaluations.id, placeholder('after')),
        lte(evaluations.id, placeholder('last')),
        or(isNotNull(contentSalt), isNotNull(input), isNotNull(targetMetadata)),
      ),
    )
    .prepare();
  /** The entry of the record stays what it was: it has the digests. Without their salt they say nothing of the content. */
  const forget = steady
    .update(evaluations)
    .set({
      input: null,
      targetMetadata: null,
      contentSalt: null,
      contentDigests: sql`${placeholder('contentDigests')}`,
      violations: sql`${placeholder('violations')}`,
    })
    .where(eq(evaluations.id, placeholder('id')))
    .prepare();

  function lastOfStep(after: number, before: number): number {
    let last = after;
    let deleted = 0;
    const { correctedAt, correctedEvaluationId } = db.select().from(clock).get() ?? {};
    const until = correctedEvaluationId ?? 0;
    for (const row of oldest.all({ after })) {
      deleted += row.bytes;
      // One that is larger than a step is a step.
      const createdAt = row.id <= until ? Math.min(row.createdAt, correctedAt ?? 0) : row.createdAt;
      if (createdAt >= before || (deleted > mostBytes && last > after)) break;
      last = row.id;
    }
    return last;
  }

  return (before) =>
    writer.run(() => {
      const after = db.select().from(contentRetention).get()?.evaluationId ?? 0;
      const last = lastOfStep(after, before);
      if (last === after) return false;
      const rows = withContent.all({ after, last });
      erase(client, () => {
        for (const row of rows) forget.run({ id: row.id, ...erasedContent(row) });
      });
      db.insert(contentRetention)
        .values({ id: 1, evaluationId: last })
        .onConflictDoUpdate({ target: contentRetention.id, set: { evaluationId: last } })
        .run();
      return true;
    });
}
