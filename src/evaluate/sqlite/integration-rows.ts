import { eq, sql } from 'drizzle-orm';
import { integrations } from '../../sql/sqlite/tables.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { createSessionRanks } from '../../store/sqlite/sessions/session-ranks.ts';
import type { Usage } from '../quotas.ts';

/** The integer key of an integration that a caller was already found to be. */
export interface IntegrationRows {
  find(id: string): number;
  /** The id of a row that another row refers to. */
  idOf(row: number): string;
}

/** Rows of `integrations` are never removed and never change their key, so what was once found stays true. */
export function createIntegrationRows({
  steady,
  writer,
}: Pick<Sqlite, 'steady' | 'writer'>): IntegrationRows {
  const byUid = steady
    .select({ id: integrations.row })
    .from(integrations)
    .where(eq(integrations.id, sql.placeholder('id')))
    .prepare();
  const byRow = steady
    .select({ uid: integrations.id })
    .from(integrations)
    .where(eq(integrations.row, sql.placeholder('row')))
    .prepare();
  const known = new Map<string, number>();
  writer.onRollback(() => known.clear());

  return {
    find(id) {
      let row = known.get(id);
      if (row === undefined) {
        row = byUid.get({ id })?.id;
        // Row ids begin at 1: nothing belongs to -1.
        if (row === undefined) return -1;
        known.set(id, row);
      }
      return row;
    },
    idOf(row) {
      const found = byRow.get({ row });
      if (!found) throw new Error(`integration ${row} is referred to and missing`);
      return found.uid;
    },
  };
}

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
