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
