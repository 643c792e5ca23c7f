import type { ClientBase } from 'pg';
import { clientOf, type Db, type Postgres } from '../../store/postgres/database.ts';
import type { EventLog } from '../../store/postgres/events.ts';
import { Batch, Known } from './batch.ts';
import { BatchLocks, NotLocked } from './batch-locks.ts';
import { NotLoaded } from './rows.ts';

/** A change in a session, or one that may open a session: done together with others in one transaction. */
export interface Job<Result> {
  /** Sessions of which has to be known what is above them. */
  readonly sessionIds: readonly string[];
  /** Whatever has the same key is never under way twice in this process: it would wait for itself. */
  keys(known: Known): string[];
  /** Bytes of its texts, about. */
  readonly size: number;
  /** Says which locks and rows it needs, as far as it is known. */
  prepare(batch: Batch): void;
  /** Reads more, under the locks, before it runs. */
  read?(db: Db): Promise<void>;
  /**
   * Does it, and returns its result. It throws `NotLoaded` or `NotLocked` when something is missing, and is called again; then
   * nothing may have been done that would be done twice. Any other error is that of this job alone.
   */
  run(batch: Batch): Result;
}

/** A job failed after it had begun to change the batch: nothing of the batch may be written. */
export class HalfDone extends Error {}

/** Changes the batch: all of it, or the batch fails. */
export function apply<Result>(change: () => Result): Result {
  try {
    return change();
  } catch (cause) {
    throw new HalfDone('a job failed while it was applied', { cause });
  }
}

/**
 * Runs a job in a change of its own, not in a batch with others: `change` of the audit then records both together. `then` writes
 * more in the same transaction, after the job, under its locks.
 */
export async function runAlone<Result, Outcome = Result>(
  { change, salt }: Pick<Postgres, 'change' | 'salt'>,
  eventLog: Pick<EventLog, 'append'>,
  job: Job<Result>,
  then?: (tx: Db, result: Result) => Promise<Outcome>,
): Promise<Outcome> {
  const known = new Known(salt);
  const locks = new BatchLocks(known.sessions);
  for (;;) {
    try {
      return await change(async (tx) => {
        const result = await runIn(tx, known, locks, eventLog, job);
        return then ? then(tx, result) : (result as unknown as Outcome);
      });
    } catch (error) {
      if (!(error instanceof NotLocked)) throw error;
    }
  }
}

async function runIn<Result>(
  tx: Db,
  known: Known,
  locks: BatchLocks,
  eventLog: Pick<EventLog, 'append'>,
  job: Job<Result>,
): Promise<Result> {
  const client = clientOf(tx);
  await known.sessions.learn(client, job.sessionIds);
  const batch = new Batch(known, locks);
  locks.begin();
  job.prepare(batch);
  await batch.lock(client);
  await batch.load(client);
  await job.read?.(tx);
  const result = await complete(client, batch, job);
  if (batch.events.length > 0) await eventLog.append(tx, batch.events);
  for (const statement of batch.statements) await client.query(statement);
  return result;
}

/** Loads what the job misses, until it runs. */
async function complete<Result>(client: ClientBase, batch: Batch, job: Job<Result>): Promise<Result> {
  for (;;) {
    try {
      return job.run(batch);
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      await batch.load(client);
    }
  }
}
