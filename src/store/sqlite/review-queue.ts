import { and, asc, count, eq, sql } from 'drizzle-orm';
import { offsetOf } from '../pages.ts';
import type { Queued, QueueEvent, ReviewQueueStore } from '../review-queue.ts';
import { reviewStatusAt } from '../review-status.ts';
import type { StoredReview } from '../reviews.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import { createReviewStats } from './review-stats.ts';
import {
  evaluationSessions,
  operators,
  reviewComments,
  reviewContents,
  reviewHandling,
  reviews,
} from './tables.ts';

/** Reminders that are written in one change. */
const remindedAtOnce = 100;

export function createReviewQueue(
  sqlite: Sqlite,
  ordinary: Sqlite,
  eventLog: Pick<EventLog, 'append'>,
  findReview: (id: string, now: number) => StoredReview | null,
): ReviewQueueStore {
  const { client, db, writer, read } = sqlite;
  const rowOf = (id: string) =>
    db
      .select({
        row: reviews.id,
        createdAt: reviews.createdAt,
        expiresAt: reviews.expiresAt,
        endsWithSession: reviews.endsWithSession,
        sessionExpiresAt: evaluationSessions.expiresAt,
        status: reviews.status,
        assignee: reviewHandling.assignee,
      })
      .from(reviews)
      .leftJoin(reviewHandling, eq(reviewHandling.reviewId, reviews.id))
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .where(eq(reviews.uid, id.toLowerCase()))
      .get();
  type Row = NonNullable<ReturnType<typeof rowOf>>;
  const handle = (reviewId: number, set: Partial<typeof reviewHandling.$inferInsert>): void =>
    void db
      .insert(reviewHandling)
      .values({ ...set, reviewId })
      .onConflictDoUpdate({ target: reviewHandling.reviewId, set })
      .run();
  /** Only the first time counts. */
  const see = (reviewId: number, seenAt: number): void =>
    void db
      .insert(reviewHandling)
      .values({ reviewId, seenAt })
      .onConflictDoUpdate({
        target: reviewHandling.reviewId,
        set: { seenAt: sql`coalesce(${reviewHandling.seenAt}, ${seenAt})` },
      })
      .run();
  const found = (id: string, now: number): StoredReview => findReview(id, now) as StoredReview;

  /** Changes a PENDING review and tells of it. `change` returns a refusal, or whether anything changed. */
  const changing = <Refusal extends string | object>(
    id: string,
    now: number,
    event: QueueEvent,
    change: (row: Row) => Refusal | boolean,
  ): Promise<Queued | Refusal> =>
    writer.run((): Queued | Refusal => {
      const row = rowOf(id);
      if (!row) return 'no_review';
      if (reviewStatusAt(row, now) !== 'PENDING') return { notPending: found(id, now) };
      const result = change(row);
      if (typeof result !== 'boolean') return result;
      const changed = found(id, now);
      if (result) eventLog.append(event(changed));
      return changed;
    });

  const expiring = client.prepare<
    [{ now: number; within: number; limit: number }],
    { row: number; uid: string }
  >(
    `SELECT r.id AS row, r.uid AS uid FROM review_contents c JOIN reviews r ON r.id = c.review_id
     LEFT JOIN review_handling h ON h.review_id = r.id
     WHERE c.forget_at IS NOT NULL AND c.forget_at > @now AND c.forget_at <= @now + @within AND r.status = 'PENDING'
       AND h.reminded_at IS NULL AND (r.expires_at - @now) * 2 <= r.expires_at - r.created_at
     LIMIT @limit`,
  );

  return {
    ...createReviewStats(sqlite),

    claim: (id, operatorId, now, event) =>
      changing(id, now, event, ({ row, assignee }) => {
        if (assignee === operatorId) return false;
        if (assignee !== null) return { assignedTo: found(id, now) };
        handle(row, { assignee: operatorId, assignedAt: now });
        see(row, now);
        return true;
      }),

    release: (id, operatorId, anybodys, now, event) =>
      changing(id, now, event, ({ row, assignee }) => {
        if (assignee === null) return false;
        if (assignee !== operatorId && !anybodys) return { assignedTo: found(id, now) };
        handle(row, { assignee: null, assignedAt: null });
        return true;
      }),

    comment: (id, comment, event) =>
      writer.run(() => {
        const row = rowOf(id);
        if (!row) return 'no_review';
        const { id: uid, author, text, createdAt } = comment;
        db.insert(reviewComments).values({ uid, reviewId: row.row, author, text, createdAt }).run();
        const review = found(id, createdAt);
        eventLog.append(event(review));
        return review;
      }),

    listComments: (id, page) =>
      read(() => {
        const row = rowOf(id);
        if (!row) return null;
        const where = eq(reviewComments.reviewId, row.row);
        const { uid, author, text, createdAt } = reviewComments;
        return {
          items: db
            .select({ id: uid, author, authorName: operators.name, text, createdAt })
            .from(reviewComments)
            .leftJoin(operators, eq(operators.id, author))
            .where(where)
            .orderBy(asc(reviewComments.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all(),
          total: db.select({ total: count() }).from(reviewComments).where(where).get()?.total ?? 0,
        };
      }),

    extend: (id, ms, longestMs, now, event) =>
      changing(id, now, event, ({ row, expiresAt, createdAt, sessionExpiresAt }) => {
        const until = expiresAt + ms;
        if (until - createdAt > longestMs) return 'too_long' as const;
        if (until > (sessionExpiresAt ?? until)) return 'outlasts_session' as const;
        const endsWithSession = until === sessionExpiresAt;
        db.update(reviews)
          .set({ expiresAt: until, endsWithSession: Number(endsWithSession) })
          .where(eq(reviews.id, row))
          .run();
        db.update(reviewContents)
          .set({ forgetAt: until })
          .where(and(eq(reviewContents.reviewId, row), sql`${reviewContents.forgetAt} IS NOT NULL`))
          .run();
        handle(row, { extendedAt: now, remindedAt: null });
        return true;
      }),

    recordSeen: (id, now) =>
      ordinary.writer.run(() => {
        const row = rowOf(id);
        if (row) see(row.row, now);
      }),

    async remindExpiring(now, within, event) {
      const due = () => expiring.all({ now, within, limit: remindedAtOnce });
      if ((await ordinary.look(due)).length === 0) return;
      await ordinary.writer.run(() => {
        for (const { row, uid } of due()) {
          handle(row, { remindedAt: now });
          eventLog.append(event(found(uid, now)));
        }
      });
    },
  };
}
