import { and, count, desc, eq, gt, gte, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { plainTerms, type ReviewTerms } from '../../schemas/review-terms.ts';
import type { ReviewStatus } from '../../schemas/reviews.ts';
import { findingsHolding, withApproval } from '../review-approvals.ts';
import { reviewStatusAt } from '../review-status.ts';
import type { Requester, ReviewFilter, ReviewStore, StoredApproval, StoredReview } from '../reviews.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import { prepareHotRead } from './hot-statement.ts';
import { namesIn, narrow, tooWide } from './listed-columns.ts';
import { offsetOf } from './pages.ts';
import { parseList } from './parse-list.ts';
import type { RecordEntries } from './record-entries.ts';
import { createReviewApprovals } from './review-approvals.ts';
import type { ReviewContents } from './review-contents.ts';
import {
  callbacks,
  evaluationSessions,
  evaluations,
  integrationKeys,
  integrations,
  operators,
  reviewHandling,
  reviews,
} from './tables.ts';

const wide = {
  input: evaluations.input,
  targetMetadata: evaluations.targetMetadata,
  violations: evaluations.violations,
};
const mostBytes = sql`${sql.placeholder('mostBytes')}`;
/** As often as the columns ask for it: for each wide text itself, and for whether it is left out. */
const times = <T>(value: T): T[] => Array<T>(2 * Object.keys(wide).length).fill(value);

const assignees = alias(operators, 'assignees');
const columns = {
  row: reviews.id,
  id: reviews.uid,
  status: reviews.status,
  integrationId: integrations.uid,
  sessionId: evaluationSessions.uid,
  evaluationRunId: evaluations.uid,
  tool: reviews.tool,
  targetKey: evaluations.targetKey,
  targetMetadata: narrow<string>(wide.targetMetadata, mostBytes),
  correlationId: evaluations.correlationId,
  severity: evaluations.severity,
  violations: narrow<string>(wide.violations, mostBytes),
  dataTags: evaluations.dataTags,
  input: narrow<string>(wide.input, mostBytes),
  decidedBy: reviews.decidedBy,
  decidedByName: operators.name,
  comment: reviews.comment,
  reason: reviewHandling.reason,
  assignee: reviewHandling.assignee,
  assigneeName: assignees.name,
  assignedAt: reviewHandling.assignedAt,
  seenAt: reviewHandling.seenAt,
  createdAt: reviews.createdAt,
  expiresAt: reviews.expiresAt,
  expirySeconds: reviews.expirySeconds,
  decidedAt: reviews.decidedAt,
  consumedAt: reviews.consumedAt,
  callbackUrl: reviews.callbackUrl,
  terms: reviews.terms,
  approvals: sql<string>`(SELECT json_group_array(json_object('operatorId', a.operator_id, 'operatorName', o.name,
    'comment', a.comment, 'createdAt', a.created_at) ORDER BY a.created_at, a.rowid)
    FROM review_approvals a LEFT JOIN operators o ON o.uid = a.operator_id WHERE a.review_id = ${reviews.id})`,
  attemptCount: callbacks.attemptCount,
  nextAttemptAt: callbacks.nextAttemptAt,
  deliveredAt: callbacks.deliveredAt,
  lastError: callbacks.lastError,
  omitted: tooWide(wide, mostBytes),
};

type Value = string | number;

export function createReviews(
  { client, db, writer, read }: Sqlite,
  contents: ReviewContents,
  eventLog: Pick<EventLog, 'append'>,
  entries: RecordEntries,
): { reviews: ReviewStore; findStored: (id: string, now: number) => StoredReview | null } {
  const { placeholder } = sql;
  const approvals = createReviewApprovals({ db });
  const select = (where: SQL | undefined) =>
    db
      .select(columns)
      .from(reviews)
      .innerJoin(integrations, eq(integrations.id, reviews.integrationId))
      .innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .leftJoin(callbacks, eq(callbacks.reviewId, reviews.id))
      .leftJoin(operators, eq(operators.uid, reviews.decidedBy))
      .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
      .leftJoin(assignees, eq(assignees.uid, reviewHandling.assignee))
      .where(where);
  type Row = ReturnType<ReturnType<typeof select>['all']>[number];

  /** Spelled out: copying an object by its rest costs as much as reading the row. */
  const toStored = (found: Row, now: number): StoredReview => ({
    id: found.id,
    status: reviewStatusAt(found, now),
    integrationId: found.integrationId,
    sessionId: found.sessionId,
    evaluationRunId: found.evaluationRunId,
    tool: found.tool,
    targetKey: found.targetKey,
    targetMetadata: found.targetMetadata,
    correlationId: found.correlationId,
    severity: found.severity,
    violations: parseList(found.violations),
    dataTags: parseList(found.dataTags),
    input: found.input,
    whole: null,
    terms: found.terms === null ? plainTerms : (JSON.parse(found.terms) as ReviewTerms),
    approvals: JSON.parse(found.approvals) as StoredApproval[],
    decidedBy: found.decidedBy,
    decidedByName: found.decidedByName,
    comment: found.comment,
    reason: found.reason,
    assignee: found.assignee,
    assigneeName: found.assigneeName,
    assignedAt: found.assignedAt,
    seenAt: found.seenAt,
    createdAt: found.createdAt,
    expiresAt: found.expiresAt,
    decidedAt: found.decidedAt,
    consumedAt: found.consumedAt,
    callbackUrl: found.callbackUrl,
    callback: toCallback(found),
  });
  const toCallback = ({ attemptCount, nextAttemptAt, deliveredAt, lastError }: Row) =>
    attemptCount === null ? null : { attemptCount, nextAttemptAt, deliveredAt, lastError };
  const wholeOf = ({ row, input, targetKey, targetMetadata }: Row): StoredReview['whole'] => {
    const held = contents.find(row);
    return {
      input: held?.input ?? input,
      targetKey: held?.targetKey ?? targetKey,
      targetMetadata: held?.targetMetadata ?? targetMetadata,
    };
  };
  const byUid = prepareHotRead<Row, Value[]>(client, columns, select(eq(reviews.uid, placeholder('id'))), [
    ...times('mostBytes'),
    'id',
  ]);
  const byRow = prepareHotRead<Row, Value[]>(client, columns, select(eq(reviews.id, placeholder('row'))), [
    ...times('mostBytes'),
    'row',
  ]);
  const find = (id: string): Row | undefined =>
    byUid.get(...times(Number.MAX_SAFE_INTEGER), id.toLowerCase());

  /** A key that was replaced may have been used for the action, and the expired one, too. */
  const mayHaveRequested = (review: number, { operatorId, entityId }: Requester): boolean =>
    db
      .select({ id: reviews.id })
      .from(reviews)
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .leftJoin(integrationKeys, eq(integrationKeys.integrationId, reviews.integrationId))
      .where(
        and(
          eq(reviews.id, review),
          or(
            eq(integrationKeys.issuedBy, operatorId),
            entityId === null ? undefined : eq(evaluationSessions.entityId, entityId),
          ),
        ),
      )
      .limit(1)
      .get() !== undefined;

  /** The statements of a filter. Which fields it has makes their text; building that text costs more than running it. */
  function prepareList(filter: ReviewFilter, names: string[]) {
    const where = matching(filter);
    const page = select(where)
      .orderBy(desc(reviews.id))
      .limit(placeholder('limit'))
      .offset(placeholder('offset'));
    const total = { total: count() };
    const counted = db
      .select(total)
      .from(reviews)
      .innerJoin(integrations, eq(integrations.id, reviews.integrationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId));
    // Joined only for the filters that read them: a count looks at every row that is left.
    if (filter.severity !== undefined)
      counted.innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId));
    if (filter.assignee !== undefined)
      counted.leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id));
    return {
      page: prepareHotRead<Row, Value[]>(client, columns, page, [
        ...times('mostBytes'),
        ...names,
        'limit',
        'offset',
      ]),
      total: prepareHotRead<{ total: number }, Value[]>(client, total, counted.where(where), names),
    };
  }
  const prepared = new Map<string, ReturnType<typeof prepareList>>();
  function listOf(filter: ReviewFilter, names: string[]): ReturnType<typeof prepareList> {
    const form = `${filter.status} ${filter.assignee === null} ${names}`;
    let list = prepared.get(form);
    if (!list) {
      list = prepareList(filter, names);
      prepared.set(form, list);
    }
    return list;
  }

  const store: ReviewStore = {
    find: (integrationId, id, now) =>
      read(() => {
        const row = find(id);
        const isTheirs = integrationId === null || row?.integrationId === integrationId;
        if (!row || !isTheirs) return null;
        const review = toStored(row, now);
        if (review.status === 'PENDING') review.whole = wholeOf(row);
        return review;
      }),

    list: (filter, page, now, most) =>
      read(() => {
        const values = valuesOf(filter, now);
        const list = listOf(filter, Object.keys(values));
        const of = Object.values(values);
        return {
          items: list.page
            .all(...times(most), ...of, page.size, offsetOf(page))
            .map((row) => ({ ...toStored(row, now), omitted: namesIn(row.omitted) })),
          total: list.total.get(...of)?.total ?? 0,
        };
      }),

    decide: (
      id,
      {
        status,
        decidedBy,
        groups = [],
        requester = null,
        comment,
        reason = null,
        evaluationRunId = null,
        fourEyes = false,
        now,
      },
      callback,
      event,
    ) =>
      writer.run(() => {
        const row = find(id);
        if (!row) return 'no_review';
        const before = reviewStatusAt(row, now);
        if (before !== 'PENDING') return { notPending: toStored(row, now) };
        const seen = evaluationRunId?.toLowerCase() ?? row.evaluationRunId;
        if (seen !== row.evaluationRunId) return 'other_evaluation';
        if (status === 'APPROVED') {
          const { terms, violations } = toStored(row, now);
          if (requester && (fourEyes || terms.notRequester) && mayHaveRequested(row.row, requester))
            return 'own_request';
          const one = { operatorId: decidedBy, groups, findings: findingsHolding(violations) };
          const result = withApproval(terms, approvals.of(row.row), one);
          if (result === 'not_in_group' || result === 'already_approved') return result;
          approvals.add(row.row, one, comment, now);
          if (result === 'more_needed') {
            const { evaluationRunId: evaluationId, expiresAt } = row;
            const given = { id: row.id, at: now, evaluationId, decidedBy, comment, expiresAt };
            entries.addDecision(row, { ...given, status: 'APPROVED_IN_PART' });
            return toStored(find(id) as Row, now);
          }
        }
        db.update(reviews)
          .set({
            status,
            decidedBy,
            comment,
            decidedAt: now,
            expiresAt: now + row.expirySeconds * 1_000,
          })
          .where(and(eq(reviews.id, row.row), eq(reviews.status, 'PENDING')))
          .run();
        if (reason !== null) {
          db.insert(reviewHandling)
            .values({ reviewId: row.row, reason })
            .onConflictDoUpdate({ target: reviewHandling.reviewId, set: { reason } })
            .run();
        }
        contents.settle(row.row, row.callbackUrl !== null);
        const decided = toStored(find(id) as Row, now);
        if (event) eventLog.append(event(decided));
        entries.addDecision(row, {
          id: row.id,
          at: now,
          status,
          evaluationId: row.evaluationRunId,
          decidedBy,
          comment,
          expiresAt: decided.expiresAt,
        });
        if (decided.callbackUrl === null) return decided;
        const { id: uid, body } = callback(decided);
        db.insert(callbacks)
          .values({ uid, reviewId: row.row, body, attemptCount: 0, nextAttemptAt: now })
          .run();
        return toStored(find(id) as Row, now);
      }),

    async forgetExpired(now, event) {
      const nextExpiry = await read(contents.findNextExpiry);
      if (nextExpiry === null || nextExpiry > now) return;
      const tell = (row: number): void => {
        const expired = event && byRow.get(...times(Number.MAX_SAFE_INTEGER), row);
        if (expired) eventLog.append(event(toStored(expired, now)));
      };
      while (await writer.run(() => contents.forgetExpired(now, tell)));
    },
  };
  const findStored = (id: string, now: number): StoredReview | null => {
    const row = find(id);
    return row ? toStored(row, now) : null;
  };
  return { reviews: store, findStored };
}

/** The condition of a filter that has these fields, with the placeholders of `valuesOf`. */
function matching(filter: ReviewFilter): SQL | undefined {
  const { status, sessionId, integrationId, tool, severity, assignee, from, to } = filter;
  const { placeholder } = sql;
  return and(
    integrationId === undefined ? undefined : eq(integrations.uid, placeholder('integrationId')),
    sessionId === undefined ? undefined : eq(evaluationSessions.uid, placeholder('sessionId')),
    status === undefined ? undefined : havingStatus(status),
    tool === undefined ? undefined : eq(reviews.tool, placeholder('tool')),
    severity === undefined ? undefined : eq(evaluations.severity, placeholder('severity')),
    assignee === undefined
      ? undefined
      : assignee === null
        ? isNull(reviewHandling.assignee)
        : eq(reviewHandling.assignee, placeholder('assignee')),
    from === undefined ? undefined : gte(reviews.createdAt, placeholder('from')),
    to === undefined ? undefined : lt(reviews.createdAt, placeholder('to')),
  );
}

/** In the order of the placeholders. */
function valuesOf(filter: ReviewFilter, now: number): Record<string, Value> {
  const { status, sessionId, integrationId, tool, severity, assignee, from, to } = filter;
  return {
    ...(integrationId !== undefined && { integrationId }),
    ...(sessionId !== undefined && { sessionId: sessionId.toLowerCase() }),
    ...(status !== undefined && status !== 'EXPIRED' && { status }),
    ...(status !== undefined && timed.has(status) && { now }),
    ...(tool !== undefined && { tool }),
    ...(severity !== undefined && { severity }),
    ...(typeof assignee === 'string' && { assignee: assignee.toLowerCase() }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

/** What these say of a review depends on when it is asked. */
const timed: ReadonlySet<ReviewStatus> = new Set(['PENDING', 'APPROVED', 'EXPIRED']);

function havingStatus(status: ReviewStatus): SQL | undefined {
  const { placeholder } = sql;
  const now = placeholder('now');
  if (status === 'EXPIRED') {
    return and(sql`${reviews.status} IN ('PENDING', 'APPROVED')`, lte(reviews.expiresAt, now));
  }
  const kept = eq(reviews.status, placeholder('status'));
  return timed.has(status) ? and(kept, gt(reviews.expiresAt, now)) : kept;
}
