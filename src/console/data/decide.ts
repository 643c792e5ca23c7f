import type { ListedReview, Review } from '../../schemas/reviews.ts';
import { type ApiError, apiErrorOf, call } from './api.ts';

export type Verb = 'approve' | 'reject';

export type Decided =
  | { is: 'decided'; review: Review }
  /** Somebody or something else decided it first. */
  | { is: 'lost'; review: Review }
  /** The agent tried the action again: other findings may be there now. */
  | { is: 'changed'; review: Review }
  | { is: 'failed'; id: string; error: ApiError };

/** Decides a review as it was read: when it is another one by now, nothing is decided, and it says who was faster. */
export async function decide(
  { id, evaluationRunId }: Pick<ListedReview, 'id' | 'evaluationRunId'>,
  verb: Verb,
  comment: string,
): Promise<Decided> {
  const json = { evaluationRunId, ...(comment && { comment }) };
  try {
    const { data } = await call<Review>(`/v1/reviews/${id}/${verb}`, { method: 'POST', json });
    return { is: 'decided', review: data };
  } catch (error) {
    const failure = apiErrorOf(error);
    if (failure.status !== 409) return { is: 'failed', id, error: failure };
    return conflict(id, failure);
  }
}

async function conflict(id: string, failure: ApiError): Promise<Decided> {
  try {
    const { data } = await call<Review>(`/v1/reviews/${id}`);
    return { is: data.status === 'PENDING' ? 'changed' : 'lost', review: data };
  } catch {
    return { is: 'failed', id, error: failure };
  }
}

/** What an agent that polls the review receives, of what the decision changes. */
export const receivedBy = (verb: Verb, comment: string): object => ({
  status: verb === 'approve' ? 'APPROVED' : 'REJECTED',
  comment: comment === '' ? null : comment,
});
