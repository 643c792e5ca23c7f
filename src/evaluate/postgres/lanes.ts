import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type Address,
  connectionConfig,
  isConflict,
  isLost,
  isOvertaken,
  prepareNothing,
  unavailable,
} from '../../store/postgres/client.ts';
import { findMark, markCommit, newMark, wasCommitted } from '../../store/postgres/commit-marks.ts';
import { type Db, type Postgres, startTransaction } from '../../store/postgres/database.ts';
import type { EventLog } from '../../store/postgres/events.ts';
import type { CommitObserver } from '../../store/store.ts';
import { Batch, Known } from './batch.ts';
import { BatchLocks, NotLocked } from './batch-locks.ts';
import { HalfDone, type Job } from './jobs.ts';
import { NotLoaded } from './rows.ts';

const laneCount = 2;
const mostJobs = 256;
const mostBytes = 4_000_000;
/**
 * Jobs that come while a batch is under way wait for its end, and become one larger batch, in which each job costs less. A batch that takes longer
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
    // Waiting jobs keep their order: later jobs for the same session wait, too.
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

/** Jobs that decide take up to 20 ms each: others are served between them. */
const longestTurnMs = 5;
const giveUpAfterMs = 10_000;
const pauseMs = 50;

/** A job, and who waits for it. */
interface Entry {
  readonly job: Job<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}
/** Tells who waits for a job what it returned. */
type Outcome = () => void;

/** The state of a transaction while its connection may be lost. */
interface Attempt {
  /** Once its COMMIT may have been sent. `proof` finds a row when it was committed. */
  sent: { xid: string; proof: pg.QueryConfig; outcomes: Outcome[] } | null;
  committed: () => void;
}

/**
 * Does jobs in one transaction, and returns what to tell once it is committed. It is tried again after conflicts and when the
 * connection is lost, and never when it was committed.
 */
function createTransact(known: Known, pool: pg.Pool, eventLog: Pick<EventLog, 'append'>) {
  return async (lane: Lane, batch: readonly Entry[]): Promise<Outcome[]> => {
    const giveUpAt = performance.now() + giveUpAfterMs;
    const locks = new BatchLocks(known.sessions);
    // It is tried once more, and finds what the other one wrote.
    let wasOvertaken = false;
    for (;;) {
      const attempt: Attempt = { sent: null, committed: () => undefined };
      try {
        return await transact(lane, batch, locks, attempt);
      } catch (error) {
        const outcomes = await undo(lane, attempt, error);
        if (outcomes) return outcomes;
        const mayPass = isPassing(error) || (isOvertaken(error) && !wasOvertaken);
        wasOvertaken = isOvertaken(error);
        if (!mayPass || performance.now() > giveUpAt) throw error;
        if (!(error instanceof NotLocked)) await sleep(Math.random() * pauseMs);
      }
    }
  };

  /** Rolls a failed attempt back and returns null. Returns its outcomes if it was in fact committed and only the connection was lost. */
  async function undo(lane: Lane, { sent, committed }: Attempt, error: unknown): Promise<Outcome[] | null> {
    if (!isLost(error)) {
      await lane.rollBack();
      return null;
    }
    lane.drop();
    if (!sent || !(await wasCommitted(pool, sent.xid, sent.proof))) return null;
    committed();
    return sent.outcomes;
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
    const [xid] = await sendTogether(client, () =>
      Promise.all([begin(client), batch.lock(client), batch.load(client)]),
    );
    const { tx, committed } = startTransaction(client);
    await readTogether(entries, tx);
    const outcomes: Outcome[] = [];
    let beganAt = performance.now();
    for (const entry of entries) {
      outcomes.push(await runJob(client, batch, entry));
      if (performance.now() - beganAt < longestTurnMs) continue;
      await nextTurn();
      beganAt = performance.now();
    }
    attempt.committed = () => {
      batch.policySets.committed();
      committed();
    };
    if (batch.events.length > 0) await eventLog.append(tx, batch.events);
    const { proof } = batch.evaluations;
    const mark = proof ? [] : [markCommit(lane.mark)];
    attempt.sent = { xid, proof: proof ?? findMark(lane.mark), outcomes };
    const statements = [...batch.statements, ...mark, { text: 'COMMIT' }];
    await sendTogether(client, () => Promise.all(statements.map((one) => client.query(one))));
    attempt.committed();
    return outcomes;
  }
}

/** All reads have ended when it returns or throws: one that went on would reach the connection's next transaction. */
async function readTogether(entries: readonly Entry[], tx: Db): Promise<void> {
  const reads = await Promise.allSettled(entries.map(({ job }) => job.read?.(tx)));
  const failed = reads.find((read) => read.status === 'rejected');
  if (failed) throw failed.reason;
}

const isPassing = (error: unknown): boolean =>
  error instanceof NotLocked || isLost(error) || isConflict(error);

/**
 * A batch finds all rows by their keys, some tens of them. PostgreSQL expects a hundred rows of any JSON, would join them with all rows of
 * the other table, and would plan some statements anew each time.
 */
const beginning = `BEGIN; SELECT pg_current_xact_id()::text AS xid, set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true)`;

/**
 * Begins a transaction, and returns its number. It has one before any place in the record is given: whoever reads the record up to a
 * place waits for it.
 */
async function begin(client: pg.Client): Promise<string> {
  // pg returns a list of results for a text of several statements.
  const results: unknown = await client.query(beginning);
  const [, { rows }] = results as [pg.QueryResult, pg.QueryResult<{ xid: string }>];
  return rows[0]?.xid as string;
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

/** A connection, opened again when it was lost. */
class Lane {
  readonly #address: Address;
  readonly mark = newMark();
  #client: pg.Client | null = null;

  constructor(address: Address) {
    this.#address = address;
  }

  async connection(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const { url, prepares } = this.#address;
    const client = new pg.Client({ ...connectionConfig(url), pipeline: true });
    if (!prepares) prepareNothing(client);
    client.on('error', () => {
      if (this.#client === client) this.#client = null;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
  drop(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch(() => undefined);
  }
  async rollBack(): Promise<void> {
    await this.#client?.query('ROLLBACK').catch(() => this.drop());
  }
  async close(): Promise<void> {
    await this.#client?.end().catch(() => undefined);
  }
}

/** Runs `send`, whose statements reach the server as one write: each would be a system call of its own here, and wake the server there. */
function sendTogether<Result>(client: pg.Client, send: () => Result): Result {
  const { stream } = client.connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
