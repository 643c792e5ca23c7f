import { and, asc, eq, gt, isNotNull, lte, or, sql } from 'drizzle-orm';
import type { EvaluationStore } from '../../evaluations.ts';
import { erasedContent } from '../../record.ts';
import type { Db, Postgres } from '../database.ts';
import type { FinalPosition } from '../final-position.ts';
import { contentRetention, evaluations } from '../tables.ts';

/** A step looks at so many evaluations, and deletes so many bytes. */
const mostRows = 500;
const mostBytes = 4_194_304;

/** Evaluations are recorded in the order of time, so one remembered position divides those without content from the others. */
export function createContentRetention(
  { change }: Pick<Postgres, 'change'>,
  finalPosition: FinalPosition,
): EvaluationStore['forgetContent'] {
  return async (before) => {
    const final = await finalPosition.find();
    return change(async (tx) => {
      const after = await lockProgress(tx);
      // Another replica deletes.
      if (after === null) return false;
      const last = await lastOfStep(tx, after, final, before);
      if (last === after) return false;
      await deleteBetween(tx, after, last);
      await tx.update(contentRetention).set({ position: last });
      return true;
    });
  };
}

/** Others that forget some now have taken them. */
export const createForgetResponses =
  ({ change }: Pick<Postgres, 'change'>): EvaluationStore['forgetResponses'] =>
  async (before) => {
    const forgotten = await change((tx) =>
      tx.execute(sql`DELETE FROM idempotency_keys WHERE (integration_id, key) IN (SELECT integration_id, key FROM idempotency_keys
        WHERE created_at < ${before} ORDER BY created_at LIMIT ${mostRows} FOR UPDATE SKIP LOCKED)`),
    );
    return forgotten.rowCount === mostRows;
  };

/** Up to where content is deleted; null while another transaction deletes. */
async function lockProgress(tx: Db): Promise<number | null> {
  await tx.insert(contentRetention).values({ id: 1, position: 0 }).onConflictDoNothing();
  const [progress] = await tx.select().from(contentRetention).for('update', { skipLocked: true });
  return progress?.position ?? null;
}

const { position, input, targetMetadata, violations, contentSalt } = evaluations;

async function lastOfStep(tx: Db, after: number, final: number, before: number): Promise<number> {
  const bytes = sql<number>`coalesce(octet_length(${input}), 0) + coalesce(octet_length(${targetMetadata}), 0)`;
  const rows = await tx
    .select({ position, createdAt: evaluations.createdAt, bytes })
    .from(evaluations)
    .where(and(gt(position, after), lte(position, final)))
    .orderBy(asc(position))
    .limit(mostRows);
  let last = after;
  let deleted = 0;
  for (const row of rows) {
    deleted += row.bytes;
    // An evaluation that is larger than a step is a step of its own.
    if (row.createdAt >= before || (deleted > mostBytes && last > after)) break;
    last = row.position;
  }
  return last;
}

/** The entry of the record stays what it was: it has the digests. Without their salt they say nothing of the content. */
async function deleteBetween(tx: Db, after: number, last: number): Promise<void> {
  const rows = await tx
    .select({ position, contentSalt, input, targetMetadata, violations })
    .from(evaluations)
    .where(
      and(
        gt(position, after),
        lte(position, last),
        or(isNotNull(contentSalt), isNotNull(input), isNotNull(targetMetadata)),
      ),
    );
  for (const row of rows)
    await tx
      .update(evaluations)
      .set({ input: null, targetMetadata: null, contentSalt: null, ...erasedContent(row) })
      .where(eq(position, row.position));
}
