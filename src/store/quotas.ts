/** How much of each an integration may have; null is any. */
export interface Quotas {
  /** Reviews that are PENDING at one moment. */
  readonly maxPendingReviews: number | null;
  /** Sessions that are ACTIVE at one moment. */
  readonly maxOpenSessions: number | null;
  /** Bytes of content, findings and metadata stored in one day of UTC. */
  readonly maxBytesPerDay: number | null;
}

export const noQuotas: Quotas = { maxPendingReviews: null, maxOpenSessions: null, maxBytesPerDay: null };

/** What an integration has, as of the change that asks. Each is read only when it is asked for. */
export interface Usage {
  pendingReviews(): number;
  openSessions(): number;
  bytesToday(): number;
}

export const noUsage: Usage = { pendingReviews: () => 0, openSessions: () => 0, bytesToday: () => 0 };

export interface OverQuota {
  kind: 'over_quota';
  quota: keyof Quotas;
  limit: number;
}

/** What a change would add. */
export interface Added {
  reviews: number;
  sessions: number;
  bytes: number;
}

/** The first quota that a change would exceed; null when there is none. What no quota bounds is never counted. */
export function overQuota(quotas: Quotas, usage: Usage, added: Added): OverQuota | null {
  const { maxPendingReviews, maxOpenSessions, maxBytesPerDay } = quotas;
  const over = (
    quota: keyof Quotas,
    limit: number | null,
    adds: number,
    has: () => number,
  ): OverQuota | null =>
    limit !== null && adds > 0 && has() + adds > limit ? { kind: 'over_quota', quota, limit } : null;
  return (
    over('maxOpenSessions', maxOpenSessions, added.sessions, usage.openSessions) ??
    over('maxPendingReviews', maxPendingReviews, added.reviews, usage.pendingReviews) ??
    over('maxBytesPerDay', maxBytesPerDay, added.bytes, usage.bytesToday)
  );
}

/** UTF-8 bytes. */
export const byteLengths = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0);
