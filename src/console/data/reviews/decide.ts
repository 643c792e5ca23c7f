import { signal } from '@preact/signals';
import type { ListedReview, Review, ReviewReason } from '../../../features/reviews/schema.ts';
import { type ApiError, apiErrorOf, call } from '../api.ts';

export type Verb = 'approve' | 'reject';

/** Why, in words that the agent receives, and in one word for the statistics. */
export interface Grounds {
  comment: string;
  reason: ReviewReason | null;
  /** Approves without what the review grants to later actions. */
  once: boolean;
}

export type Decided =
  | { is: 'decided'; review: Review }
  /** An approval that counts, and others are needed. */
  | { is: 'counted'; review: Review }
  /** Somebody or something else decided it first. */
  | { is: 'lost'; review: Review }
  /** The agent tried the action again: other findings may be there now. */
  | { is: 'changed'; review: Review }
  | { is: 'failed'; id: string; error: ApiError };

/** Decides a review as it was read: when it is another one by now, nothing is decided, and it says who was faster. */
export async function decide(
  { id, evaluationRunId }: Pick<ListedReview, 'id' | 'evaluationRunId'>,
  verb: Verb,
  { comment, reason, once }: Grounds,
): Promise<Decided> {
  const json = {
    evaluationRunId,
    ...(comment && { comment }),
    ...(reason && { reason }),
    ...(verb === 'approve' && once && { once }),
  };
  try {
    const { data } = await call<Review>(`/v1/reviews/${id}/${verb}`, { method: 'POST', json });
    return { is: data.status === 'PENDING' ? 'counted' : 'decided', review: data };
  } catch (error) {
    const failure = apiErrorOf(error);
    if (failure.status !== 409) return { is: 'failed', id, error: failure };
    return conflict({ id, evaluationRunId }, failure);
  }
}

async function conflict(
  { id, evaluationRunId }: Pick<ListedReview, 'id' | 'evaluationRunId'>,
  failure: ApiError,
): Promise<Decided> {
  try {
    const { data } = await call<Review>(`/v1/reviews/${id}`);
    if (data.status !== 'PENDING') return { is: 'lost', review: data };
    // The same findings: it is something else, such as a second approval of the same operator.
    if (data.evaluationRunId === evaluationRunId) return { is: 'failed', id, error: failure };
    return { is: 'changed', review: data };
  } catch {
    return { is: 'failed', id, error: failure };
  }
}

/** The part of the decision that an agent receives when it polls the review. */
export const receivedBy = (verb: Verb, { comment, reason }: Omit<Grounds, 'once'>): object => ({
  status: verb === 'approve' ? 'APPROVED' : 'REJECTED',
  comment: comment === '' ? null : comment,
  reason,
});

/** The reviews that are chosen for one decision. */
export const selection = signal<ReadonlySet<string>>(new Set());

/** The decision that is being written. */
export const deciding = signal<{ id: string; verb: Verb } | null>(null);

/** The name of what is typed for the decision of a review. */
export const draftOf = (reviewId: string): string => `decision of ${reviewId}`;

/** Reviews that another operator decided first. */
export const lost = signal<ReadonlySet<string>>(new Set());

export function toggle(id: string): void {
  const next = new Set(selection.value);
  if (!next.delete(id)) next.add(id);
  selection.value = next;
}
