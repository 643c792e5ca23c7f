import type { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';

/** How soon an open stream ends after its key was revoked, in milliseconds. */
const lookEveryMs = 1_000;

export interface OpenStreams {
  /** Calls `end` once `isAllowed` resolves to false, until the stream closes. */
  watch(stream: Pick<EventEmitter, 'once'>, isAllowed: () => Promise<boolean>, end: () => void): void;
}

/**
 * A key is checked only at the start of a request, and a stream may stay open for days: the streams of a revoked key must
 * end. Another process can revoke a key too, so keys are looked up regularly.
 */
export function createOpenStreams(onError: (error: unknown) => void): OpenStreams {
  const open = new Map<object, { isAllowed: () => Promise<boolean>; end: () => void }>();
  let timer: NodeJS.Timeout | null = null;

  async function look(): Promise<void> {
    for (const { isAllowed, end } of open.values()) {
      // A failing store ends no stream: the next check decides.
      const allowed = await isAllowed().catch((error: unknown) => {
        onError(error);
        return true;
      });
      if (!allowed) end();
    }
  }

  return {
    watch(stream, isAllowed, end) {
      open.set(stream, { isAllowed, end });
      timer ??= setInterval(() => void look(), lookEveryMs).unref();
      stream.once('close', () => {
        open.delete(stream);
        if (open.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
      });
    },
  };
}

/**
 * Calls the listener when the connection of a response closes, or immediately if it already has: a caller may disconnect
 * during authentication, and `close` is emitted only once.
 */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener();
  else response.once('close', listener);
}

/** Aborted when the caller disconnects before the whole response is sent. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  onceClosed(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
