import { eq } from 'drizzle-orm';
import type { Batch } from '../../evaluate/postgres/batch.ts';
import { LoadedScopes } from '../../evaluate/postgres/counter-scopes.ts';
import { apply, type Job, runAlone } from '../../evaluate/postgres/jobs.ts';
import { addLink, nextLink } from '../../evaluate/postgres/record-chains.ts';
import type { SessionState } from '../../evaluate/postgres/session-state.ts';
import type { LoadedDecision, ReviewDatabase, ReviewOwner } from '../../features/reviews/store.ts';
import { entryHash, integrationChain } from '../../record/entries.ts';

import { type RecordedDecision, reviewEntry } from '../../record/review-entry.ts';
import type { CounterCells, CounterWrite } from '../../schemas/counter-cells.ts';
import { asPostgres, asSqlite, runSteps } from '../../sql/postgres/sql.ts';
import { call } from '../../sql/steps.ts';
import type { CountRejection } from '../reviews.ts';
import type { Db, Postgres } from './database.ts';
import type { EventLog } from './events.ts';
import { giveGrants, takeBackGrants } from './grants.ts';
import { lockChain, lockNames, lockSessions } from './locks.ts';
import { recordEntries, reviews } from './tables.ts';

/** Adds what a person decided about a held action to the chain that the action is in. The review must be locked. */
async function addDecision(tx: Db, owner: ReviewOwner, decision: RecordedDecision): Promise<void> {
  const link = await nextLink(tx, owner);
  const hash = entryHash(reviewEntry(link, decision));
  await tx.insert(recordEntries).values({
    ...owner,
    kind: 'review',
    members: JSON.stringify(decision),
    chainSeq: link.seq,
    entryHash: hash,
  });
  await addLink(tx, owner, link, hash);
}

/**
 * Takes the locks of a review that a person decides, and counts its rejection: in its session and tree, and in counters. `rejected`
 * is asked under the locks; null for every other decision.
 */
function rejectingJob(
  { integrationId, sessionId }: ReviewOwner,
  reviewId: string,
  at: number,
  count: CountRejection | undefined,
  rejected: () => { rejectionCounts: string | null } | null,
): Job<void> {
  return {
    sessionIds: sessionId === null ? [] : [sessionId],
    size: 1_000,
    keys: () => [],

    prepare(batch) {
      if (sessionId === null) batch.locks.name(lockNames.chain(integrationChain(integrationId)));
      else batch.locks.wantSession(sessionId);
      batch.integrations.want(integrationId);
    },

    run(batch) {
      const rejection = rejected();
      if (!rejection) return;
      const session = sessionId === null ? null : batch.sessions.findAny(sessionId);
      const { rejectionCounts } = rejection;
      const counted =
        rejectionCounts !== null && count
          ? countIn(batch, integrationId, session, (cells) => count(rejectionCounts, cells, at))
          : null;
      // Counts that may be missing are read first: a rejection counts once.
      if (session) batch.trees.countsOf(session, null);
      apply(() => {
        if (session) {
          batch.trees.countRejection(session);
          batch.sessions.writes.noteRejection(session, reviewId);
        }
        counted?.loaded.write(session, counted.writes, at);
      });
    },
  };
}

function countIn(
  batch: Batch,
  integrationId: string,
  session: SessionState | null,
  count: (cells: CounterCells) => readonly CounterWrite[],
): { loaded: LoadedScopes; writes: readonly CounterWrite[] } {
  const root = session && batch.trees.rootOf(session, integrationId, session);
  const of = { integrationId, session, entityId: session?.entityId ?? null, root };
  const loaded = new LoadedScopes(batch.counters, batch.sessions, of, [], null);
  const find: CounterCells['find'] = (counter, scope, name) => loaded.read(counter, scope, name);
  const writes = count({ find }).filter(({ counter, scope }) => loaded.has(counter, scope));
  loaded.prepare(writes);
  return { loaded, writes };
}

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
