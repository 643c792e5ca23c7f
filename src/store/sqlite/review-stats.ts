import type { ReviewQueueStore } from '../review-queue.ts';
import type { Sqlite } from './database.ts';

interface Counts {
  reviewCount: number;
  pendingCount: number;
  approvedCount: number;
  rejectedCount: number;
  expiredCount: number;
  expiredUnseenCount: number;
}

/** The newest reviews are the last rows: no more of them are read than are counted. */
const newest = `
  SELECT r.* FROM (
    SELECT * FROM reviews WHERE (@integration IS NULL
      OR integration_id = (SELECT id FROM integrations WHERE uid = @integration)) ORDER BY id DESC LIMIT @most
  ) r WHERE r.created_at >= @from`;

export function createReviewStats({ client, read }: Sqlite): Pick<ReviewQueueStore, 'stats'> {
  const counts = client.prepare<[object], Counts>(
    `WITH newest AS (${newest})
     SELECT count(*) AS reviewCount,
       coalesce(sum(status = 'PENDING' AND expires_at > @now), 0) AS pendingCount,
       coalesce(sum(status IN ('APPROVED', 'CONSUMED')), 0) AS approvedCount,
       coalesce(sum(status = 'REJECTED'), 0) AS rejectedCount,
       coalesce(sum(status = 'PENDING' AND expires_at <= @now), 0) AS expiredCount,
       coalesce(sum(status = 'PENDING' AND expires_at <= @now AND seen_at IS NULL), 0) AS expiredUnseenCount
     FROM newest LEFT JOIN review_handling h ON h.review_id = newest.id`,
  );
  const times = client
    .prepare<[object], number>(
      `WITH newest AS (${newest})
       SELECT decided_at - created_at FROM newest WHERE decided_at IS NOT NULL ORDER BY 1`,
    )
    .pluck();

  return {
    stats: (integrationId, from, now, most) =>
      read(() => {
        const integration = integrationId?.toLowerCase() ?? null;
        return {
          ...(counts.get({ integration, from, now, most }) as Counts),
          decisionTimesMs: times.all({ integration, from, most }),
        };
      }),
  };
}
