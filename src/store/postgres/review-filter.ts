import { and, eq, gt, gte, isNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm';
import type { ReviewStatus } from '../../features/reviews/schema.ts';
import type { ReviewFilter } from '../reviews.ts';
import { evaluations, reviewHandling, reviews } from './tables.ts';

export function matching(filter: ReviewFilter, now: number): SQL | undefined {
  const { status, sessionId, integrationId, tool, severity, assignee, from, to } = filter;
  return and(
    integrationId === undefined ? undefined : eq(reviews.integrationId, integrationId),
    sessionId === undefined ? undefined : eq(reviews.sessionId, sessionId),
    status === undefined ? undefined : havingStatus(status, now),
    tool === undefined ? undefined : eq(reviews.tool, tool),
    severity === undefined ? undefined : eq(evaluations.severity, severity),
    assignee === undefined
      ? undefined
      : assignee === null
        ? isNull(reviewHandling.assignee)
        : eq(reviewHandling.assignee, assignee.toLowerCase()),
    from === undefined ? undefined : gte(reviews.createdAt, from),
    to === undefined ? undefined : lt(reviews.createdAt, to),
  );
}

/** What PENDING, APPROVED and EXPIRED say of a review depends on when it is asked. */
function havingStatus(status: ReviewStatus, now: number): SQL | undefined {
  const { expiresAt } = reviews;
  const ended = and(eq(reviews.status, 'PENDING'), sql`${reviews.endsWithSession}`, lte(expiresAt, now));
  if (status === 'CANCELLED') return or(eq(reviews.status, 'CANCELLED'), ended);
  if (status === 'EXPIRED')
    return and(
      lte(expiresAt, now),
      or(
        eq(reviews.status, 'APPROVED'),
        and(eq(reviews.status, 'PENDING'), not(sql`${reviews.endsWithSession}`)),
      ),
    );
  const isTimed = status === 'PENDING' || status === 'APPROVED';
  return and(eq(reviews.status, status), isTimed ? gt(expiresAt, now) : undefined);
}
