import type { Sqlite } from '../../store/sqlite/database.ts';
import { createSessionRanks } from '../../store/sqlite/sessions/session-ranks.ts';
import type { Usage } from '../quotas.ts';

/** Usage that quotas limit. Synchronous: it runs inside a change, so that parallel requests are counted one after another. */
export interface IntegrationUsage {
  of(integrationRow: number, at: number): Omit<Usage, 'pendingReviewsOfSession'>;
  /** For an integration with a quota for it. */
  addBytes(integrationRow: number, at: number, bytes: number): void;
}

const dayMs = 86_400_000;
const dayOf = (at: number): number => Math.floor(at / dayMs);

/** Reads the entries of one integration in the index alone: reviews are kept for ever, are wide, and are many. */
export const pendingReviewsQuery =
  "SELECT count(*) FROM reviews WHERE integration_id = ? AND expires_at > ? AND status = 'PENDING'";

export function createIntegrationUsage({ client }: Pick<Sqlite, 'client'>): IntegrationUsage {
  const ranks = createSessionRanks({ client });
  const pendingReviews = client.prepare<[number, number], number>(pendingReviewsQuery).pluck();
  const bytes = client
    .prepare<[number, number], number>(
      'SELECT bytes FROM integration_usage WHERE integration_id = ? AND day = ?',
    )
    .pluck();
  const add = client.prepare<[number, number, number]>(
    `INSERT INTO integration_usage (integration_id, day, bytes) VALUES (?, ?, ?)
     ON CONFLICT (integration_id) DO UPDATE SET
       bytes = excluded.bytes + CASE WHEN day = excluded.day THEN bytes ELSE 0 END,
       day = excluded.day`,
  );

  return {
    of: (integrationRow, at) => ({
      pendingReviews: () => pendingReviews.get(integrationRow, at) ?? 0,
      openSessions: () => ranks.pageOf(integrationRow, 'ACTIVE', at, { limit: 0, offset: 0 }).total,
      bytesToday: () => bytes.get(integrationRow, dayOf(at)) ?? 0,
      byteLength: Buffer.byteLength,
    }),
    addBytes: (integrationRow, at, count) => void add.run(integrationRow, dayOf(at), count),
  };
}
