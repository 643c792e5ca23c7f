import type { RecordedDecision } from '../record/review-entry.ts';
import type { StoredReview } from './reviews.ts';

/** The entry of the record. Nobody decided. */
export const cancellationEntry = (
  { id, evaluationRunId, expiresAt }: Pick<StoredReview, 'id' | 'evaluationRunId' | 'expiresAt'>,
  at: number,
): RecordedDecision => ({
  id,
  at,
  status: 'CANCELLED',
  evaluationId: evaluationRunId,
  decidedBy: '',
  comment: null,
  expiresAt,
});
