import { sql } from 'drizzle-orm';
import type { ReviewQueueStore, ReviewStats } from '../review-queue.ts';
import type { Postgres } from './database.ts';

export function createReviewStats({ read }: Pick<Postgres, 'read'>): Pick<ReviewQueueStore, 'stats'> {
  return {
    stats: (integrationId, from, now, most) =>
      read(async (db) => {
        const ofIntegration =
          integrationId === null ? sql`` : sql`AND integration_id = ${integrationId}::uuid`;
        // No more rows are read than are counted, and each of them once.
        const { rows } = await db.execute<ReviewStats & Record<string, unknown>>(
          sql`SELECT count(*)::int AS "reviewCount",
              count(*) FILTER (WHERE status = 'PENDING' AND expires_at > ${now})::int AS "pendingCount",
              count(*) FILTER (WHERE status IN ('APPROVED', 'CONSUMED'))::int AS "approvedCount",
              count(*) FILTER (WHERE status = 'REJECTED')::int AS "rejectedCount",
              count(*) FILTER (WHERE status = 'CANCELLED'
                OR status = 'PENDING' AND expires_at <= ${now} AND ends_with_session)::int AS "cancelledCount",
              count(*) FILTER (WHERE status = 'PENDING' AND expires_at <= ${now} AND NOT ends_with_session)::int AS "expiredCount",
              count(*) FILTER (WHERE status = 'PENDING' AND expires_at <= ${now} AND NOT ends_with_session
                AND (SELECT seen_at FROM review_handling WHERE review_id = newest.id) IS NULL)::int AS "expiredUnseenCount",
              coalesce(json_agg(decided_at - created_at) FILTER (WHERE decided_at IS NOT NULL), '[]') AS "decisionTimesMs"
            FROM (SELECT id, status, created_at, expires_at, ends_with_session, decided_at FROM reviews WHERE created_at >= ${from} ${ofIntegration}
              ORDER BY created_at DESC, id DESC LIMIT ${most}) newest`,
        );
        return rows[0] as ReviewStats;
      }),
  };
}
