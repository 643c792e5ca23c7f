import type { NewSession } from '../evaluation-sessions.ts';
import type { Quotas, Usage } from '../quotas.ts';
import type { BatchLocks } from './batch-locks.ts';
import { lockNames } from './locks.ts';
import { Rows } from './rows.ts';
import { WrittenRows } from './written-rows.ts';

const dayMs = 86_400_000;
const dayOf = (at: number): number => Math.floor(at / dayMs);
const isBounded = (quotas: Quotas): boolean => Object.values(quotas).some((quota) => quota !== null);

/** What the integrations of a batch have, of what quotas bound. Those with quotas are counted one after another. */
export class BatchUsage {
  readonly rows = new Rows<{ reviews: number; sessions: number; bytes: number }>({
    name: 'usage',
    parts: 2,
    // A PENDING review has content until it expires; reviews themselves are kept for ever, and are many.
    text: `SELECT k.id::text AS k0, k.at::text AS k1,
        (SELECT count(*) FROM review_contents c JOIN reviews r ON r.id = c.review_id
          WHERE c.forget_at > k.at AND r.integration_id = k.id AND r.status = 'PENDING') AS reviews,
        (SELECT count(*) FROM evaluation_sessions s
          WHERE s.integration_id = k.id AND s.status = 'ACTIVE' AND s.expires_at > k.at) AS sessions,
        coalesce((SELECT u.bytes FROM integration_usage u
          WHERE u.integration_id = k.id AND u.day = k.at / ${dayMs}), 0) AS bytes
      FROM (SELECT id, at::bigint FROM unnest($1::uuid[], $2::text[]) AS asked(id, at)) AS k`,
  });
  readonly #locks: BatchLocks;
  readonly #added = new Map<string, { reviews: number; sessions: number; bytes: Map<number, number> }>();

  constructor(locks: BatchLocks) {
    this.#locks = locks;
  }

  want(integrationId: string, quotas: Quotas, at: number): void {
    if (!isBounded(quotas)) return;
    this.#locks.name(lockNames.quota(integrationId));
    this.rows.want(integrationId, String(at));
  }

  /** Read when it is asked for: only where a quota bounds it. */
  of(integrationId: string, at: number): Usage {
    const has = (what: 'reviews' | 'sessions'): number =>
      this.#row(integrationId, at)[what] + (this.#added.get(integrationId)?.[what] ?? 0);
    return {
      pendingReviews: () => has('reviews'),
      openSessions: () => has('sessions'),
      bytesToday: () =>
        this.#row(integrationId, at).bytes + (this.#added.get(integrationId)?.bytes.get(dayOf(at)) ?? 0),
    };
  }
  #row(integrationId: string, at: number) {
    this.#locks.name(lockNames.quota(integrationId));
    return this.rows.one(integrationId, String(at)) ?? { reviews: 0, sessions: 0, bytes: 0 };
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
