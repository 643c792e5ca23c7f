import type { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { SimulationLine } from '../../schemas/replays.ts';
import { openThread } from '../../threads.ts';
import type { ReplayOptions } from './replay.ts';
import type { ReplayJob, ReplayMessage } from './replay-thread.ts';

/** Replays the record in a thread of its own, one at a time: it must not take from who decides. */
export interface ReplayRunner {
  /**
   * Lines as they come, the last one a result or an error. Ends early when the signal is aborted. Throws an `AppError` of code
   * `unavailable` while another one runs.
   */
  run(options: ReplayOptions, signal: AbortSignal): AsyncIterable<SimulationLine>;
  close(): Promise<void>;
}

/** The messages and the end of a thread. */
interface Watched {
  /** Not read yet. */
  lines: SimulationLine[];
  failure: unknown;
  isOver: boolean;
  /** Called when something has come. */
  wake: () => void;
}

/** A replay that needs more ends with an error, and the process goes on. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
/** How long a thread has to end by itself before it is ended. */
const patienceMs = 2_000;
const loadEveryMs = 50;

export function createReplayRunner(database: string): ReplayRunner {
  /** Null again with its result: the end of the thread is not waited for. */
  let running: Worker | null = null;
  const threads = new Set<Worker>();

  const send = (worker: Worker, message: ReplayMessage): void => worker.postMessage(message);

  function stop(worker: Worker): void {
    send(worker, 'stop');
    setTimeout(() => void worker.terminate(), patienceMs).unref();
  }

  /** Watches a thread until it ends, even if nobody reads its lines. */
  function watch(worker: Worker, signal: AbortSignal): Watched {
    const watched: Watched = { lines: [], failure: undefined, isOver: false, wake: () => undefined };
    worker.on('message', (line: SimulationLine) => {
      // Unread progress is outdated by this.
      const last = watched.lines.at(-1);
      if (line.type === 'progress' && last?.type === 'progress') watched.lines.pop();
      watched.lines.push(line);
      if (line.type === 'result' && running === worker) running = null;
      watched.wake();
    });
    worker.on('error', (error) => {
      watched.failure = error;
    });
    let measured = performance.eventLoopUtilization();
    const loadTimer = setInterval(() => {
      const now = performance.eventLoopUtilization();
      send(worker, performance.eventLoopUtilization(now, measured).utilization);
      measured = now;
    }, loadEveryMs);
    const abort = (): void => stop(worker);
    worker.on('exit', () => {
      clearInterval(loadTimer);
      signal.removeEventListener('abort', abort);
      watched.isOver = true;
      threads.delete(worker);
      if (running === worker) running = null;
      watched.wake();
    });
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    return watched;
  }

  async function* follow(worker: Worker, watched: Watched): AsyncGenerator<SimulationLine> {
    const { lines } = watched;
    try {
      for (;;) {
        for (let line = lines.shift(); line; line = lines.shift()) yield line;
        if (watched.isOver) break;
        await new Promise<void>((resolve) => {
          watched.wake = resolve;
          if (lines.length > 0 || watched.isOver) resolve();
        });
      }
      if (watched.failure !== undefined) yield { type: 'error', message: messageOf(watched.failure) };
    } finally {
      if (!watched.isOver) stop(worker);
    }
  }

  return {
    run(options, signal) {
      if (running) {
        throw new AppError('unavailable', 'another simulation is running: wait for it, or cancel it', {
          retryAfterSeconds: 5,
        });
      }
      const workerData: ReplayJob = { ...options, database };
      running = openThread('replay-thread', import.meta.url, { workerData, resourceLimits });
      threads.add(running);
      // Watched here, not in the generator: its body starts with the first read, and the caller may disconnect before that.
      return follow(running, watch(running, signal));
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

/** Messages of errors may show content, so that only the one that helps is told. */
function messageOf(failure: unknown): string {
  const { code } = failure as { code?: string };
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? 'the simulation needs more memory than it may have: narrow the filter'
    : 'the simulation failed, and changed nothing';
}
