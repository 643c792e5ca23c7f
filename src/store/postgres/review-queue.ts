import { and, asc, count, eq, isNotNull, sql } from 'drizzle-orm';
import { offsetOf } from '../pages.ts';
import type { Queued, QueueEvent, ReviewQueueStore } from '../review-queue.ts';
import { reviewStatusAt } from '../review-status.ts';
import type { StoredReview } from '../reviews.ts';
import type { Db, Postgres } from './database.ts';
import type { EventLog } from './events.ts';
import { lockReview } from './review-locks.ts';
import { createReviewStats } from './review-stats.ts';
import { findStoredReview } from './reviews.ts';
import {
  evaluationSessions,
  operators,
  reviewComments,
  reviewContents,
  reviewHandling,
  reviews,
} from './tables.ts';

/** Reminders that are looked for at once. */
const remindedAtOnce = 100;

export function createReviewQueue(
  { read, change }: Pick<Postgres, 'read' | 'change'>,
  audited: Pick<Postgres, 'change'>,
  eventLog: Pick<EventLog, 'append'>,
): ReviewQueueStore {
  async function rowOf(db: Db, id: string) {
    const [row] = await db
      .select({
        id: reviews.id,
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
      .where(eq(reviews.id, id));
    return row ?? null;
  }
  type Row = NonNullable<Awaited<ReturnType<typeof rowOf>>>;

  async function handle(
    tx: Db,
    reviewId: string,
    set: Partial<typeof reviewHandling.$inferInsert>,
  ): Promise<void> {
    await tx
      .insert(reviewHandling)
      .values({ ...set, reviewId })
      .onConflictDoUpdate({ target: reviewHandling.reviewId, set });
  }
  /** Only the first time counts. */
  async function see(tx: Db, reviewId: string, seenAt: number): Promise<void> {
    await tx
      .insert(reviewHandling)
      .values({ reviewId, seenAt })
      .onConflictDoUpdate({
        target: reviewHandling.reviewId,
        set: { seenAt: sql`coalesce(${reviewHandling.seenAt}, ${seenAt})` },
      });
  }
  const found = async (db: Db, id: string, now: number): Promise<StoredReview> =>
    (await findStoredReview(db, id, now)) as StoredReview;

  /** Changes a PENDING review and tells of it. `make` returns a refusal, or whether anything changed. */
  const changing = <Refusal extends string | object>(
    id: string,
    now: number,
    event: QueueEvent,
    make: (tx: Db, row: Row) => Promise<Refusal | boolean>,
  ): Promise<Queued | Refusal> =>
    audited.change(async (tx): Promise<Queued | Refusal> => {
      if (!(await lockReview(tx, id))) return 'no_review';
      const row = (await rowOf(tx, id)) as Row;
      if (reviewStatusAt(row, now) !== 'PENDING') return { notPending: await found(tx, id, now) };
      const result = await make(tx, row);
      if (typeof result !== 'boolean') return result;
      const changed = await found(tx, id, now);
      if (result) await eventLog.append(tx, [event(changed)]);
      return changed;
    });

  return {
    ...createReviewStats({ read }),

    claim: (id, operatorId, now, event) =>
      changing(id, now, event, async (tx, { assignee }) => {
        if (assignee === operatorId) return false;
        if (assignee !== null) return { assignedTo: await found(tx, id, now) };
        await handle(tx, id, { assignee: operatorId, assignedAt: now });
        await see(tx, id, now);
        return true;
      }),

    release: (id, operatorId, anybodys, now, event) =>
      changing(id, now, event, async (tx, { assignee }) => {
        if (assignee === null) return false;
        if (assignee !== operatorId && !anybodys) return { assignedTo: await found(tx, id, now) };
        await handle(tx, id, { assignee: null, assignedAt: null });
        return true;
      }),

    comment: (id, comment, event) =>
      audited.change(async (tx) => {
        const row = await rowOf(tx, id);
        if (!row) return 'no_review';
        await tx.insert(reviewComments).values({ ...comment, reviewId: row.id });
        const review = await found(tx, id, comment.createdAt);
        await eventLog.append(tx, [event(review)]);
        return review;
      }),

    listComments: (id, page) =>
      read(async (db) => {
        if (!(await rowOf(db, id))) return null;
        const where = eq(reviewComments.reviewId, id);
        const { author, text, createdAt } = reviewComments;
        const items = await db
          .select({ id: reviewComments.id, author, authorName: operators.name, text, createdAt })
          .from(reviewComments)
          .leftJoin(operators, sql`${operators.id}::text = ${author}`)
          .where(where)
          .orderBy(asc(createdAt), asc(reviewComments.id))
          .limit(page.size)
          .offset(offsetOf(page));
        const [all] = await db.select({ total: count() }).from(reviewComments).where(where);
        return { items, total: all?.total ?? 0 };
      }),

    extend: (id, ms, longestMs, now, event) =>
      changing(id, now, event, async (tx, { expiresAt, createdAt, sessionExpiresAt }) => {
        const until = expiresAt + ms;
        if (until - createdAt > longestMs) return 'too_long' as const;
        if (until > (sessionExpiresAt ?? until)) return 'outlasts_session' as const;
        const endsWithSession = until === sessionExpiresAt;
        await tx.update(reviews).set({ expiresAt: until, endsWithSession }).where(eq(reviews.id, id));
        await tx
          .update(reviewContents)
          .set({ forgetAt: until })
          .where(and(eq(reviewContents.reviewId, id), isNotNull(reviewContents.forgetAt)));
        await handle(tx, id, { extendedAt: now, remindedAt: null });
        return true;
      }),

    recordSeen: (id, now) =>
      change(async (tx) => {
        if (await rowOf(tx, id)) await see(tx, id, now);
      }),

    async remindExpiring(now, within, event) {
      for (const id of await read((db) => listExpiring(db, now, within)))
        await change(async (tx) => {
          await lockReview(tx, id);
          const row = (await rowOf(tx, id)) as Row;
          // Another replica was first, or it was decided meanwhile.
          if (row.remindedAt !== null || reviewStatusAt(row, now) !== 'PENDING') return;
          await handle(tx, id, { remindedAt: now });
          await eventLog.append(tx, [event(await found(tx, id, now))]);
        });
    },
  };
}

async function listExpiring(db: Db, now: number, within: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`SELECT r.id FROM review_contents c JOIN reviews r ON r.id = c.review_id
      LEFT JOIN review_handling h ON h.review_id = r.id
      WHERE c.forget_at > ${now} AND c.forget_at <= ${now + within} AND r.status = 'PENDING'
        AND h.reminded_at IS NULL AND (r.expires_at - ${now}) * 2 <= r.expires_at - r.created_at
      ORDER BY r.id LIMIT ${remindedAtOnce}`,
  );
  return rows.map(({ id }) => id);
}
