import type { ServerResponse } from 'node:http';

/** How soon an open stream ends after its key was revoked, in milliseconds. */
const lookEveryMs = 1_000;

export interface OpenStreams {
  /** Ends the stream once `isAllowed` says no. */
  watch(stream: ServerResponse, isAllowed: () => Promise<boolean>): void;
}

/**
 * A key is asked for at the start of a request only, and a stream may stay open for days: a revoked key must not keep
 * what it opened. Another process can revoke too, so the keys are looked up from time to time.
 */
export function createOpenStreams(onError: (error: unknown) => void): OpenStreams {
  const open = new Map<ServerResponse, () => Promise<boolean>>();
  let timer: NodeJS.Timeout | null = null;

  async function look(): Promise<void> {
    for (const [stream, isAllowed] of open) {
      // A store that cannot be asked now ends no stream: the next look decides.
      const allowed = await isAllowed().catch((error: unknown) => {
        onError(error);
        return true;
      });
      if (!allowed) stream.destroy();
    }
  }

  return {
    watch(stream, isAllowed) {
      open.set(stream, isAllowed);
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
