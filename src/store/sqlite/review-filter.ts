import { and, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { ReviewStatus } from '../../features/reviews/schema.ts';
import type { ReviewFilter } from '../reviews.ts';
import { evaluationSessions, evaluations, integrations, reviewHandling, reviews } from './tables.ts';

type Value = string | number;

/**
 * The condition of a filter that has these fields, with the placeholders of `valuesOf`. It reads other tables by subqueries only,
 * so that a count joins none.
 */
export function matching(filter: ReviewFilter): SQL | undefined {
  const { status, sessionId, integrationId, tool, severity, assignee, from, to } = filter;
  const { placeholder } = sql;
  return and(
    integrationId === undefined
      ? undefined
      : sql`${reviews.integrationId} = (SELECT row FROM ${integrations} WHERE id = ${placeholder('integrationId')})`,
    sessionId === undefined
      ? undefined
      : sql`${reviews.sessionId} = (SELECT id FROM ${evaluationSessions} WHERE uid = ${placeholder('sessionId')})`,
    status === undefined ? undefined : havingStatus(status),
    tool === undefined ? undefined : eq(reviews.tool, placeholder('tool')),
    severity === undefined
      ? undefined
      : sql`(SELECT severity FROM ${evaluations} WHERE id = ${reviews.evaluationId}) = ${placeholder('severity')}`,
    assignee === undefined ? undefined : assignedTo(assignee),
    from === undefined ? undefined : gte(reviews.createdAt, placeholder('from')),
    to === undefined ? undefined : lt(reviews.createdAt, placeholder('to')),
  );
}

const assignedTo = (assignee: string | null): SQL =>
  assignee === null
    ? sql`NOT EXISTS (SELECT 1 FROM ${reviewHandling} WHERE review_id = ${reviews.id} AND assignee IS NOT NULL)`
    : sql`${reviews.id} IN (SELECT review_id FROM ${reviewHandling} WHERE assignee = ${sql.placeholder('assignee')})`;

/** In the order of the placeholders. */
export function valuesOf(filter: ReviewFilter, now: number): Record<string, Value> {
  const { status, sessionId, integrationId, tool, severity, assignee, from, to } = filter;
  return {
    ...(integrationId !== undefined && { integrationId }),
    ...(sessionId !== undefined && { sessionId: sessionId.toLowerCase() }),
    ...(status !== undefined && status !== 'EXPIRED' && status !== 'CANCELLED' && { status }),
    ...(status !== undefined && timed.has(status) && { now }),
    ...(tool !== undefined && { tool }),
    ...(severity !== undefined && { severity }),
    ...(typeof assignee === 'string' && { assignee: assignee.toLowerCase() }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** What these say of a review depends on when it is asked. */
const timed: ReadonlySet<ReviewStatus> = new Set(['PENDING', 'APPROVED', 'EXPIRED', 'CANCELLED']);

function havingStatus(status: ReviewStatus): SQL | undefined {
  const { placeholder } = sql;
  const now = placeholder('now');
  if (status === 'EXPIRED') {
    // Most reviews are of these: with the plus they are read from the newest on, instead of all to be sorted.
    return and(
      sql`+${reviews.status} IN ('PENDING', 'APPROVED')`,
      lte(reviews.expiresAt, now),
      sql`NOT (${reviews.status} = 'PENDING' AND ${reviews.endsWithSession})`,
    );
  }
  if (status === 'CANCELLED') {
    return sql`(${reviews.status} = 'CANCELLED' OR (${reviews.status} = 'PENDING' AND ${reviews.endsWithSession}
      AND ${reviews.expiresAt} <= ${now}))`;
  }
  const kept = eq(reviews.status, placeholder('status'));
  return timed.has(status) ? and(kept, gt(reviews.expiresAt, now)) : kept;
}
