import { and, asc, eq, isNotNull, lte, notInArray, sql } from 'drizzle-orm';
import type { CallbackStore } from '../callbacks.ts';
import type { Sqlite } from './database.ts';
import type { ReviewContents } from './review-contents.ts';
import { callbacks, integrations, reviewContents, reviews } from './tables.ts';

export function createCallbacks({ db, writer, read }: Sqlite, contents: ReviewContents): CallbackStore {
  const change = (id: string, set: Partial<typeof callbacks.$inferInsert>) =>
    writer.run(() => {
      const attempted = db
        .update(callbacks)
        .set({ ...set, attemptCount: sql`${callbacks.attemptCount} + 1` })
        .where(eq(callbacks.uid, id))
        .returning({ reviewId: callbacks.reviewId, nextAttemptAt: callbacks.nextAttemptAt })
        .get();
      if (attempted && attempted.nextAttemptAt === null) contents.forget(attempted.reviewId);
    });

  const listDue = (now: number, limit: number, without: readonly string[]) =>
    db
      .select({
        id: callbacks.uid,
        integrationId: integrations.id,
        url: sql<string>`${reviewContents.callbackUrl}`,
        webhookSecret: integrations.webhookSecret,
        body: callbacks.body,
        attemptCount: callbacks.attemptCount,
      })
      .from(callbacks)
      .innerJoin(reviews, eq(reviews.id, callbacks.reviewId))
      .innerJoin(reviewContents, eq(reviewContents.reviewId, callbacks.reviewId))
      .innerJoin(integrations, eq(integrations.row, reviews.integrationId))
      .where(
        and(
          isNotNull(callbacks.nextAttemptAt),
          lte(callbacks.nextAttemptAt, now),
          notInArray(integrations.id, [...without]),
        ),
      )
      .orderBy(asc(callbacks.nextAttemptAt))
      .limit(limit)
      .all();
  const putOff = (id: string, nextAttemptAt: number) =>
    db.update(callbacks).set({ nextAttemptAt }).where(eq(callbacks.uid, id)).run();

  return {
    claimDue: (now, limit, until, without = []) =>
      writer.run(() => {
        const due = listDue(now, limit, without);
        for (const { id } of due) putOff(id, until);
        return due;
      }),
    release: (id, now) => writer.run(() => void putOff(id, now)),

    findNextAttemptAt: () =>
      read(
        () =>
          db
            .select({ at: callbacks.nextAttemptAt })
            .from(callbacks)
            .where(isNotNull(callbacks.nextAttemptAt))
            .orderBy(asc(callbacks.nextAttemptAt))
            .limit(1)
            .get()?.at ?? null,
      ),

    recordDelivered: (id, now) => change(id, { deliveredAt: now, nextAttemptAt: null, lastError: null }),
    recordFailed: (id, lastError, nextAttemptAt) => change(id, { lastError, nextAttemptAt }),
  };
}
