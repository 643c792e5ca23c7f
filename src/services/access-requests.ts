import { hashAction, inputHash } from '../evaluate/content.ts';
import type { ReviewStatus } from '../features/reviews/schema.ts';
import type { Store, StoredReview } from '../store/store.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

/** The action that an evaluation judged. */
export interface JudgedAction {
  input: object;
  targetKey: string;
}

/** A review as the caller who waits for it sees it. */
export interface AwaitedReview {
  id: string;
  status: ReviewStatus;
  comment: string | null;
  decidedAt: string | null;
  expiresAt: string;
}

/** Why an evaluation has no review that can be asked about. */
export type NoAccessRequest = 'invalid_denial_binding' | 'not_requestable' | 'expired_denial';

/** The reviews of held actions, for programs that know only the evaluation that held the action. */
export interface AccessRequests {
  /** The review that the evaluation waits for, when `action` is what it judged. */
  submit(
    integrationId: string,
    evaluationId: string,
    action: JudgedAction,
  ): Promise<AwaitedReview | NoAccessRequest>;
  /** Null when the integration has no such review. */
  find(integrationId: string, reviewId: string): Promise<AwaitedReview | null>;
}

export function createAccessRequests({ store, now }: { store: Store; now: () => number }): AccessRequests {
  const read = (integrationId: string, id: string) => store.reviews.find(integrationId, id, now());
  return {
    async find(integrationId, reviewId) {
      const review = await read(integrationId, reviewId);
      return review && awaited(review);
    },

    async submit(integrationId, evaluationId, { input, targetKey }) {
      const evaluation = await store.evaluations.find(integrationId, evaluationId);
      if (!evaluation) return 'invalid_denial_binding';
      const { enforcementAction, reviewRequestId } = evaluation;
      if (enforcementAction !== 'APPROVAL_REQUIRED' || reviewRequestId === null) return 'not_requestable';
      const review = await read(integrationId, reviewRequestId);
      const contentHash = hashAction(input, targetKey, null, 'ACTION');
      if (review?.inputHash !== inputHash(store.salt, contentHash, null)) return 'invalid_denial_binding';
      const isOver = review.status === 'EXPIRED' || review.status === 'CANCELLED';
      return isOver ? 'expired_denial' : awaited(review);
    },
  };
}

const awaited = ({ id, status, comment, decidedAt, expiresAt }: StoredReview): AwaitedReview => ({
  id,
  status,
  comment,
  decidedAt: isoTimeOrNull(decidedAt),
  expiresAt: isoTime(expiresAt),
});
