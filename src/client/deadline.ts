/** The longest time that timers can wait, in milliseconds: some 25 days. */
const longestMs = 2 ** 31 - 1;

/** A limit of time, joined with a signal of the caller's. */
export interface Deadline {
  /** Aborts with the reason of the caller's signal, or with a TimeoutError. */
  readonly signal: AbortSignal;
  /** What `work` comes to, or a rejection with the signal's reason as soon as it is aborted, should `work` miss that. */
  ends<T>(work: Promise<T>): Promise<T>;
  /** Whether it was the time that ended it. */
  passed(): boolean;
  /** To be called when the wait is over: ends the timer and lets go of the caller's signal. */
  clear(): void;
}

/**
 * `ms` undefined is no limit. With a timer of its own: Node may collect an `AbortSignal.timeout()` inside
 * `AbortSignal.any()` before it fires (nodejs/node#57736), and the wait would have no end; nor is `fetch` relied on, whose
 * own signal hangs on weak references too.
 */
export function deadlineOf(ms: number | undefined, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let passed = false;
  const stop = () => controller.abort(outer?.reason);
  const pass = () => {
    passed = true;
    controller.abort(new DOMException('the time is over', 'TimeoutError'));
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
