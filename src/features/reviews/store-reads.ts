import { and, count, desc, eq, gt, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { type AnySQLiteColumn, alias } from 'drizzle-orm/sqlite-core';
import { keyOf, uidOf } from '../../sql/hot-tables.ts';
import { all, type Db, type Dialect, prepared, type Sql, type Step } from '../../sql/steps.ts';
import { namesIn, narrow, tooWide } from '../../sql/wide-texts.ts';
import { mostCounted, offsetOf } from '../../store/pages.ts';
import { type LoadedReview, toStoredReview } from '../../store/review-decisions.ts';
import type { ReviewFilter, ReviewQueueStore, ReviewStore } from '../../store/reviews.ts';
import type { ReviewStatus } from './schema.ts';

/** A review as it is read for a decision. `key` is that of its row. */
export interface ReviewRow extends LoadedReview {
  key: number;
  /** Names of the texts that a list leaves out. */
  omitted: string;
}

export type ReviewRows = ReturnType<typeof createReviewRows>;

/** Reads of whole reviews. */
export function createReviewRows({ hot, tables, isOperator, jsonList, keysAreInOrder }: Dialect) {
  const { callbacks, evaluations, evaluationSessions, grants, reviewContents, reviewHandling, reviews } = hot;
  const { integrations, operators } = tables;
  const assignees = alias(operators, 'assignees');
  const { input, targetKey, targetMetadata, violations } = evaluations;
  const approvals = jsonList(
    sql`'operatorId', a.operator_id, 'operatorName', o.name, 'comment', a.comment, 'createdAt', a.created_at`,
    sql`a.created_at, a.operator_id`,
    sql`review_approvals a LEFT JOIN operators o ON ${isOperator(sql`a.operator_id`, { id: sql`o.id` })}
      WHERE a.review_id = ${reviews.id}`,
  );
  const granted = jsonList(
    sql`'expiresAt', g.expires_at, 'offer', g.offer,
      'usedCount', (SELECT count(*) FROM grant_uses u WHERE u.grant_id = g.id)`,
    keysAreInOrder ? sql`g.id` : sql`g.place`,
    sql`${grants} g WHERE g.review_id = ${reviews.id}`,
  );
  const columns = {
    key: reviews.id,
    id: uidOf(reviews),
    status: reviews.status,
    integrationId: integrations.id,
    sessionId: uidOf(evaluationSessions),
    evaluationRunId: uidOf(evaluations),
    tool: reviews.tool,
    inputHash: reviews.inputHash,
    shownTool: reviews.shownTool,
    targetKey: sql<string | null>`${targetKey}`,
    targetMetadata: sql<string | null>`${targetMetadata}`,
    correlationId: evaluations.correlationId,
    cost: evaluations.cost,
    identity: evaluations.identity,
    severity: evaluations.severity,
    violations: sql<string | null>`${violations}`,
    dataTags: evaluations.dataTags,
    input: sql<string | null>`${input}`,
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
    endsWithSession: reviews.endsWithSession,
    sessionExpiresAt: evaluationSessions.expiresAt,
    expirySeconds: reviews.expirySeconds,
    decidedAt: reviews.decidedAt,
    consumedAt: reviews.consumedAt,
    callbackUrl: reviews.callbackUrl,
    terms: reviews.terms,
    approvals,
    offers: reviews.grants,
    granted,
    attemptCount: callbacks.attemptCount,
    nextAttemptAt: callbacks.nextAttemptAt,
    deliveredAt: callbacks.deliveredAt,
    lastError: callbacks.lastError,
    omitted: sql<string>`''`,
  };

  /** In a list: of what the evaluation keeps, masked as the reviewer sees it while the review is PENDING. */
  const maskedOr = (held: AnySQLiteColumn, kept: AnySQLiteColumn) =>
    sql<
      string | null
    >`CASE WHEN ${isMasked} AND ${kept} IS NOT NULL THEN coalesce(${held}, ${kept}) ELSE ${kept} END`;
  const { isMasked } = reviewContents;
  const mostBytes = sql.placeholder('mostBytes');
  const wide = {
    input: maskedOr(reviewContents.input, input),
    targetMetadata: maskedOr(reviewContents.targetMetadata, targetMetadata),
    violations,
  };
  const listedColumns: typeof columns = {
    ...columns,
    targetKey: maskedOr(reviewContents.targetKey, targetKey),
    targetMetadata: narrow<string>(wide.targetMetadata, mostBytes),
    violations: narrow<string>(wide.violations, mostBytes),
    input: narrow<string>(wide.input, mostBytes),
    omitted: tooWide(wide, mostBytes),
  };

  const selectColumns = (db: Db, chosen: typeof columns, where: SQL | undefined) =>
    db
      .select(chosen)
      .from(reviews)
      .innerJoin(integrations, eq(keyOf(integrations), reviews.integrationId))
      .innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .leftJoin(callbacks, eq(callbacks.reviewId, reviews.id))
      .leftJoin(operators, isOperator(reviews.decidedBy))
      .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
      .leftJoin(assignees, isOperator(reviewHandling.assignee, assignees))
      .where(where)
      .$dynamic();

  const byId = (db: Db) => selectColumns(db, columns, eq(uidOf(reviews), sql.placeholder('id')));
  return {
    *find(db: Db, id: string): Step<ReviewRow | null> {
      return (yield* prepared<ReviewRow>(db, byId, { id: id.toLowerCase() }))[0] ?? null;
    },

    select: (db: Db, where: SQL | undefined): Step<ReviewRow[]> =>
      all<ReviewRow>(selectColumns(db, columns, where)),

    /** With the placeholder `mostBytes`: wider texts are left out without being read. */
    selectListed: (db: Db, where: SQL | undefined) =>
      selectColumns(db, listedColumns, where).leftJoin(
        reviewContents,
        eq(reviewContents.reviewId, reviews.id),
      ),
  };
}

/** Lists by a filter, newest first. */
export function createReviewLists(
  { hot, tables, read, keysAreInOrder }: Sql,
  { selectListed }: Pick<ReviewRows, 'selectListed'>,
): Pick<ReviewStore, 'list'> {
  const { reviews } = hot;
  const matching = createMatching(hot, tables);
  const { placeholder } = sql;

  /** The statements of a filter: which fields it has makes their text. */
  function statementsOf(filter: ReviewFilter) {
    const where = matching(filter);
    const hasTime = filter.from !== undefined || filter.to !== undefined;
    // In the order of the index by time, SQLite finds a page without looking at all reviews of that time.
    const newestFirst =
      keysAreInOrder && !hasTime ? [desc(reviews.id)] : [desc(reviews.createdAt), desc(reviews.id)];
    // The parts that a page shows are read for its reviews alone.
    const page = (db: Db) => {
      const found = db
        .select({ key: reviews.id })
        .from(reviews)
        .where(where)
        .orderBy(...newestFirst)
        .limit(placeholder('limit'))
        .offset(placeholder('offset'));
      return selectListed(db, inArray(reviews.id, found)).orderBy(...newestFirst);
    };
    const total = (db: Db) => {
      const found = db
        .select({ one: sql<number>`1`.as('one') })
        .from(reviews)
        .where(where)
        .limit(placeholder('most'))
        .as('counted');
      return db.select({ total: count() }).from(found);
    };
    return { page, total };
  }
  const known = new Map<string, ReturnType<typeof statementsOf>>();
  function knownOf(filter: ReviewFilter, names: string[]): ReturnType<typeof statementsOf> {
    const form = `${filter.status} ${filter.assignee === null} ${names}`;
    const statements = known.get(form) ?? statementsOf(filter);
    known.set(form, statements);
    return statements;
  }

  return {
    list: (filter, page, now, mostBytes) =>
      read(function* (db) {
        const values = valuesOf(filter, now);
        const statements = knownOf(filter, Object.keys(values));
        const of = { ...values, mostBytes, limit: page.size, offset: offsetOf(page) };
        const rows = yield* prepared<ReviewRow>(db, statements.page, of);
        const [counted] = yield* prepared(db, statements.total, { ...values, most: mostCounted + 1 });
        return {
          items: rows.map((row) => ({ ...toStoredReview(row, now), omitted: namesIn(row.omitted) })),
          total: counted?.total ?? 0,
        };
      }),
  };
}

/**
 * Makes the condition of a filter that has these fields, with the placeholders of `valuesOf`. It reads other tables by subqueries
 * only, so that a count joins none.
 */
function createMatching(
  { evaluations, evaluationSessions, reviewHandling, reviews }: Sql['hot'],
  { integrations }: Sql['tables'],
): (filter: ReviewFilter) => SQL | undefined {
  const { placeholder } = sql;
  const { reviewId, assignee: assignedTo } = reviewHandling;
  const ofAssignee = (assignee: string | null): SQL =>
    assignee === null
      ? sql`NOT EXISTS (SELECT 1 FROM ${reviewHandling} WHERE ${reviewId} = ${reviews.id} AND ${assignedTo} IS NOT NULL)`
      : sql`${reviews.id} IN (SELECT ${reviewId} FROM ${reviewHandling} WHERE ${assignedTo} = ${placeholder('assignee')})`;

  /** Some statuses depend on when they are asked for. */
  function havingStatus(status: ReviewStatus): SQL | undefined {
    const now = placeholder('now');
    const endedWithSession = sql`(${reviews.status} = 'PENDING' AND ${reviews.endsWithSession})`;
    if (status === 'EXPIRED') {
      // Most reviews are of these: an expression instead of the column has them read from the newest on, instead of all sorted.
      return and(
        sql`(${reviews.status} || '') IN ('PENDING', 'APPROVED')`,
        lte(reviews.expiresAt, now),
        sql`NOT ${endedWithSession}`,
      );
    }
    if (status === 'CANCELLED')
      return or(eq(reviews.status, 'CANCELLED'), and(endedWithSession, lte(reviews.expiresAt, now)));
    const kept = eq(reviews.status, placeholder('status'));
    return timed.has(status) ? and(kept, gt(reviews.expiresAt, now)) : kept;
  }

  return ({ status, sessionId, integrationId, tool, severity, assignee, from, to }) =>
    and(
      integrationId === undefined
        ? undefined
        : sql`${reviews.integrationId} = (SELECT ${keyOf(integrations)} FROM ${integrations}
            WHERE ${integrations.id} = ${placeholder('integrationId')})`,
      sessionId === undefined
        ? undefined
        : sql`${reviews.sessionId} = (SELECT ${evaluationSessions.id} FROM ${evaluationSessions}
            WHERE ${uidOf(evaluationSessions)} = ${placeholder('sessionId')})`,
      status === undefined ? undefined : havingStatus(status),
      tool === undefined ? undefined : eq(reviews.tool, placeholder('tool')),
      severity === undefined
        ? undefined
        : sql`(SELECT ${evaluations.severity} FROM ${evaluations} WHERE ${evaluations.id} = ${reviews.evaluationId})
            = ${placeholder('severity')}`,
      assignee === undefined ? undefined : ofAssignee(assignee),
      from === undefined ? undefined : gte(reviews.createdAt, placeholder('from')),
      to === undefined ? undefined : lt(reviews.createdAt, placeholder('to')),
    );
}

const timed: ReadonlySet<ReviewStatus> = new Set(['PENDING', 'APPROVED', 'EXPIRED', 'CANCELLED']);

function valuesOf(filter: ReviewFilter, now: number): Record<string, string | number> {
  const { status, sessionId, integrationId, tool, severity, assignee, from, to } = filter;
  return {
    ...(integrationId !== undefined && { integrationId: integrationId.toLowerCase() }),
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

export function createReviewStats({
  hot,
  tables,
  read,
  keysAreInOrder,
}: Sql): Pick<ReviewQueueStore, 'stats'> {
  const { reviewHandling, reviews } = hot;
  const { integrations } = tables;
  const { placeholder } = sql;

  function counts(db: Db, where: SQL | undefined) {
    const { id, status, createdAt, expiresAt, endsWithSession, decidedAt } = reviews;
    const from = gte(createdAt, placeholder('from'));
    // No more rows are read than are counted, and each of them once: on SQLite, the newest are the last rows.
    const newest = db
      .select({ id, status, createdAt, expiresAt, endsWithSession, decidedAt })
      .from(reviews)
      .where(and(where, keysAreInOrder ? undefined : from))
      .orderBy(...(keysAreInOrder ? [] : [desc(createdAt)]), desc(id))
      .limit(placeholder('most'))
      .as('newest');
    const counted = (where: SQL) => sql<number>`CAST(count(*) FILTER (WHERE ${where}) AS integer)`;
    const isPending = sql`${newest.status} = 'PENDING'`;
    const isOver = and(isPending, lte(newest.expiresAt, placeholder('now')));
    const expired = sql`${isOver} AND NOT ${newest.endsWithSession}`;
    return db
      .select({
        reviewCount: counted(sql`1 = 1`),
        pendingCount: counted(sql`${isPending} AND ${gt(newest.expiresAt, placeholder('now'))}`),
        approvedCount: counted(sql`${newest.status} IN ('APPROVED', 'CONSUMED')`),
        rejectedCount: counted(sql`${newest.status} = 'REJECTED'`),
        cancelledCount: counted(
          sql`${newest.status} = 'CANCELLED' OR ${isOver} AND ${newest.endsWithSession}`,
        ),
        expiredCount: counted(expired),
        expiredUnseenCount: counted(sql`${expired} AND NOT EXISTS (SELECT 1 FROM ${reviewHandling}
          WHERE ${reviewHandling.reviewId} = ${newest.id} AND ${reviewHandling.seenAt} IS NOT NULL)`),
        decisionTimes: sql<
          string | null
        >`string_agg(CAST(${newest.decidedAt} - ${newest.createdAt} AS text), ',')
          FILTER (WHERE ${newest.decidedAt} IS NOT NULL)`,
      })
      .from(newest)
      .where(gte(newest.createdAt, placeholder('from')));
  }
  const ofAll = (db: Db) => counts(db, undefined);
  const ofIntegration = (db: Db) =>
    counts(
      db,
      sql`${reviews.integrationId} = (SELECT ${keyOf(integrations)} FROM ${integrations}
        WHERE ${integrations.id} = ${placeholder('integrationId')})`,
    );

  return {
    stats: (integrationId, from, now, most) =>
      read(function* (db) {
        const [found] = yield* integrationId === null
          ? prepared(db, ofAll, { from, now, most })
          : prepared(db, ofIntegration, { from, now, most, integrationId: integrationId.toLowerCase() });
        if (!found) throw new Error('a count has no row');
        const { decisionTimes, ...counts } = found;
        return {
          ...counts,
          decisionTimesMs: decisionTimes === null ? [] : decisionTimes.split(',').map(Number),
        };
      }),
  };
}
