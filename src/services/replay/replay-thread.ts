import { constants } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../evaluate/scanning/thread-priority.ts';
import type { SimulationLine } from '../../schemas/replays.ts';
import { openReplaySource } from '../../store/open.ts';
import { type ReplayOptions, replay } from './replay.ts';
import { createReplayPace } from './replay-pace.ts';

/** What the thread is started with. */
export interface ReplayJob extends ReplayOptions {
  database: string;
}

// The thread of `simulations.ts`. An error ends it, and fails the replay. Nowhere else does this module do anything: the build of
// the single binary loads it, as CommonJS, which has no `await` outside of functions.
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
