import { eq } from 'drizzle-orm';
import { type Job, runAlone } from '../../evaluate/postgres/jobs.ts';
import type { LoadedDecision, ReviewDatabase, ReviewOwner } from '../../features/reviews/store.ts';
import { integrationChain } from '../../record/chains.ts';
import { asPostgres, asSqlite, runSteps } from '../../sql/postgres/sql.ts';
import { call } from '../../sql/steps.ts';
import type { Db, Postgres } from './database.ts';
import type { EventLog } from './events.ts';
import { giveGrants, takeBackGrants } from './grants.ts';
import { lockChain, lockSessions } from './locks.ts';
import { addDecision } from './record-entries.ts';
import { rejectingJob } from './rejections.ts';
import { reviews } from './tables.ts';

/** `audited` records what operators decide. Of several that decide at once, over all replicas, each sees what the one before did. */
export const createReviewDatabase = (
  { read }: Pick<Postgres, 'read'>,
  audited: Pick<Postgres, 'change' | 'salt'>,
  eventLog: Pick<EventLog, 'append'>,
): ReviewDatabase => ({
  lock: (db, id) => call(() => lockReview(asPostgres(db), id)),

  async decide(id, { at, count }, load, write) {
    const owner = await read((db) => findOwner(db, id));
    if (!owner) return null;
    let loaded: LoadedDecision | null = null;
    const job: Job<void> = {
      ...rejectingJob(owner, id, at, count, () => loaded?.rejection ?? null),
      async read(tx) {
        await lockReviewRow(tx, id);
        loaded = await runSteps(load(asSqlite(tx)));
      },
    };
    return runAlone(audited, eventLog, job, (tx) => {
      if (!loaded) throw new Error('a review that was locked is missing');
      return runSteps(write(asSqlite(tx), loaded));
    });
  },

  append: (db, event) => call(() => eventLog.append(asPostgres(db), [event])),
  addDecision: (db, { integrationId, sessionId }, decision) =>
    call(() => addDecision(asPostgres(db), { integrationId, sessionId }, decision)),
  giveGrants: (db, review, offers, at) => call(() => giveGrants(asPostgres(db), review, offers, at)),
  takeBackGrants: (db, sessionId, offers, at) =>
    call(() => takeBackGrants(asPostgres(db), sessionId, offers, at)),
  // Rows that are deleted stay in the files until a vacuum: that is its administrator's.
  erase: (steps) => steps,
});

/** After what an evaluation locks before it: its session, or the chain of its integration. */
async function lockReview(tx: Db, id: string): Promise<void> {
  const owner = await findOwner(tx, id);
  if (!owner) return;
  const { sessionId, integrationId } = owner;
  if (sessionId === null) await lockChain(tx, integrationChain(integrationId));
  else await lockSessions(tx, [sessionId]);
  await lockReviewRow(tx, id);
}

async function findOwner(db: Db, id: string): Promise<ReviewOwner | null> {
  const [owner] = await db
    .select({ integrationId: reviews.integrationId, sessionId: reviews.sessionId })
    .from(reviews)
    .where(eq(reviews.id, id));
  return owner ?? null;
}

/** The last one of the locks of a review. */
const lockReviewRow = (tx: Db, id: string): Promise<unknown> =>
  tx.select({ id: reviews.id }).from(reviews).where(eq(reviews.id, id)).for('update');
