import type { ServerResponse } from 'node:http';

/** How soon an open stream ends after its key was revoked, in milliseconds. */
const lookEveryMs = 1_000;

export interface OpenStreams {
  /** Ends the stream once `isAllowed` resolves to false. */
  watch(stream: ServerResponse, isAllowed: () => Promise<boolean>): void;
}

/**
 * A key is checked only at the start of a request, and a stream may stay open for days: the streams of a revoked key must
 * end. Another process can revoke a key too, so keys are looked up regularly.
 */
export function createOpenStreams(onError: (error: unknown) => void): OpenStreams {
  const open = new Map<ServerResponse, () => Promise<boolean>>();
  let timer: NodeJS.Timeout | null = null;

  async function look(): Promise<void> {
    for (const [stream, isAllowed] of open) {
      // A failing store ends no stream: the next check decides.
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
