import { constants } from 'node:os';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { SimulationLine } from '../../schemas/replays.ts';
import { openReplaySource } from '../../store/open.ts';
import { lowerThreadPriority } from '../../threads.ts';
import { type ReplayOptions, replay } from './replay.ts';

/** The data that the thread is started with. */
export interface ReplayJob extends ReplayOptions {
  database: string;
}

/** A message to the thread of a replay: to end, or how busy the event loop of the service is, from 0 to 1. */
export type ReplayMessage = 'stop' | number;

/**
 * For each millisecond of work, so many are paused while the event loop is fully busy. A low priority is not enough: on two cores,
 * the service, its commits and a replay share caches and memory as well, and live traffic loses about what the replay works.
 */
const pauseAtFullLoad = 9;

/** Paces the thread of a replay: live traffic comes first. */
export function createReplayPace(
  port: MessagePort,
  pause: typeof setTimeout = setTimeout,
): { goOn: () => Promise<boolean> } {
  const stop = new AbortController();
  const { signal } = stop;
  let load = 0;
  port.on('message', (message: ReplayMessage) => {
    if (message === 'stop') stop.abort();
    else load = message;
  });
  let workedSince = performance.now();
  return {
    async goOn() {
      const worked = performance.now() - workedSince;
      // Messages come in between two pages.
      await setImmediate();
      const pauseMs = worked * load * pauseAtFullLoad;
      // Rejects only when it is stopped.
      if (pauseMs >= 1) await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      workedSince = performance.now();
      return !signal.aborted;
    },
  };
}

// An error ends the thread, and fails the replay. Only a thread runs anything here: the build of the single binary loads this
// module as CommonJS, which has no `await` outside of functions.
if (parentPort) void run(parentPort, workerData as ReplayJob);

async function run(port: MessagePort, { database, ...options }: ReplayJob): Promise<void> {
  lowerThreadPriority(constants.priority.PRIORITY_LOW);
  const pace = createReplayPace(port);
  const source = await openReplaySource(database);
  try {
    await replay(source, options, (line: SimulationLine) => port.postMessage(line), pace.goOn);
  } finally {
    source.close();
    port.close();
  }
}
