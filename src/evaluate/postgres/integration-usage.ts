import { lockNames } from '../../store/postgres/locks.ts';
import type { Quotas, Usage } from '../quotas.ts';
import type { NewSession } from '../session-places.ts';
import type { BatchLocks } from './batch-locks.ts';
import { Rows, WrittenRows } from './rows.ts';

const dayMs = 86_400_000;
const dayOf = (at: number): number => Math.floor(at / dayMs);

/**
 * The usage that quotas limit, of the integrations of a batch. Evaluations that use a quota are counted one after another; one that uses none takes no
 * lock and counts nothing.
 */
export class BatchUsage {
  // A PENDING review has content until it expires; reviews themselves are kept for ever, and are many.
  readonly reviews = new Rows<{ count: number }>({
    name: 'pending reviews',
    parts: 2,
    text: `SELECT k.id::text AS k0, k.at::text AS k1,
        (SELECT count(*) FROM reviews r
          WHERE r.integration_id = k.id AND r.expires_at > k.at AND r.status = 'PENDING') AS count
      FROM unnest($1::uuid[], $2::bigint[]) AS k(id, at)`,
  });
  readonly sessions = new Rows<{ count: number }>({
    name: 'open sessions',
    parts: 2,
    text: `SELECT k.id::text AS k0, k.at::text AS k1,
        (SELECT count(*) FROM evaluation_sessions s
          WHERE s.integration_id = k.id AND s.status = 'ACTIVE' AND s.expires_at > k.at) AS count
      FROM unnest($1::uuid[], $2::bigint[]) AS k(id, at)`,
  });
  readonly bytes = new Rows<{ bytes: number }>({
    name: 'bytes of a day',
    parts: 2,
    text: `SELECT integration_id::text AS k0, day::text AS k1, bytes
      FROM unnest($1::uuid[], $2::int[]) AS k(integration_id, day) JOIN integration_usage USING (integration_id, day)`,
  });
  readonly #locks: BatchLocks;
  /** When an integration is counted: once for a batch, whose jobs are milliseconds apart. */
  readonly #countedAt = new Map<string, string>();
  readonly #added = new Map<string, { reviews: number; sessions: number; bytes: Map<number, number> }>();

  constructor(locks: BatchLocks) {
    this.#locks = locks;
  }

  /** Asks for the usage that a change will most likely need; the rest is read when it is needed. */
  want(integrationId: string, quotas: Quotas, at: number, opensSession: boolean): void {
    const { maxOpenSessions, maxBytesPerDay } = quotas;
    const countsSessions = opensSession && maxOpenSessions !== null;
    if (countsSessions || maxBytesPerDay !== null) this.#locks.name(lockNames.quota(integrationId));
    if (countsSessions) this.sessions.want(...this.#counted(integrationId, at));
    if (maxBytesPerDay !== null) this.bytes.want(integrationId, String(dayOf(at)));
  }
  #counted(integrationId: string, at: number): [string, string] {
    const countedAt = this.#countedAt.get(integrationId) ?? String(at);
    this.#countedAt.set(integrationId, countedAt);
    return [integrationId, countedAt];
  }

  of(integrationId: string, at: number): Omit<Usage, 'pendingReviewsOfSession'> {
    const lock = () => this.#locks.name(lockNames.quota(integrationId));
    const added = this.#added.get(integrationId);
    const bytesOf = (day: number) => this.bytes.one(integrationId, String(day))?.bytes ?? 0;
    const count = (what: 'reviews' | 'sessions'): number => {
      lock();
      const row = this[what].one(...this.#counted(integrationId, at));
      return (row?.count ?? 0) + (added?.[what] ?? 0);
    };
    return {
      pendingReviews: () => count('reviews'),
      openSessions: () => count('sessions'),
      bytesToday() {
        lock();
        const day = dayOf(at);
        return bytesOf(day) + (added?.bytes.get(day) ?? 0);
      },
      byteLength: Buffer.byteLength,
    };
  }

  add(
    integrationId: string,
    at: number,
    more: { review: boolean; opens: NewSession | null; bytes: number },
  ): void {
    let added = this.#added.get(integrationId);
    if (!added) {
      added = { reviews: 0, sessions: 0, bytes: new Map() };
      this.#added.set(integrationId, added);
    }
    if (more.review) added.reviews++;
    if (more.opens) added.sessions++;
    if (more.bytes > 0) added.bytes.set(dayOf(at), (added.bytes.get(dayOf(at)) ?? 0) + more.bytes);
  }

  get statement() {
    const rows = new WrittenRows(
      'add usage',
      { integration_id: 'uuid', day: 'int', bytes: 'bigint' },
      (source, columns) => `INSERT INTO integration_usage AS u (${columns}) SELECT ${columns} FROM ${source}
        ON CONFLICT (integration_id) DO UPDATE SET
          bytes = excluded.bytes + CASE WHEN u.day = excluded.day THEN u.bytes ELSE 0 END, day = excluded.day`,
    );
    for (const [id, { bytes }] of this.#added) {
      // The row is that of the last day alone.
      const day = Math.max(...bytes.keys());
      const count = bytes.get(day);
      if (count !== undefined) rows.add({ integration_id: id, day, bytes: count });
    }
    return rows.statement;
  }
}
