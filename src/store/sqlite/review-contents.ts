import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { HeldContent, Hold } from '../../evaluate/evaluation.ts';
import type { Sqlite } from './database.ts';
import { erase } from './erase.ts';
import { reviewContents } from './tables.ts';

/** As it is stored: null where the evaluation keeps the same. */
export type HeldRow = Pick<
  typeof reviewContents.$inferSelect,
  'input' | 'targetKey' | 'targetMetadata' | 'isMasked' | 'rejectionCounts'
>;

/** Content that is stored only as long as a reviewer or a callback needs it. Synchronous: it runs inside a change. */
export interface ReviewContents {
  /** Puts this content in the place of what the review had; without a callback URL, that stays. */
  keep(reviewRow: number, content: HeldContent & Pick<Hold, 'rejectionCounts'>, forgetAt: number): void;
  find(reviewRow: number): HeldRow | null;
  /** Deletes what only the reviewer needed; the callback URL stays when there is a callback to deliver. */
  settle(reviewRow: number, hasCallback: boolean): void;
  /** Deletes all of it. */
  forget(reviewRow: number): void;
  /** When the next review expires; null when none waits. */
  findNextExpiry(): number | null;
  /** Calls `end` for some reviews that have expired at `now`, which deletes what the reviewer needed; false when none is left. */
  endExpired(now: number, end: (reviewRow: number) => void): boolean;
}

/** Each may hold a megabyte: so many are deleted in one change. */
const mostAtOnce = 8;

export function createReviewContents({ client, db }: Pick<Sqlite, 'client' | 'db'>): ReviewContents {
  const { input, targetKey, targetMetadata, isMasked, rejectionCounts } = reviewContents;
  const remove = (row: number): void =>
    erase(client, () => void db.delete(reviewContents).where(eq(reviewContents.reviewId, row)).run());

  return {
    keep(reviewId, { isMasked, ...content }, forgetAt) {
      erase(client, () =>
        db
          .insert(reviewContents)
          .values({ reviewId, ...content, isMasked: Number(isMasked), forgetAt })
          .onConflictDoUpdate({
            target: reviewContents.reviewId,
            set: {
              input: content.input,
              targetKey: content.targetKey,
              targetMetadata: content.targetMetadata,
              isMasked: Number(isMasked),
              rejectionCounts: content.rejectionCounts,
              forgetAt,
              ...(content.callbackUrl !== null && { callbackUrl: content.callbackUrl }),
            },
          })
          .run(),
      );
    },

    find: (reviewRow) =>
      db
        .select({ input, targetKey, targetMetadata, isMasked, rejectionCounts })
        .from(reviewContents)
        .where(eq(reviewContents.reviewId, reviewRow))
        .get() ?? null,

    settle(reviewRow, hasCallback) {
      if (!hasCallback) return remove(reviewRow);
      erase(client, () =>
        db
          .update(reviewContents)
          .set({ input: null, targetKey: null, targetMetadata: null, rejectionCounts: null, forgetAt: null })
          .where(eq(reviewContents.reviewId, reviewRow))
          .run(),
      );
    },

    forget: remove,

    findNextExpiry: () =>
      db
        .select({ at: reviewContents.forgetAt })
        .from(reviewContents)
        .where(sql`${reviewContents.forgetAt} IS NOT NULL`)
        .orderBy(asc(reviewContents.forgetAt))
        .limit(1)
        .get()?.at ?? null,

    endExpired(now, end) {
      const expired = db
        .select({ row: reviewContents.reviewId })
        .from(reviewContents)
        .where(and(sql`${reviewContents.forgetAt} IS NOT NULL`, lte(reviewContents.forgetAt, now)))
        .orderBy(asc(reviewContents.forgetAt))
        .limit(mostAtOnce)
        .all();
      for (const { row } of expired) end(row);
      return expired.length === mostAtOnce;
    },
  };
}
