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
