import { and, asc, eq, inArray, isNotNull, lte, notInArray, sql } from 'drizzle-orm';
import { keyOf, uidOf } from '../../sql/hot-tables.ts';
import { all, first, run, type Sql, type Step } from '../../sql/steps.ts';
import { createReviewContents, type ReviewDatabase } from './store.ts';

export interface DueCallback {
  id: string;
  integrationId: string;
  url: string;
  /** The secret of the review's integration. */
  webhookSecret: string;
  body: string;
  /** Attempts made before this one. */
  attemptCount: number;
}

export interface CallbackStore {
  /**
   * Callbacks whose next attempt is due at `now`, the longest waiting first, except those of the integrations `without`. In the
   * same step each is put off until `until`, so that no other process on the same data takes it too, and a process that
   * dies with it loses none.
   */
  claimDue(now: number, limit: number, until: number, without?: readonly string[]): Promise<DueCallback[]>;
  /** Gives a claim back: due at `now` again, and no attempt is counted. */
  release(id: string, now: number): Promise<void>;
  /** When the next attempt of any is due; null when none waits. */
  findNextAttemptAt(): Promise<number | null>;
  /** Deletes the address: it is stored only while it is needed. */
  recordDelivered(id: string, now: number): Promise<void>;
  /** `nextAttemptAt` null gives up, and deletes the address. */
  recordFailed(id: string, error: string, nextAttemptAt: number | null): Promise<void>;
}

/** `database` records nothing: nobody asks for an attempt. */
export function createCallbackStore(database: Sql, host: Pick<ReviewDatabase, 'erase'>): CallbackStore {
  const { callbacks, reviewContents, reviews } = database.hot;
  const { integrations } = database.tables;
  const contents = createReviewContents(database, host);
  const uid = uidOf(callbacks);
  const { nextAttemptAt } = callbacks;

  const recordAttempt = (id: string, set: Partial<typeof callbacks.$inferInsert>): Promise<void> =>
    database.change(function* (db): Step<void> {
      const attempted = yield* first(
        db
          .update(callbacks)
          .set({ ...set, attemptCount: sql`${callbacks.attemptCount} + 1` })
          .where(eq(uid, id))
          .returning({ reviewId: callbacks.reviewId, nextAttemptAt }),
      );
      if (attempted?.nextAttemptAt === null) yield* contents.forget(db, attempted.reviewId);
    });

  return {
    claimDue: (now, limit, until, without = []) =>
      database.change(function* (db) {
        const due = yield* all(
          database.lockFree(
            db
              .select({
                id: uid,
                integrationId: integrations.id,
                url: sql<string>`${reviewContents.callbackUrl}`,
                webhookSecret: integrations.webhookSecret,
                body: callbacks.body,
                attemptCount: callbacks.attemptCount,
              })
              .from(callbacks)
              .innerJoin(reviews, eq(reviews.id, callbacks.reviewId))
              .innerJoin(reviewContents, eq(reviewContents.reviewId, callbacks.reviewId))
              .innerJoin(integrations, eq(keyOf(integrations), reviews.integrationId))
              .where(
                and(
                  isNotNull(nextAttemptAt),
                  lte(nextAttemptAt, now),
                  notInArray(integrations.id, [...without]),
                ),
              )
              .orderBy(asc(nextAttemptAt), asc(callbacks.id))
              .limit(limit),
            callbacks,
          ),
        );
        const claimed = inArray(
          uid,
          due.map(({ id }) => id),
        );
        if (due.length > 0) yield* run(db.update(callbacks).set({ nextAttemptAt: until }).where(claimed));
        return due;
      }),

    release: (id, now) =>
      database.change((db) =>
        run(
          db
            .update(callbacks)
            .set({ nextAttemptAt: now })
            .where(and(eq(uid, id), isNotNull(nextAttemptAt))),
        ),
      ),

    findNextAttemptAt: () =>
      database.read(function* (db) {
        const next = db.select({ at: nextAttemptAt }).from(callbacks).where(isNotNull(nextAttemptAt));
        return (yield* first(next.orderBy(asc(nextAttemptAt)).limit(1)))?.at ?? null;
      }),

    recordDelivered: (id, now) =>
      recordAttempt(id, { deliveredAt: now, nextAttemptAt: null, lastError: null }),
    recordFailed: (id, lastError, nextAttemptAt) => recordAttempt(id, { lastError, nextAttemptAt }),
  };
}
