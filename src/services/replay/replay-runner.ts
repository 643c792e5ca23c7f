import type { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { SimulationLine } from '../../schemas/replays.ts';
import { openThread } from '../../threads.ts';
import type { ReplayOptions } from './replay.ts';
import type { ReplayMessage } from './replay-pace.ts';
import type { ReplayJob } from './replay-thread.ts';

/** Replays the record in a thread of its own, one at a time: it must not take from who decides. */
export interface ReplayRunner {
  /**
   * Lines as they come, the last one a result or an error. Ends early when the signal is aborted. Throws an `AppError` of code
   * `unavailable` while another one runs.
   */
  run(options: ReplayOptions, signal: AbortSignal): AsyncIterable<SimulationLine>;
  close(): Promise<void>;
}

/** What needs more ends with an error, and the process goes on. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };
/** How long a thread has to end by itself before it is ended. */
const patienceMs = 2_000;
const loadEveryMs = 50;

export function createReplayRunner(database: string): ReplayRunner {
  let running: Worker | null = null;

  const send = (worker: Worker, message: ReplayMessage): void => worker.postMessage(message);

  function stop(worker: Worker): void {
    send(worker, 'stop');
    setTimeout(() => void worker.terminate(), patienceMs).unref();
  }

  async function* follow(worker: Worker, signal: AbortSignal): AsyncGenerator<SimulationLine> {
    const lines: SimulationLine[] = [];
    let wake = (): void => undefined;
    let failure: unknown;
    let isOver = false;
    worker.on('message', (line: SimulationLine) => {
      // Unread progress is outdated by this.
      const last = lines.at(-1);
      if (line.type === 'progress' && last?.type === 'progress') lines.pop();
      lines.push(line);
      wake();
    });
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', () => {
      isOver = true;
      running = null;
      wake();
    });
    let measured = performance.eventLoopUtilization();
    const loadTimer = setInterval(() => {
      const now = performance.eventLoopUtilization();
      send(worker, performance.eventLoopUtilization(now, measured).utilization);
      measured = now;
    }, loadEveryMs);
    const abort = (): void => stop(worker);
    signal.addEventListener('abort', abort, { once: true });
    try {
      for (;;) {
        for (let line = lines.shift(); line; line = lines.shift()) yield line;
        if (isOver) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (lines.length > 0 || isOver) resolve();
        });
      }
      if (failure !== undefined) yield { type: 'error', message: messageOf(failure) };
    } finally {
      clearInterval(loadTimer);
      signal.removeEventListener('abort', abort);
      if (!isOver) stop(worker);
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
      return follow(running, signal);
    },
    async close() {
      await running?.terminate();
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
