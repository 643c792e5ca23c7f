import { AppError, never } from '../errors.ts';
import type { OverQuota } from '../store/store.ts';

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
