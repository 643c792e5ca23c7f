import { type SQL, sql } from 'drizzle-orm';
import type { ReviewQueueStore, ReviewStats } from '../review-queue.ts';
import type { Postgres } from './database.ts';

export function createReviewStats({ read }: Pick<Postgres, 'read'>): Pick<ReviewQueueStore, 'stats'> {
  /** No more rows are read than are counted. */
  const newest = (integrationId: string | null, from: number, most: number): SQL =>
    sql`SELECT * FROM reviews WHERE created_at >= ${from}
      ${integrationId === null ? sql`` : sql`AND integration_id = ${integrationId}::uuid`}
      ORDER BY created_at DESC, id DESC LIMIT ${most}`;

  return {
    stats: (integrationId, from, now, most) =>
      read(async (db) => {
        const some = newest(integrationId, from, most);
        const counts = await db.execute<Omit<ReviewStats, 'decisionTimesMs'> & Record<string, number>>(
          sql`SELECT count(*)::int AS "reviewCount",
              count(*) FILTER (WHERE status = 'PENDING' AND expires_at > ${now})::int AS "pendingCount",
              count(*) FILTER (WHERE status IN ('APPROVED', 'CONSUMED'))::int AS "approvedCount",
              count(*) FILTER (WHERE status = 'REJECTED')::int AS "rejectedCount",
              count(*) FILTER (WHERE status = 'PENDING' AND expires_at <= ${now})::int AS "expiredCount",
              count(*) FILTER (WHERE status = 'PENDING' AND expires_at <= ${now} AND seen_at IS NULL)::int AS "expiredUnseenCount"
            FROM (${some}) newest LEFT JOIN review_handling h ON h.review_id = newest.id`,
        );
        const times = await db.execute<{ ms: string }>(
          sql`SELECT decided_at - created_at AS ms FROM (${some}) newest WHERE decided_at IS NOT NULL ORDER BY 1`,
        );
        return {
          ...(counts.rows[0] as Omit<ReviewStats, 'decisionTimesMs'>),
          decisionTimesMs: times.rows.map(({ ms }) => Number(ms)),
        };
      }),
  };
}
