import type { ServerResponse } from 'node:http';

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
