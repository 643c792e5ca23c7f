import type { FullQueue } from './verdicts.ts';

/** How much of each an integration may have; null is any. Reviews have limits of their own (`ReviewLimits`). */
export interface Quotas {
  /** Sessions that are ACTIVE at one moment. */
  readonly maxOpenSessions: number | null;
  /** Bytes of content, findings and metadata stored in one day of UTC. */
  readonly maxBytesPerDay: number | null;
}

export const noQuotas: Quotas = { maxOpenSessions: null, maxBytesPerDay: null };

/** How many reviews may be PENDING at one moment. */
export interface ReviewLimits {
  readonly ofSession: number;
  readonly ofIntegration: number;
}

/** Where reviews are not counted. */
export const noReviewLimits: ReviewLimits = {
  ofSession: Number.POSITIVE_INFINITY,
  ofIntegration: Number.POSITIVE_INFINITY,
};

/** What an integration has, as of the change that asks. Each is read only when it is asked for. */
export interface Usage {
  pendingReviews(): number;
  /** Of the session of the evaluation; 0 without one. */
  pendingReviewsOfSession(): number;
  openSessions(): number;
  bytesToday(): number;
}

export const noUsage: Usage = {
  pendingReviews: () => 0,
  pendingReviewsOfSession: () => 0,
  openSessions: () => 0,
  bytesToday: () => 0,
};

export interface OverQuota {
  kind: 'over_quota';
  quota: keyof Quotas;
  limit: number;
}

/** What a change would add. */
export interface Added {
  sessions: number;
  bytes: number;
}

/** The first quota that a change would exceed; null when there is none. What no quota bounds is never counted. */
export function overQuota(
  quotas: Quotas,
  usage: Pick<Usage, 'openSessions' | 'bytesToday'>,
  added: Added,
): OverQuota | null {
  const { maxOpenSessions, maxBytesPerDay } = quotas;
  const over = (
    quota: keyof Quotas,
    limit: number | null,
    adds: number,
    has: () => number,
  ): OverQuota | null =>
    limit !== null && adds > 0 && has() + adds > limit ? { kind: 'over_quota', quota, limit } : null;
  return (
    over('maxOpenSessions', maxOpenSessions, added.sessions, usage.openSessions) ??
    over('maxBytesPerDay', maxBytesPerDay, added.bytes, usage.bytesToday)
  );
}

/** Why one more review cannot be opened; null when it can. */
export function fullQueue({ ofSession, ofIntegration }: ReviewLimits, usage: Usage): FullQueue | null {
  if (usage.pendingReviewsOfSession() >= ofSession) return { scope: 'session', limit: ofSession };
  return usage.pendingReviews() >= ofIntegration ? { scope: 'integration', limit: ofIntegration } : null;
}

/** UTF-8 bytes. */
export const byteLengths = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + (text === null ? 0 : Buffer.byteLength(text)), 0);
