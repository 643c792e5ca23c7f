import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { CommitObserver } from '../figures.ts';
import { Batch, Known } from './batch.ts';
import { BatchLocks, NotLocked } from './batch-locks.ts';
import { isConflict, isLost, isOvertaken, unavailable } from './client.ts';
import { markCommit, wasCommitted } from './commit-marks.ts';
import { startTransaction } from './database.ts';
import type { EventLog } from './events.ts';
import { HalfDone, type Job } from './jobs.ts';
import { Lane, sendTogether } from './lane.ts';
import { NotLoaded } from './rows.ts';

const laneCount = 2;
const mostJobs = 256;
const mostBytes = 4_000_000;
const giveUpAfterMs = 10_000;
const pauseMs = 50;

interface Entry {
  readonly job: Job<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}
type Outcome = () => void;

/** Runs jobs in batches, each one transaction on a connection of its own. */
export interface Lanes {
  /** Resolves once what the job did is durable. */
  run<Result>(job: Job<Result>): Promise<Result>;
  /** Finishes what was accepted. */
  close(): Promise<void>;
}

export function createLanes(
  address: string,
  pool: pg.Pool,
  eventLog: Pick<EventLog, 'append'>,
  commits?: CommitObserver,
): Lanes {
  const known = new Known();
  const lanes = Array.from({ length: laneCount }, () => new Lane(address));
  const free = [...lanes];
  const busyKeys = new Set<string>();
  let queue: Entry[] = [];
  let isScheduled = false;
  let idle: (() => void) | null = null;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      startBatches();
    });
  }
  function startBatches(): void {
    while (queue.length > 0 && free.length > 0) {
      const { batch, keys } = takeBatch();
      if (batch.length === 0) return;
      const lane = free.pop() as Lane;
      runBatch(lane, batch).finally(() => {
        for (const key of keys) busyKeys.delete(key);
        free.push(lane);
        if (queue.length > 0) schedule();
        else if (free.length === laneCount) idle?.();
      });
    }
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
      const outcomes = await persistently(lane, batch);
      commits?.committed(batch.length, (performance.now() - started) / 1_000);
      for (const tell of outcomes) tell();
    } catch (error) {
      if (batch.length === 1 || isLost(error)) for (const { reject } of batch) reject(unavailable(error));
      // One of them may be what the database refuses.
      else for (const entry of batch) await runBatch(lane, [entry]);
    }
  }

  async function persistently(lane: Lane, batch: readonly Entry[]): Promise<Outcome[]> {
    const giveUpAt = performance.now() + giveUpAfterMs;
    const locks = new BatchLocks(known.sessions);
    // It is tried once more, and finds what the other one wrote.
    let wasOvertaken = false;
    for (;;) {
      const attempt: Attempt = { xid: null, outcomes: null, committed: () => undefined };
      try {
        return await transact(lane, batch, locks, attempt);
      } catch (error) {
        if (isLost(error)) {
          lane.drop();
          const { xid, outcomes } = attempt;
          if (xid !== null && outcomes !== null && (await wasCommitted(pool, xid, lane.mark))) {
            attempt.committed();
            return outcomes;
          }
        } else await lane.rollBack();
        const mayPass =
          error instanceof NotLocked ||
          isLost(error) ||
          isConflict(error) ||
          (isOvertaken(error) && !wasOvertaken);
        wasOvertaken = isOvertaken(error);
        if (!mayPass || performance.now() > giveUpAt) throw error;
        if (!(error instanceof NotLocked)) await setTimeout(Math.random() * pauseMs);
      }
    }
  }

  async function transact(
    lane: Lane,
    entries: readonly Entry[],
    locks: BatchLocks,
    attempt: Attempt,
  ): Promise<Outcome[]> {
    const client = await lane.connection();
    await known.sessions.learn(
      client,
      entries.flatMap(({ job }) => job.sessionIds),
    );
    const batch = new Batch(known, locks);
    locks.begin();
    for (const { job } of entries) job.prepare(batch);
    const { rows } = await sendTogether(client, async () => {
      const begin = client.query('BEGIN');
      // Before any place in the record is given: whoever reads the record up to a place waits for this transaction.
      const number = client.query<{ xid: string }>({
        name: 'xid',
        text: 'SELECT pg_current_xact_id()::text AS xid',
      });
      const [, found] = await Promise.all([begin, number, locks.take(client), batch.load(client)]);
      return found;
    });
    const { tx, committed } = startTransaction(client);
    for (const { job } of entries) await job.read?.(tx);
    const outcomes: Outcome[] = [];
    for (const entry of entries) outcomes.push(await runJob(client, batch, entry));
    attempt.committed = () => {
      batch.policySets.committed();
      committed();
    };
    if (batch.events.length > 0) await eventLog.append(tx, batch.events);
    attempt.xid = rows[0]?.xid ?? null;
    attempt.outcomes = outcomes;
    const statements = [...batch.statements, markCommit(lane.mark), { text: 'COMMIT' }];
    await sendTogether(client, () => Promise.all(statements.map((one) => client.query(one))));
    attempt.committed();
    return outcomes;
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

/** What is known of a transaction while its connection may be lost. */
interface Attempt {
  xid: string | null;
  outcomes: Outcome[] | null;
  committed: () => void;
}

/** Does the job, and reads what it misses meanwhile. */
async function runJob(client: pg.Client, batch: Batch, { job, resolve, reject }: Entry): Promise<Outcome> {
  for (;;) {
    try {
      const result = job.run(batch);
      return () => resolve(result);
    } catch (error) {
      if (error instanceof NotLocked || error instanceof HalfDone) throw error;
      if (!(error instanceof NotLoaded)) return () => reject(error);
      await batch.load(client);
    }
  }
}
