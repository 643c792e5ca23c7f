import { and, eq, isNotNull, min, sql } from 'drizzle-orm';
import type { CallbackStore, DueCallback } from '../callbacks.ts';
import type { Postgres } from './database.ts';
import { callbacks, reviewContents } from './tables.ts';

export function createCallbacks({ read, change }: Pick<Postgres, 'read' | 'change'>): CallbackStore {
  const recordAttempt = (id: string, set: Partial<typeof callbacks.$inferInsert>): Promise<void> =>
    change(async (tx) => {
      const [attempted] = await tx
        .update(callbacks)
        .set({ ...set, attemptCount: sql`${callbacks.attemptCount} + 1` })
        .where(eq(callbacks.id, id))
        .returning({ reviewId: callbacks.reviewId, nextAttemptAt: callbacks.nextAttemptAt });
      if (attempted && attempted.nextAttemptAt === null)
        await tx.delete(reviewContents).where(eq(reviewContents.reviewId, attempted.reviewId));
    });

  return {
    // Those that another replica claims at this moment are left to it.
    claimDue: (now, limit, until, without = []) =>
      change(async (tx) => {
        const { rows } = await tx.execute<DueCallback & Record<string, unknown>>(
          sql`WITH due AS (
              SELECT c.id, c.review_id, r.integration_id, c.next_attempt_at
              FROM callbacks c JOIN reviews r ON r.id = c.review_id
              WHERE c.next_attempt_at <= ${now} AND NOT r.integration_id = ANY(${sql.param(without)}::uuid[])
              ORDER BY c.next_attempt_at, c.id LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED
            ), claimed AS (
              UPDATE callbacks c SET next_attempt_at = ${until} FROM due WHERE c.id = due.id
              RETURNING c.id, c.body, c.attempt_count
            )
            SELECT due.id, due.integration_id AS "integrationId", contents.callback_url AS url,
              i.webhook_secret AS "webhookSecret", claimed.body, claimed.attempt_count AS "attemptCount"
            FROM due JOIN claimed ON claimed.id = due.id
              JOIN integrations i ON i.id = due.integration_id
              JOIN review_contents contents ON contents.review_id = due.review_id
            ORDER BY due.next_attempt_at, due.id`,
        );
        return rows;
      }),

    release: (id, now) =>
      change(async (tx) => {
        await tx
          .update(callbacks)
          .set({ nextAttemptAt: now })
          .where(and(eq(callbacks.id, id), isNotNull(callbacks.nextAttemptAt)));
      }),

    findNextAttemptAt: () =>
      read(async (db) => {
        const [next] = await db.select({ at: min(callbacks.nextAttemptAt) }).from(callbacks);
        return next?.at ?? null;
      }),

    recordDelivered: (id, now) =>
      recordAttempt(id, { deliveredAt: now, nextAttemptAt: null, lastError: null }),
    recordFailed: (id, lastError, nextAttemptAt) => recordAttempt(id, { lastError, nextAttemptAt }),
  };
}
