/** Longest delay between two attempts, in milliseconds. There is no further attempt when the service asks for more. */
const longestPauseMs = 10_000;

/** Refused before it was processed: every request may be retried. */
const refusedUnread = new Set([429]);
/** It may have been processed: only a request that counts once may be retried. */
const maybeDone = new Set([408, 502, 503, 504]);

/** Whether a request that ended with this status may be retried. `status` null: no response. */
export function mayRepeat(status: number | null, countsOnce: boolean): boolean {
  if (status !== null && refusedUnread.has(status)) return true;
  return countsOnce && (status === null || maybeDone.has(status));
}

/**
 * Milliseconds before the next attempt, null for none. Doubles from `firstMs`; half of it is random, so that callers that
 * failed together do not retry together.
 */
export function pauseBefore(
  attempt: number,
  firstMs: number,
  retryAfterSeconds: number | null,
): number | null {
  const grown = Math.min(longestPauseMs, firstMs * 2 ** (attempt - 1));
  const jittered = grown * (0.5 + Math.random() / 2);
  if (retryAfterSeconds === null) return jittered;
  const asked = retryAfterSeconds * 1_000;
  return asked > longestPauseMs ? null : asked + jittered;
}

/** `Retry-After` in seconds, from either of its forms (RFC 9110, section 10.2.3); null when absent or unreadable. */
export function retryAfterOf(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** The longest delay of a timer, in milliseconds: some 25 days. */
const longestMs = 2 ** 31 - 1;

/** A time limit, combined with the caller's signal. */
export interface Deadline {
  /** Aborts with the reason of the caller's signal, or with a TimeoutError. */
  readonly signal: AbortSignal;
  /** Settles like `work`, but rejects with the signal's reason as soon as it is aborted, even if `work` ignores that. */
  ends<T>(work: Promise<T>): Promise<T>;
  /** Whether the time limit ended it. */
  passed(): boolean;
  /** Must be called at the end: stops the timer and releases the caller's signal. */
  clear(): void;
}

/**
 * `ms` undefined is no limit. Uses its own timer, because Node may collect an `AbortSignal.timeout()` inside
 * `AbortSignal.any()` before it fires (nodejs/node#57736), and the wait would never end. `fetch` is not relied on either: it
 * holds its signal by weak references.
 */
export function deadlineOf(ms: number | undefined, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let passed = false;
  const stop = () => controller.abort(outer?.reason);
  const pass = () => {
    passed = true;
    controller.abort(new DOMException('the time limit was reached', 'TimeoutError'));
  };
  if (outer?.aborted) stop();
  else outer?.addEventListener('abort', stop, { once: true });
  const timer = ms === undefined ? undefined : setTimeout(pass, Math.min(ms, longestMs));
  const { signal } = controller;
  return {
    signal,
    ends: (work) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        work.then(resolve, reject);
      }),
    passed: () => passed,
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
}
