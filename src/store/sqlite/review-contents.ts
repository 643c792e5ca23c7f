import type { HeldContent, Hold } from '../../evaluate/evaluation.ts';
import { erase } from './client.ts';
import type { Sqlite } from './database.ts';
import { reviewContents } from './tables.ts';

/** Content that is stored only as long as a reviewer or a callback needs it. Synchronous: it runs inside a change. */
export interface ReviewContents {
  /** Puts this content in the place of what the review had; without a callback URL, that stays. */
  keep(reviewRow: number, content: HeldContent & Pick<Hold, 'rejectionCounts'>, forgetAt: number): void;
}

export function createReviewContents({ client, db }: Pick<Sqlite, 'client' | 'db'>): ReviewContents {
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
  };
}
