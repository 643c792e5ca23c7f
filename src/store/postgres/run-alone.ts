import type { ClientBase } from 'pg';
import { Batch, Known } from './batch.ts';
import { BatchLocks, NotLocked } from './batch-locks.ts';
import { clientOf, type Db, type Postgres } from './database.ts';
import type { EventLog } from './events.ts';
import type { Job } from './jobs.ts';
import { NotLoaded } from './rows.ts';

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
