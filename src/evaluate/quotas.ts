import { AppError, never } from '../errors.ts';
import { defaultIntegrationSettings, type IntegrationSettings } from '../features/integrations/schema.ts';

/** Why no further review is opened. */
export interface FullQueue {
  /** Whose PENDING reviews are as many as may be. */
  scope: 'session' | 'integration';
  limit: number;
}

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

/** The current usage of an integration, as of the change that asks. Each number is read only when it is asked for. */
export interface Usage {
  pendingReviews(): number;
  /** PENDING reviews of the evaluation's session; 0 without a session. */
  pendingReviewsOfSession(): number;
  openSessions(): number;
  bytesToday(): number;
  /** UTF-8 bytes of a text: `Buffer.byteLength` is not there in pure code, and counting in JavaScript takes ten times as long. */
  byteLength(text: string): number;
}

export const noUsage: Usage = {
  pendingReviews: () => 0,
  pendingReviewsOfSession: () => 0,
  openSessions: () => 0,
  bytesToday: () => 0,
  byteLength: () => 0,
};

export interface OverQuota {
  kind: 'over_quota';
  quota: keyof Quotas;
  limit: number;
}

/** The usage that a change would add. */
export interface Added {
  sessions: number;
  bytes: number;
}

/** The first quota that a change would exceed; null when there is none. Usage without a quota is never counted. */
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

export const byteLengths = (
  texts: readonly (string | null)[],
  { byteLength }: Pick<Usage, 'byteLength'>,
): number => texts.reduce((sum, text) => sum + (text === null ? 0 : byteLength(text)), 0);

const { maxPendingReviews: most, maxPendingReviewsInSession: mostInSession } = defaultIntegrationSettings;

/** null is the default: settings that were stored before there was one have it. */
export const reviewLimitsOf = ({
  maxPendingReviews,
  maxPendingReviewsInSession,
}: Pick<IntegrationSettings, 'maxPendingReviews' | 'maxPendingReviewsInSession'>): ReviewLimits => ({
  ofSession: maxPendingReviewsInSession ?? (mostInSession as number),
  ofIntegration: maxPendingReviews ?? (most as number),
});

const dayMs = 86_400_000;
/** After which sessions may have ended, in seconds. */
const lookAgainSeconds = 60;

/** Why a request that would exceed a quota of its integration is refused: nothing of it is decided or recorded. */
export function quotaExceeded({ quota, limit }: OverQuota, now: number): AppError {
  const untilMidnight = Math.ceil((dayMs - (now % dayMs)) / 1_000);
  const retryAfterSeconds = quota === 'maxBytesPerDay' ? untilMidnight : lookAgainSeconds;
  return new AppError('rate_limited', `the quota ${quota} is used up: ${wording(quota, limit)}`, {
    retryAfterSeconds,
  });
}

function wording(quota: OverQuota['quota'], limit: number): string {
  switch (quota) {
    case 'maxOpenSessions':
      return `at most ${limit} sessions of this integration may be ACTIVE at once`;
    case 'maxBytesPerDay':
      return `at most ${limit} bytes of this integration are stored in a day, which ends at midnight UTC`;
    default:
      return never(quota);
  }
}
