import { and, count, desc, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
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
  const { placeholder } = sql;
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
  const byUid = select(eq(reviews.uid, placeholder('id'))).prepare();
  const find = (id: string): Row | undefined => byUid.get({ id: id.toLowerCase() });

  /** The statements of a filter. Which fields it has makes their text; building that text costs more than running it. */
  function prepareList(filter: ReviewFilter) {
    const where = matching(filter);
    return {
      page: select(where)
        .orderBy(desc(reviews.id))
        .limit(placeholder('limit'))
        .offset(placeholder('offset'))
        .prepare(),
      total: db
        .select({ total: count() })
        .from(reviews)
        .innerJoin(integrations, eq(integrations.id, reviews.integrationId))
        .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
        .where(where)
        .prepare(),
    };
  }
  const prepared = new Map<string, ReturnType<typeof prepareList>>();
  function listOf(filter: ReviewFilter): ReturnType<typeof prepareList> {
    const { integrationId, sessionId, status } = filter;
    const form = `${integrationId === undefined} ${sessionId === undefined} ${status}`;
    let list = prepared.get(form);
    if (!list) {
      list = prepareList(filter);
      prepared.set(form, list);
    }
    return list;
  }

  return {
    find: (integrationId, id, now) =>
      read(() => {
        const row = find(id);
        return row && (integrationId === null || row.integrationId === integrationId)
          ? toStored(row, now)
          : null;
      }),

    list: (filter, page, now) =>
      read(() => {
        const list = listOf(filter);
        const { integrationId, sessionId } = filter;
        const values = { integrationId, sessionId: sessionId?.toLowerCase(), now };
        return {
          items: list.page
            .all({ ...values, limit: page.size, offset: offsetOf(page) })
            .map((row) => toStored(row, now)),
          total: list.total.get(values)?.total ?? 0,
        };
      }),

    decide: (id, { status, decidedBy, comment, now }, callback) =>
      writer.run(() => {
        const row = find(id);
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
        const decided = toStored(find(id) as Row, now);
        if (decided.callbackUrl === null) return decided;
        const { id: uid, body } = callback(decided);
        db.insert(callbacks)
          .values({ uid, reviewId: row.review.id, body, attemptCount: 0, nextAttemptAt: now })
          .run();
        return toStored(find(id) as Row, now);
      }),
  };
}

/** The condition of a filter that has these fields; their values come with the run. */
function matching({ status, sessionId, integrationId }: ReviewFilter): SQL | undefined {
  const { placeholder } = sql;
  return and(
    integrationId === undefined ? undefined : eq(integrations.uid, placeholder('integrationId')),
    sessionId === undefined ? undefined : eq(evaluationSessions.uid, placeholder('sessionId')),
    status === undefined ? undefined : havingStatus(status),
  );
}

function havingStatus(status: ReviewStatus): SQL | undefined {
  const now = sql.placeholder('now');
  if (status === 'EXPIRED') {
    return and(inArray(reviews.status, ['PENDING', 'APPROVED']), lte(reviews.expiresAt, now));
  }
  const open = status === 'PENDING' || status === 'APPROVED';
  return and(eq(reviews.status, status), open ? gt(reviews.expiresAt, now) : undefined);
}
