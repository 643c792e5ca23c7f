import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { RecordedDecision } from '../../record/review-entry.ts';
import type { GrantOffer } from '../../schemas/review-terms.ts';
import { keyOf, uidOf, withUid } from '../../sql/hot-tables.ts';
import { all, type Db, first, prepared, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import { offsetOf } from '../../store/pages.ts';
import {
  asksForRequester,
  cancellationEntry,
  type GivenApproval,
  type SettledDecision,
  settleDecision,
  toStoredReview,
} from '../../store/review-decisions.ts';
import {
  type CountRejection,
  type Queued,
  type QueueEvent,
  type Requester,
  type ReviewCancelling,
  type ReviewDecision,
  type ReviewQueueStore,
  type ReviewStore,
  reviewStatusAt,
  type StoredReview,
  type WholeContent,
} from '../../store/reviews.ts';
import { parseList } from '../../store/rows.ts';
import type { NewEvent } from '../events/store.ts';
import {
  createReviewLists,
  createReviewRows,
  createReviewStats,
  type ReviewRow,
  type ReviewRows,
} from './store-reads.ts';

/** Whose review it is: what never changes of it. */
export interface ReviewOwner {
  integrationId: string;
  sessionId: string | null;
}

export interface LoadedDecision {
  row: ReviewRow;
  settled: SettledDecision;
  /** Null unless the decision rejects the review. */
  rejection: { rejectionCounts: string | null } | null;
}

/** The tables that reviews share with evaluations, which each database handles in its own way. The steps run inside a change. */
export interface ReviewDatabase {
  /** Locks a review, after what an evaluation locks before it. What is read of it then stays until the end of the change. */
  lock(db: Db, id: string): Step<unknown>;
  /**
   * Runs one decision as one change: `load` under the locks, then the count of a rejection in its session and counters, then
   * `write`. Null when there is no such review.
   */
  decide<Result>(
    id: string,
    counting: { at: number; count: CountRejection | undefined },
    load: (db: Db) => Step<LoadedDecision | null>,
    write: (db: Db, loaded: LoadedDecision) => Step<Result>,
  ): Promise<Result | null>;
  append(db: Db, event: NewEvent): Step<void>;
  /** Adds a decision to the chain that the held action is in. */
  addDecision(db: Db, owner: ReviewOwner, decision: RecordedDecision): Step<void>;
  giveGrants(
    db: Db,
    review: { id: string; key: number; sessionId: string; dataTags: readonly string[] },
    offers: readonly GrantOffer[],
    at: number,
  ): Step<void>;
  /** Takes back those of the session that are for the same as one of these, and returns their ids. */
  takeBackGrants(db: Db, sessionId: string, offers: readonly GrantOffer[], at: number): Step<string[]>;
  /** Runs steps that delete content, and has it overwritten. */
  erase(steps: Step<void>): Step<void>;
}

/** Reviews whose content is deleted in one go: each may hold a megabyte. */
const forgottenAtOnce = 8;
/** Reminders that are looked for at once. */
const remindedAtOnce = 100;

/**
 * `sql` records what operators decide; `background` does what time does to reviews, and `ordinary` what else is recorded nowhere.
 */
export function createReviewStores(
  { sql: database, background, ordinary }: { sql: Sql; background: Sql; ordinary: Sql },
  host: ReviewDatabase,
): { reviews: ReviewStore; reviewQueue: ReviewQueueStore } {
  const { reviews, reviewComments, reviewContents, reviewHandling, evaluationSessions } = database.hot;
  const rows = createReviewRows(database);
  const contents = createReviewContents(database, host);
  const lists = createReviewLists(database, rows);
  const decisions = createReviewDecisions(database, rows, contents, host);
  const { find } = rows;
  const uid = uidOf(reviews);

  function* found(db: Db, id: string, now: number): Step<StoredReview> {
    const row = yield* find(db, id);
    if (!row) throw new Error('a review that was locked is missing');
    return toStoredReview(row, now);
  }

  function* wholeOf(db: Db, { key, input, targetKey, targetMetadata }: ReviewRow): Step<WholeContent> {
    const held = yield* contents.find(db, key);
    return {
      input: held?.input ?? input,
      targetKey: held?.targetKey ?? targetKey,
      targetMetadata: held?.targetMetadata ?? targetMetadata,
      isMasked: Boolean(held?.isMasked),
    };
  }

  /** Whoever deletes the content tells of the expiry: over all replicas, one does. */
  function* forgetOne(
    db: Db,
    id: string,
    now: number,
    event: Parameters<ReviewStore['forgetExpired']>[1],
    cancelling: ReviewCancelling | undefined,
  ): Step<void> {
    yield* host.lock(db, id);
    const row = yield* find(db, id);
    if (!row) throw new Error('a review that was locked is missing');
    const forgetAt = (yield* contents.find(db, row.key))?.forgetAt ?? null;
    // Another replica was first, or it was decided, held again or put off meanwhile.
    if (forgetAt === null || forgetAt > now) return;
    const expired = toStoredReview(row, now);
    if (expired.status === 'CANCELLED')
      return yield* cancelReview(database, host, { db, row, now, cancelling });
    yield* contents.forget(db, row.key);
    if (event) yield* host.append(db, event(expired));
  }

  const reviewStore: ReviewStore = {
    find: (integrationId, id, now) =>
      database.read(function* (db) {
        const row = yield* find(db, id);
        if (!row || (integrationId !== null && row.integrationId !== integrationId)) return null;
        const review = toStoredReview(row, now);
        if (review.status === 'PENDING') review.whole = yield* wholeOf(db, row);
        return review;
      }),

    ...lists,
    ...decisions,

    async forgetExpired(now, event, cancelling) {
      for (;;) {
        const ids = await background.read((db) => contents.listExpired(db, now, forgottenAtOnce));
        for (const id of ids) await background.change((db) => forgetOne(db, id, now, event, cancelling));
        if (ids.length < forgottenAtOnce) return;
      }
    },
  };

  function* rowOf(db: Db, id: string) {
    return yield* first(
      db
        .select({
          key: reviews.id,
          createdAt: reviews.createdAt,
          expiresAt: reviews.expiresAt,
          endsWithSession: reviews.endsWithSession,
          sessionExpiresAt: evaluationSessions.expiresAt,
          status: reviews.status,
          assignee: reviewHandling.assignee,
          remindedAt: reviewHandling.remindedAt,
        })
        .from(reviews)
        .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
        .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
        .where(eq(uid, id.toLowerCase())),
    );
  }
  type Row = NonNullable<ReturnType<typeof rowOf> extends Step<infer T> ? T : never>;

  const handle = (db: Db, reviewId: number, set: Partial<typeof reviewHandling.$inferInsert>): Step<void> =>
    run(
      db
        .insert(reviewHandling)
        .values({ ...set, reviewId })
        .onConflictDoUpdate({ target: reviewHandling.reviewId, set }),
    );
  /** Only the first time counts. */
  const see = (db: Db, reviewId: number, seenAt: number): Step<void> =>
    run(
      db
        .insert(reviewHandling)
        .values({ reviewId, seenAt })
        .onConflictDoUpdate({
          target: reviewHandling.reviewId,
          set: { seenAt: sql`coalesce(${reviewHandling.seenAt}, ${seenAt})` },
        }),
    );

  /** Changes a PENDING review and tells of it. `make` returns a refusal, or whether anything changed. */
  const changing = <Refusal extends string | object>(
    id: string,
    now: number,
    event: QueueEvent,
    make: (db: Db, row: Row) => Step<Refusal | boolean>,
  ): Promise<Queued | Refusal> =>
    database.change(function* (db): Step<Queued | Refusal> {
      yield* host.lock(db, id);
      const row = yield* rowOf(db, id);
      if (!row) return 'no_review';
      if (reviewStatusAt(row, now) !== 'PENDING') return { notPending: yield* found(db, id, now) };
      const result = yield* make(db, row);
      if (typeof result !== 'boolean') return result;
      const changed = yield* found(db, id, now);
      if (result) yield* host.append(db, event(changed));
      return changed;
    });

  const reviewQueue: ReviewQueueStore = {
    ...createReviewStats(database),

    claim: (id, operatorId, now, event) =>
      changing(id, now, event, function* (db, { key, assignee }) {
        if (assignee === operatorId) return false;
        if (assignee !== null) return { assignedTo: yield* found(db, id, now) };
        yield* handle(db, key, { assignee: operatorId, assignedAt: now });
        yield* see(db, key, now);
        return true;
      }),

    release: (id, { operatorId, anybodys }, now, event) =>
      changing(id, now, event, function* (db, { key, assignee }) {
        if (assignee === null) return false;
        if (assignee !== operatorId && !anybodys) return { assignedTo: yield* found(db, id, now) };
        yield* handle(db, key, { assignee: null, assignedAt: null });
        return true;
      }),

    comment: (id, { id: commentId, author, text, createdAt }, event) =>
      database.change(function* (db) {
        const row = yield* rowOf(db, id);
        if (!row) return 'no_review';
        const comment = { ...withUid(reviewComments, commentId), reviewId: row.key, author, text, createdAt };
        yield* run(db.insert(reviewComments).values(comment));
        const review = yield* found(db, id, createdAt);
        yield* host.append(db, event(review));
        return review;
      }),

    listComments: (id, page) =>
      database.read(function* (db) {
        const row = yield* rowOf(db, id);
        if (!row) return null;
        const where = eq(reviewComments.reviewId, row.key);
        const { author, text, createdAt } = reviewComments;
        const { operators } = database.tables;
        const items = yield* all(
          db
            .select({ id: uidOf(reviewComments), author, authorName: operators.name, text, createdAt })
            .from(reviewComments)
            .leftJoin(operators, database.isOperator(author))
            .where(where)
            .orderBy(asc(createdAt), asc(reviewComments.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items, total: yield* totalOf(db, reviewComments, where) };
      }),

    extend: (id, { ms, longestMs }, now, event) =>
      changing(id, now, event, function* (db, { key, expiresAt, createdAt, sessionExpiresAt }) {
        const until = expiresAt + ms;
        if (until - createdAt > longestMs) return 'too_long' as const;
        if (until > (sessionExpiresAt ?? until)) return 'outlasts_session' as const;
        const endsWithSession = database.flag(until === sessionExpiresAt);
        yield* run(db.update(reviews).set({ expiresAt: until, endsWithSession }).where(eq(reviews.id, key)));
        yield* run(
          db
            .update(reviewContents)
            .set({ forgetAt: until })
            .where(and(eq(reviewContents.reviewId, key), isNotNull(reviewContents.forgetAt))),
        );
        yield* handle(db, key, { extendedAt: now, remindedAt: null });
        return true;
      }),

    recordSeen: (id, now) =>
      ordinary.change(function* (db) {
        const row = yield* rowOf(db, id);
        if (row) yield* see(db, row.key, now);
      }),

    async remindExpiring(now, within, event) {
      for (const { id } of await ordinary.look((db) => all(expiring(db, now, within))))
        await ordinary.change(function* (db) {
          yield* host.lock(db, id);
          const row = yield* rowOf(db, id);
          // Another replica was first, or it was decided meanwhile.
          if (!row || row.remindedAt !== null || reviewStatusAt(row, now) !== 'PENDING') return;
          yield* handle(db, row.key, { remindedAt: now });
          yield* host.append(db, event(yield* found(db, id, now)));
        });
    },
  };

  const expiring = (db: Db, now: number, within: number) =>
    db
      .select({ id: uid })
      .from(reviewContents)
      .innerJoin(reviews, eq(reviews.id, reviewContents.reviewId))
      .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
      .where(
        and(
          gt(reviewContents.forgetAt, now),
          lte(reviewContents.forgetAt, now + within),
          eq(reviews.status, 'PENDING'),
          isNull(reviewHandling.remindedAt),
          sql`(${reviews.expiresAt} - ${now}) * 2 <= ${reviews.expiresAt} - ${reviews.createdAt}`,
        ),
      )
      .orderBy(asc(reviews.id))
      .limit(remindedAtOnce);

  return { reviews: reviewStore, reviewQueue };
}

/** Content that is stored only as long as a reviewer or a callback needs it. */
export function createReviewContents(
  { hot: { reviews, reviewContents } }: Sql,
  { erase }: Pick<ReviewDatabase, 'erase'>,
) {
  const { input, targetKey, targetMetadata, isMasked, rejectionCounts, forgetAt } = reviewContents;
  const ofReview = (db: Db) =>
    db
      .select({ input, targetKey, targetMetadata, isMasked, rejectionCounts, forgetAt })
      .from(reviewContents)
      .where(eq(reviewContents.reviewId, sql.placeholder('key')));
  const forget = (db: Db, key: number): Step<void> =>
    erase(run(db.delete(reviewContents).where(eq(reviewContents.reviewId, key))));
  return {
    *find(db: Db, key: number) {
      return (yield* prepared(db, ofReview, { key }))[0] ?? null;
    },

    /** Deletes all of it. */
    forget,

    /** Deletes what only the reviewer needed; the callback URL stays when there is a callback to deliver. */
    settle(db: Db, key: number, hasCallback: boolean): Step<void> {
      if (!hasCallback) return forget(db, key);
      const none = {
        input: null,
        targetKey: null,
        targetMetadata: null,
        rejectionCounts: null,
        forgetAt: null,
      };
      return erase(run(db.update(reviewContents).set(none).where(eq(reviewContents.reviewId, key))));
    },

    /** Ids of some reviews that have expired at `now` and still have content, the first expired first. */
    *listExpired(db: Db, now: number, most: number): Step<string[]> {
      const expired = yield* all(
        db
          .select({ id: uidOf(reviews) })
          .from(reviewContents)
          .innerJoin(reviews, eq(reviews.id, reviewContents.reviewId))
          .where(and(isNotNull(forgetAt), lte(forgetAt, now)))
          .orderBy(asc(forgetAt), asc(reviewContents.reviewId))
          .limit(most),
      );
      return expired.map(({ id }) => id);
    },
  };
}

/** Cancels a PENDING review whose session is over. Runs inside a change that has locked it. */
export function* cancelReview(
  sql: Sql,
  host: Pick<ReviewDatabase, 'append' | 'addDecision' | 'erase'>,
  {
    db,
    row,
    now,
    cancelling,
  }: { db: Db; row: ReviewRow; now: number; cancelling: ReviewCancelling | undefined },
): Step<void> {
  const { reviews, callbacks } = sql.hot;
  const cancelled = toStoredReview({ ...row, status: 'CANCELLED' }, now);
  yield* run(db.update(reviews).set({ status: 'CANCELLED' }).where(eq(reviews.id, row.key)));
  const hasCallback = row.callbackUrl !== null && cancelling !== undefined;
  yield* createReviewContents(sql, host).settle(db, row.key, hasCallback);
  yield* host.addDecision(db, row, cancellationEntry(cancelled, now));
  if (!cancelling) return;
  yield* host.append(db, cancelling.event(cancelled));
  if (row.callbackUrl === null) return;
  const { id, body } = cancelling.callback(cancelled);
  const callback = {
    ...withUid(callbacks, id),
    reviewId: row.key,
    body,
    attemptCount: 0,
    nextAttemptAt: now,
  };
  yield* run(db.insert(callbacks).values(callback));
}

/** Whether the person has seen a key of the integration, replaced and expired ones included, or is the entity of the session. */
export const isRequester = (
  { hot: { evaluationSessions }, tables: { integrationKeys } }: Pick<Sql, 'hot' | 'tables'>,
  { operatorIds, entityId }: Requester,
): SQL | undefined =>
  or(
    inArray(integrationKeys.issuedBy, [...operatorIds]),
    entityId === null ? undefined : eq(evaluationSessions.entityId, entityId),
  );

/** The decisions of operators. */
function createReviewDecisions(
  database: Sql,
  { find }: Pick<ReviewRows, 'find'>,
  contents: ReturnType<typeof createReviewContents>,
  host: ReviewDatabase,
): Pick<ReviewStore, 'decide' | 'refusalOf'> {
  const { callbacks, evaluationSessions, reviewApprovals, reviewHandling, reviews } = database.hot;
  const { integrationKeys, integrations, operators } = database.tables;

  function* mayHaveRequested(db: Db, key: number, requester: Requester): Step<boolean> {
    const found = yield* first(
      db
        .select({ key: reviews.id })
        .from(reviews)
        .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
        .innerJoin(integrations, eq(keyOf(integrations), reviews.integrationId))
        .leftJoin(integrationKeys, eq(integrationKeys.integrationId, integrations.id))
        .where(and(eq(reviews.id, key), isRequester(database, requester)))
        .limit(1),
    );
    return found !== null;
  }

  /** The approvals of operators who are still ACTIVE: a DISABLED one may be an attacker. */
  function* approvalsOf(db: Db, key: number): Step<GivenApproval[]> {
    const { operatorId, groups, findings, once } = reviewApprovals;
    const given = yield* all(
      db
        .select({ operatorId, entityId: operators.entityId, groups, findings, once })
        .from(reviewApprovals)
        .innerJoin(operators, database.isOperator(operatorId))
        .where(and(eq(reviewApprovals.reviewId, key), eq(operators.status, 'ACTIVE'))),
    );
    return given.map((approval) => ({
      ...approval,
      groups: parseList(approval.groups),
      once: Boolean(approval.once),
    }));
  }

  /** In place of one that the operator gave to other findings. */
  function addApproval(
    db: Db,
    reviewId: number,
    { operatorId, groups, findings, once }: GivenApproval,
    { comment, now: createdAt }: ReviewDecision,
  ): Step<void> {
    const given = { groups: JSON.stringify(groups), findings, comment, createdAt, once: database.flag(once) };
    return run(
      db
        .insert(reviewApprovals)
        .values({ reviewId, operatorId, ...given })
        .onConflictDoUpdate({ target: [reviewApprovals.reviewId, reviewApprovals.operatorId], set: given }),
    );
  }

  function* setReason(db: Db, reviewId: number, { reason = null }: ReviewDecision): Step<void> {
    if (reason === null) return;
    yield* run(
      db
        .insert(reviewHandling)
        .values({ reviewId, reason })
        .onConflictDoUpdate({ target: reviewHandling.reviewId, set: { reason } }),
    );
  }

  /** Gives what an approval offers; a rejection takes the same back, and returns the grants that ended. */
  function* settleGrants(
    db: Db,
    { id, key, sessionId, dataTags }: ReviewRow,
    { status, now }: ReviewDecision,
    offers: readonly GrantOffer[],
  ): Step<string[]> {
    if (sessionId === null) return [];
    if (status === 'REJECTED') return yield* host.takeBackGrants(db, sessionId, offers, now);
    yield* host.giveGrants(db, { id, key, sessionId, dataTags: parseList(dataTags) }, offers, now);
    return [];
  }

  function* load(db: Db, id: string, decision: ReviewDecision): Step<LoadedDecision | null> {
    const row = yield* find(db, id);
    if (!row) return null;
    const { requester, status } = decision;
    const isTheirs =
      asksForRequester(row, decision) && !!requester && (yield* mayHaveRequested(db, row.key, requester));
    const settled = settleDecision(row, yield* approvalsOf(db, row.key), isTheirs, decision);
    if (settled.kind !== 'decided' || status !== 'REJECTED') return { row, settled, rejection: null };
    const { rejectionCounts = null } = (yield* contents.find(db, row.key)) ?? {};
    return { row, settled, rejection: { rejectionCounts } };
  }

  return {
    refusalOf: (id, decision) =>
      database.read(function* (db) {
        const settled = (yield* load(db, id, decision))?.settled;
        const result = settled?.kind === 'refused' ? settled.result : null;
        return typeof result !== 'string' || result === 'other_evaluation' ? null : result;
      }),

    async decide(id, decision, callback, { event, count } = {}) {
      const { now, comment, status, decidedBy } = decision;
      function* read(db: Db): Step<StoredReview> {
        return toStoredReview((yield* find(db, id)) as ReviewRow, now);
      }
      const decided = await host.decide(
        id,
        { at: now, count },
        (db) => load(db, id, decision),
        function* (db, { row, settled }) {
          if (settled.kind === 'refused') return settled.result;
          const { key } = row;
          const { approval, entry, offers } = settled;
          if (approval) yield* addApproval(db, key, approval, decision);
          if (settled.kind === 'kept') {
            yield* host.addDecision(db, row, entry);
            return yield* read(db);
          }
          const set = { status, decidedBy, comment, decidedAt: now, expiresAt: entry.expiresAt };
          yield* run(db.update(reviews).set(set).where(eq(reviews.id, key)));
          const grantsTakenBack = yield* settleGrants(db, row, decision, offers);
          yield* setReason(db, key, decision);
          yield* contents.settle(db, key, row.callbackUrl !== null);
          const review = yield* read(db);
          if (event) yield* host.append(db, event(review));
          yield* host.addDecision(db, row, { ...entry, grantsTakenBack });
          if (review.callbackUrl === null) return review;
          const { id: callbackId, body } = callback(review);
          const next = { reviewId: key, body, attemptCount: 0, nextAttemptAt: now };
          yield* run(db.insert(callbacks).values({ ...withUid(callbacks, callbackId), ...next }));
          return yield* read(db);
        },
      );
      return decided ?? 'no_review';
    },
  };
}
