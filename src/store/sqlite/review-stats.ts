import type { ReviewQueueStore, ReviewStats } from '../review-queue.ts';
import type { Sqlite } from './database.ts';

type Counted = Omit<ReviewStats, 'decisionTimesMs'> & { decisionTimesMs: string };

export function createReviewStats({ client, read }: Sqlite): Pick<ReviewQueueStore, 'stats'> {
  // The newest reviews are the last rows: no more of them are read than are counted, and each of them once.
  const counts = client.prepare<[object], Counted>(
    `WITH newest AS (
       SELECT id, status, created_at, expires_at, ends_with_session, decided_at FROM reviews WHERE (@integration IS NULL
         OR integration_id = (SELECT row FROM integrations WHERE id = @integration)) ORDER BY id DESC LIMIT @most
     )
     SELECT count(*) AS reviewCount,
       coalesce(sum(status = 'PENDING' AND expires_at > @now), 0) AS pendingCount,
       coalesce(sum(status IN ('APPROVED', 'CONSUMED')), 0) AS approvedCount,
       coalesce(sum(status = 'REJECTED'), 0) AS rejectedCount,
       coalesce(sum(status = 'CANCELLED' OR status = 'PENDING' AND expires_at <= @now AND ends_with_session), 0) AS cancelledCount,
       coalesce(sum(status = 'PENDING' AND expires_at <= @now AND NOT ends_with_session), 0) AS expiredCount,
       coalesce(sum(status = 'PENDING' AND expires_at <= @now AND NOT ends_with_session
         AND (SELECT seen_at FROM review_handling WHERE review_id = newest.id) IS NULL), 0) AS expiredUnseenCount,
       json_group_array(decided_at - created_at) FILTER (WHERE decided_at IS NOT NULL) AS decisionTimesMs
     FROM newest WHERE created_at >= @from`,
  );

  return {
    stats: (integrationId, from, now, most) =>
      read(() => {
        const integration = integrationId?.toLowerCase() ?? null;
        const counted = counts.get({ integration, from, now, most }) as Counted;
        return { ...counted, decisionTimesMs: JSON.parse(counted.decisionTimesMs) };
      }),
  };
}
