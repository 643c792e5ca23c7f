import type { IncomingMessage, Server } from 'node:http';
import { openThread } from '../../threads.ts';

/** How often the event loop and the watchdog's thread each count. */
export const tickMs = 1_000;

/** Its heap takes less memory so. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 };

/** The counter of the evaluation thread; 0 while there is none. */
export const evaluationTurns = new Int32Array(new SharedArrayBuffer(4));

export interface WatchdogData {
  /** The counter that the event loop counts up. */
  turns: Int32Array;
  evaluationTurns: Int32Array;
  seconds: number;
  isTerminal: boolean;
  logs: boolean;
}

interface WatchdogOptions {
  server: Pick<Server, 'prependListener' | 'off'>;
  /** After so long without a turn of the event loop the process exits; 0 never. */
  seconds: number;
  /** Whether the log goes to a person. */
  isTerminal: boolean;
  /** False logs nothing. */
  logs: boolean;
  onFailure(error: Error): void;
}

/**
 * Ends this process when its event loop does not turn, so that a supervisor restarts it: it could neither respond nor stop on
 * SIGTERM. Watches from the first request that is no health check, before it is read: the thread takes 15 MB. Returns how to
 * end the watch.
 */
export function watchFromFirstRequest(options: WatchdogOptions): () => void {
  const { server, seconds } = options;
  let end = (): void => undefined;
  const onRequest = ({ url }: Pick<IncomingMessage, 'url'>): void => {
    if (url?.startsWith('/health/')) return;
    server.off('request', onRequest);
    end = startWatchdog(options);
  };
  if (seconds > 0) server.prependListener('request', onRequest);
  return () => {
    server.off('request', onRequest);
    end();
  };
}

function startWatchdog({ seconds, isTerminal, logs, onFailure }: WatchdogOptions): () => void {
  const turns = new Int32Array(new SharedArrayBuffer(4));
  const workerData: WatchdogData = { turns, evaluationTurns, seconds, isTerminal, logs };
  // Nothing that the process preloads, such as instrumentation, has work in this thread.
  const thread = openThread('watchdog-thread', import.meta.url, { workerData, execArgv: [], resourceLimits });
  thread.unref();
  thread.on('error', onFailure);
  const timer = setInterval(() => Atomics.add(turns, 0, 1), tickMs).unref();
  return () => {
    clearInterval(timer);
    void thread.terminate();
  };
}
