const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The wait before each attempt. The first ones outlive a dropped connection or a restarted receiver, the middle ones a
 * deployment, the last ones a night: together about 19 h 13 min. Two long waits end the list, because a review that
 * was decided a day ago has expired for most callers and polling still answers.
 */
const delaysMs = [0, 5 * second, 30 * second, 2 * minute, 10 * minute, hour, 6 * hour, 12 * hour] as const;

/** How many attempts one delivery gets. */
export const attemptLimit = delaysMs.length;

/** Each wait is stretched or shortened by up to this share, so that what failed together is not repeated together. */
const jitter = 0.2;

/**
 * Milliseconds from now to the next attempt at a delivery, or null when it is given up.
 * `attempt` counts the attempts already made: 0 for a delivery that is new. `random` gives a number in [0, 1).
 *
 * | attempts made | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 |
 * |---|---|---|---|---|---|---|---|---|---|
 * | wait, ± 20 % | 0 | 5 s | 30 s | 2 min | 10 min | 1 h | 6 h | 12 h | give up |
 */
export const nextAttemptDelayMs = (attempt: number, random: () => number): number | null =>
  delayAfter(delaysMs, attempt, random);

/** The same for a webhook, whose events still matter a day later: retries go on for 24 h more. */
export const nextWebhookAttemptDelayMs = (attempt: number, random: () => number): number | null =>
  delayAfter([...delaysMs, 24 * hour], attempt, random);

function delayAfter(delays: readonly number[], attempt: number, random: () => number): number | null {
  if (!Number.isSafeInteger(attempt) || attempt < 0) {
    throw new RangeError('the count of attempts made is a whole number from 0');
  }
  const delayMs = delays[attempt];
  if (delayMs === undefined) return null;
  return Math.round(delayMs * (1 - jitter + 2 * jitter * random()));
}
