import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { Batch, type Known } from './batch.ts';
import { BatchLocks, NotLocked } from './batch-locks.ts';
import { isConflict, isLost, isOvertaken } from './client.ts';
import { findMark, markCommit, wasCommitted } from './commit-marks.ts';
import { type Db, startTransaction } from './database.ts';
import type { EventLog } from './events.ts';
import { HalfDone, type Job } from './jobs.ts';
import { type Lane, sendTogether } from './lane.ts';
import { NotLoaded } from './rows.ts';

const giveUpAfterMs = 10_000;
const pauseMs = 50;

/** A job, and who waits for it. */
export interface Entry {
  readonly job: Job<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}
/** Tells who waits for a job what it returned. */
export type Outcome = () => void;

/** What is known of a transaction while its connection may be lost. */
interface Attempt {
  /** Once its COMMIT may have been sent. `proof` finds a row when it was committed. */
  sent: { xid: string; proof: pg.QueryConfig; outcomes: Outcome[] } | null;
  committed: () => void;
}

/**
 * Does jobs in one transaction, and returns what to tell once it is committed. It is tried again after conflicts and when the
 * connection is lost, and never when it was committed.
 */
export function createTransact(known: Known, pool: pg.Pool, eventLog: Pick<EventLog, 'append'>) {
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
        if (!(error instanceof NotLocked)) await setTimeout(Math.random() * pauseMs);
      }
    }
  };

  /** Undoes a failed attempt. What it did, when it was committed and only the connection was lost; else null. */
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
    for (const entry of entries) outcomes.push(await runJob(client, batch, entry));
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
  // Of several statements in one text, pg returns a list of results.
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
