import { parentPort, workerData } from 'node:worker_threads';
import type { SimulationLine } from '../../schemas/replays.ts';
import { openReplaySource } from '../../store/open.ts';
import { lowerThreadPriority } from '../scanning/thread-priority.ts';
import { type ReplayOptions, replay } from './replay.ts';

/** What the thread is started with. */
export interface ReplayJob extends ReplayOptions {
  database: string;
}

// The thread of `simulations.ts`. An error that it does not catch ends it, and fails the replay.
lowerThreadPriority();
const { database, ...options } = workerData as ReplayJob;
let stopped = false;
parentPort?.once('message', () => {
  stopped = true;
});
const source = await openReplaySource(database);
try {
  await replay(
    source,
    options,
    (line: SimulationLine) => parentPort?.postMessage(line),
    () => stopped,
  );
} finally {
  source.close();
  parentPort?.close();
}
