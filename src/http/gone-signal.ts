import type { ServerResponse } from 'node:http';

/**
 * Calls the listener when the connection of a response closes, and at once when it has: a caller may leave while its key is
 * looked up, and no event tells that later.
 */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener();
  else response.once('close', listener);
}

/** Aborted when the caller leaves before it has its whole response. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  onceClosed(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
