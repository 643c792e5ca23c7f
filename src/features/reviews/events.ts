import type { OperatorCaller } from '../../services/access/authentication.ts';
import { isoTime, isoTimeOrNull } from '../../services/times.ts';
import type { NewEvent, StoredReview } from '../../store/store.ts';
import type { EventType } from '../events/event-types.ts';

/** Rules that an event names at most. */
const mostRules = 20;

/** The event of a review. `actor` is null for the passing of time. It holds no content, and no comment: that may be content. */
export function reviewEvent(
  type: EventType & `review.${string}`,
  review: StoredReview,
  of: { at: number; actor: Pick<OperatorCaller, 'operator'> | null; newId: () => string },
  more: object = {},
): NewEvent {
  const { actor } = of;
  return {
    id: of.newId(),
    type,
    at: of.at,
    integrationId: review.integrationId,
    subject: `reviews/${review.id}`,
    data: JSON.stringify({
      reviewRequestId: review.id,
      integrationId: review.integrationId,
      sessionId: review.sessionId,
      evaluationRunId: review.evaluationRunId,
      tool: review.shownTool || null,
      severity: review.severity,
      dataTags: review.dataTags,
      rules: [...new Set(review.violations.slice(0, mostRules).map(({ ruleName }) => ruleName))],
      status: review.status,
      createdAt: isoTime(review.createdAt),
      expiresAt: isoTime(review.expiresAt),
      decidedAt: isoTimeOrNull(review.decidedAt),
      ...(actor && { actor: { kind: 'operator', id: actor.operator.id, name: actor.operator.name } }),
      ...more,
    }),
  };
}
