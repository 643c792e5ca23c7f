import type { CommitObserver } from '../figures.ts';
import { Known } from './batch.ts';
import { createTransact, type Entry } from './batch-transactions.ts';
import { type Address, isLost, unavailable } from './client.ts';
import type { Postgres } from './database.ts';
import type { EventLog } from './events.ts';
import type { Job } from './jobs.ts';
import { Lane } from './lane.ts';

const laneCount = 2;
const mostJobs = 256;
const mostBytes = 4_000_000;
/**
 * What comes while a batch is under way waits for its end, and is one larger batch, in which each job costs less. A batch that takes longer
 * may wait for another process: nothing else waits for it then.
 */
const aloneForMs = 50;
/** After a batch of at least this many jobs, the next one waits for more: until a millisecond brings none, for 10 ms at most. */
const manyJobs = 16;
const gatherStepMs = 1;
const gatherSteps = 10;

/** Runs jobs in batches, each one transaction on a connection of its own. */
export interface Lanes {
  /** Resolves once what the job did is durable. */
  run<Result>(job: Job<Result>): Promise<Result>;
  /** Finishes what was accepted. */
  close(): Promise<void>;
}

export function createLanes(
  address: Address,
  { pool, salt }: Pick<Postgres, 'pool' | 'salt'>,
  eventLog: Pick<EventLog, 'append'>,
  commits?: CommitObserver,
): Lanes {
  const known = new Known(salt);
  const transact = createTransact(known, pool, eventLog);
  const lanes = Array.from({ length: laneCount }, () => new Lane(address));
  const free = [...lanes];
  const busyKeys = new Set<string>();
  let queue: Entry[] = [];
  let isScheduled = false;
  /** The batch that no other one runs beside. */
  let alone: readonly Entry[] | null = null;
  let lastSize = 0;
  let idle: (() => void) | null = null;

  function schedule(): void {
    if (isScheduled || alone) return;
    isScheduled = true;
    setImmediate(gather, 0, gatherSteps);
  }
  /** Starts a batch, or looks again a millisecond later. `seen`: how many jobs waited at the last look. */
  function gather(seen: number, stepsLeft: number): void {
    if (lastSize >= manyJobs && queue.length > seen && stepsLeft > 0) {
      setTimeout(gather, gatherStepMs, queue.length, stepsLeft - 1);
      return;
    }
    isScheduled = false;
    startBatch();
  }
  function startBatch(): void {
    if (queue.length === 0 || free.length === 0 || alone) return;
    const { batch, keys } = takeBatch();
    if (batch.length === 0) return;
    const lane = free.pop() as Lane;
    alone = batch;
    lastSize = batch.length;
    const endAlone = () => {
      if (alone === batch) alone = null;
      if (queue.length > 0) schedule();
    };
    const timer = setTimeout(endAlone, aloneForMs);
    runBatch(lane, batch).finally(() => {
      clearTimeout(timer);
      for (const key of keys) busyKeys.delete(key);
      free.push(lane);
      endAlone();
      if (queue.length === 0 && free.length === laneCount) idle?.();
    });
  }
  /** The first jobs of the queue that have nothing to do with what is under way. */
  function takeBatch(): { batch: Entry[]; keys: Set<string> } {
    const batch: Entry[] = [];
    const keys = new Set<string>();
    const rest: Entry[] = [];
    let bytes = 0;
    // What waits keeps its order: what comes after it for the same session waits, too.
    const later = new Set<string>();
    for (const entry of queue) {
      const ofJob = entry.job.keys(known);
      const isFull = batch.length >= mostJobs || bytes > mostBytes;
      if (isFull || ofJob.some((key) => busyKeys.has(key) || later.has(key))) {
        for (const key of ofJob) later.add(key);
        rest.push(entry);
        continue;
      }
      bytes += entry.job.size;
      batch.push(entry);
      for (const key of ofJob) keys.add(key);
    }
    queue = rest;
    for (const key of keys) busyKeys.add(key);
    return { batch, keys };
  }

  /** Never rejects. */
  async function runBatch(lane: Lane, batch: readonly Entry[]): Promise<void> {
    const started = performance.now();
    try {
      const outcomes = await transact(lane, batch);
      commits?.committed(batch.length, (performance.now() - started) / 1_000);
      for (const tell of outcomes) tell();
    } catch (error) {
      if (batch.length === 1 || isLost(error)) for (const { reject } of batch) reject(unavailable(error));
      // One of them may be what the database refuses.
      else for (const entry of batch) await runBatch(lane, [entry]);
    }
  }

  return {
    run: <Result>(job: Job<Result>) =>
      new Promise<Result>((resolve, reject) => {
        queue.push({ job, resolve: resolve as (result: unknown) => void, reject });
        schedule();
      }),

    async close() {
      if (queue.length > 0 || free.length < laneCount)
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}
