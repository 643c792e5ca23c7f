import { and, count, desc, eq, gt, inArray, lte, or, type SQL } from 'drizzle-orm';
import type { ReviewStatus } from '../../schemas/reviews.ts';
import type { ReviewFilter, ReviewStore, StoredReview } from '../reviews.ts';
import type { Sqlite } from './database.ts';
import { parseList } from './evaluations.ts';
import { offsetOf } from './pages.ts';
import { reviewStatusAt } from './review-rows.ts';
import { callbacks, evaluationSessions, evaluations, integrations, reviews } from './tables.ts';

const columns = {
  review: reviews,
  integrationId: integrations.uid,
  sessionId: evaluationSessions.uid,
  evaluation: {
    id: evaluations.uid,
    targetKey: evaluations.targetKey,
    correlationId: evaluations.correlationId,
    severity: evaluations.severity,
    violations: evaluations.violations,
    dataTags: evaluations.dataTags,
    input: evaluations.input,
  },
  callback: {
    attemptCount: callbacks.attemptCount,
    nextAttemptAt: callbacks.nextAttemptAt,
    deliveredAt: callbacks.deliveredAt,
    lastError: callbacks.lastError,
  },
};

export function createReviews({ db, writer, read }: Sqlite): ReviewStore {
  const select = (where: SQL | undefined) =>
    db
      .select(columns)
      .from(reviews)
      .innerJoin(integrations, eq(integrations.id, reviews.integrationId))
      .innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .leftJoin(callbacks, eq(callbacks.reviewId, reviews.id))
      .where(where);
  type Row = ReturnType<ReturnType<typeof select>['all']>[number];

  const toStored = ({ review, evaluation, ...row }: Row, now: number): StoredReview => ({
    id: review.uid,
    status: reviewStatusAt(review, now),
    integrationId: row.integrationId,
    sessionId: row.sessionId,
    evaluationRunId: evaluation.id,
    tool: review.tool,
    targetKey: evaluation.targetKey,
    correlationId: evaluation.correlationId,
    severity: evaluation.severity,
    violations: parseList(evaluation.violations),
    dataTags: parseList(evaluation.dataTags),
    input: evaluation.input,
    comment: review.comment,
    createdAt: review.createdAt,
    expiresAt: review.expiresAt,
    decidedAt: review.decidedAt,
    consumedAt: review.consumedAt,
    callbackUrl: review.callbackUrl,
    callback: row.callback,
  });
  const find = (id: string, integrationId: string | null): Row | undefined =>
    select(
      and(
        eq(reviews.uid, id.toLowerCase()),
        integrationId === null ? undefined : eq(integrations.uid, integrationId),
      ),
    ).get();

  return {
    find: (integrationId, id, now) =>
      read(() => {
        const row = find(id, integrationId);
        return row ? toStored(row, now) : null;
      }),

    list: (filter, page, now) =>
      read(() => {
        const where = matching(filter, now);
        return {
          items: select(where)
            .orderBy(desc(reviews.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map((row) => toStored(row, now)),
          total:
            db
              .select({ total: count() })
              .from(reviews)
              .innerJoin(integrations, eq(integrations.id, reviews.integrationId))
              .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
              .where(where)
              .get()?.total ?? 0,
        };
      }),

    decide: (id, { status, decidedBy, comment, now }, callback) =>
      writer.run(() => {
        const row = find(id, null);
        if (!row) return 'no_review';
        const before = reviewStatusAt(row.review, now);
        if (before !== 'PENDING') return { notPending: before };
        db.update(reviews)
          .set({
            status,
            decidedBy,
            comment,
            decidedAt: now,
            expiresAt: now + row.review.expirySeconds * 1_000,
          })
          .where(and(eq(reviews.id, row.review.id), eq(reviews.status, 'PENDING')))
          .run();
        const decided = toStored(find(id, null) as Row, now);
        if (decided.callbackUrl === null) return decided;
        const { id: uid, body } = callback(decided);
        db.insert(callbacks)
          .values({ uid, reviewId: row.review.id, body, attemptCount: 0, nextAttemptAt: now })
          .run();
        return toStored(find(id, null) as Row, now);
      }),
  };
}

function matching({ status, sessionId, integrationId }: ReviewFilter, now: number): SQL | undefined {
  return and(
    integrationId === undefined ? undefined : eq(integrations.uid, integrationId),
    sessionId === undefined ? undefined : eq(evaluationSessions.uid, sessionId.toLowerCase()),
    status === undefined ? undefined : havingStatus(status, now),
  );
}

function havingStatus(status: ReviewStatus, now: number): SQL | undefined {
  if (status === 'EXPIRED') {
    return and(inArray(reviews.status, ['PENDING', 'APPROVED']), lte(reviews.expiresAt, now));
  }
  const open = status === 'PENDING' || status === 'APPROVED';
  return and(eq(reviews.status, status), open ? gt(reviews.expiresAt, now) : or());
}
