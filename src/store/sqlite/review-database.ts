import { and, desc, eq, gt } from 'drizzle-orm';
import type { GrantRows } from '../../evaluate/sqlite/grants.ts';
import type { IntegrationRows } from '../../evaluate/sqlite/integration-rows.ts';
import type { RecordedRows } from '../../evaluate/sqlite/record.ts';
import type { RecordChains } from '../../evaluate/sqlite/record-chains.ts';
import type { SessionChanges, SessionStates } from '../../evaluate/sqlite/session-states.ts';
import { cancelReview, type ReviewDatabase } from '../../features/reviews/store.ts';
import { createReviewRows, type ReviewRow } from '../../features/reviews/store-reads.ts';
import { entryHash } from '../../record/entries.ts';
import { type RecordedDecision, reviewEntry } from '../../record/review-entry.ts';
import type { CounterCells } from '../../schemas/counter-cells.ts';
import { runSteps } from '../../sql/sqlite/sql.ts';
import { call, type Sql } from '../../sql/steps.ts';
import type { CountRejection, ReviewCancelling } from '../reviews.ts';
import { erase } from './client.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import { evaluations, recordEntries, reviews } from './tables.ts';

/** Entries that have no row elsewhere. Synchronous: it runs inside a change. */
interface RecordEntries {
  /** Records a person's decision about a held action, in the chain of the action. */
  addDecision(of: { integrationId: string; sessionId: string | null }, decision: RecordedDecision): void;
}

export function createRecordEntries(
  { db, steady }: Pick<Sqlite, 'db' | 'steady'>,
  integrations: IntegrationRows,
  sessions: SessionStates,
  chains: RecordChains,
): RecordEntries {
  const lastEvaluation = steady
    .select({ id: evaluations.id })
    .from(evaluations)
    .orderBy(desc(evaluations.id))
    .limit(1)
    .prepare();

  return {
    addDecision({ integrationId, sessionId }, decision) {
      const integrationRow = integrations.find(integrationId);
      const session = sessionId === null ? null : sessions.find(integrationRow, sessionId);
      const link = chains.next(integrationId, session);
      const hash = entryHash(reviewEntry(link, decision));
      db.insert(recordEntries)
        .values({
          integrationId: integrationRow,
          sessionId: session?.row.id ?? null,
          kind: 'review',
          members: JSON.stringify(decision),
          afterEvaluationId: lastEvaluation.get()?.id ?? 0,
          chainSeq: link.seq,
          entryHash: hash,
        })
        .run();
      chains.add(link, hash, session);
      if (session) sessions.changed(session);
    },
  };
}

/** Counts the rejection of a held action. Synchronous: it runs inside the change in which a person decides. */
type CountRejected = (
  review: Pick<ReviewRow, 'id' | 'integrationId' | 'sessionId'>,
  /** The counts of the hold; null when no counter counts it. */
  rejectionCounts: string | null,
  at: number,
  count: CountRejection | undefined,
) => void;

export function createCountRejected(
  {
    integrations,
    sessions,
    trees,
    counterScopes,
  }: Pick<RecordedRows, 'integrations' | 'sessions' | 'trees' | 'counterScopes'>,
  changes: Pick<SessionChanges, 'addRejection'>,
): CountRejected {
  return ({ id, integrationId, sessionId }, rejectionCounts, at, count) => {
    const session = sessionId === null ? null : sessions.findAny(sessionId);
    if (session) {
      trees.countRejection(session);
      changes.addRejection(session.row.id, id);
    }
    if (rejectionCounts === null || !count) return;
    const integrationRow = integrations.find(integrationId);
    const loaded = counterScopes.loadKnown({
      integrationRow,
      session,
      entityId: session?.entityId ?? null,
      root: session && trees.rootOf(session, integrationRow),
    });
    const cells: CounterCells = {
      find: (counter, scope, name) => loaded.of(scope)?.find(counter, name) ?? null,
    };
    const writes = count(rejectionCounts, cells, at);
    counterScopes.write(
      loaded,
      session,
      writes.filter(({ counter, scope }) => loaded.has(counter, scope)),
      at,
    );
  };
}

/** The parts of the store that reviews change besides their own rows. */
interface RowsOfReviews {
  grants: Pick<GrantRows, 'give' | 'takeBack'>;
  eventLog: Pick<EventLog, 'append'>;
  entries: RecordEntries;
  countRejected: CountRejected;
}

/** `sql` records what operators decide. */
export function createReviewDatabase(
  { client }: Pick<Sqlite, 'client'>,
  sql: Sql,
  { grants, eventLog, entries, countRejected }: RowsOfReviews,
): ReviewDatabase {
  return {
    // A change has the database to itself.
    lock: () => call(() => undefined),

    decide: (_, { at, count }, load, write) =>
      sql.change(function* (db) {
        const loaded = yield* load(db);
        if (!loaded) return null;
        const { row, rejection } = loaded;
        if (rejection) countRejected(row, rejection.rejectionCounts, at, count);
        return yield* write(db, loaded);
      }),

    append: (_, event) => call(() => void eventLog.append(event)),
    addDecision: (_, owner, decision) => call(() => entries.addDecision(owner, decision)),
    giveGrants: (_, { key: row, ...review }, offers, at) =>
      call(() => grants.give({ row, ...review }, offers, at)),
    takeBackGrants: (_, sessionId, offers, at) => call(() => grants.takeBack(sessionId, offers, at)),
    erase: (steps) => call(() => erase(client, () => runSteps(steps))),
  };
}

/** Reviews that end with their session. Synchronous: it runs inside a change. */
export interface ReviewCancellations {
  /** Nobody can decide what is PENDING in it, nor use what is APPROVED. */
  endSession(sessionRow: number, now: number, cancelling: ReviewCancelling | undefined): void;
}

export function createReviewCancellations(
  { db }: Pick<Sqlite, 'db'>,
  sql: Sql,
  host: ReviewDatabase,
): ReviewCancellations {
  const rows = createReviewRows(sql);
  return {
    endSession(sessionRow, now, cancelling) {
      const open = (status: 'PENDING' | 'APPROVED') =>
        and(eq(reviews.sessionId, sessionRow), eq(reviews.status, status), gt(reviews.expiresAt, now));
      db.update(reviews).set({ expiresAt: now }).where(open('APPROVED')).run();
      const isPending = open('PENDING');
      // Most sessions end without one, and whole reviews are a wide read.
      if (!db.select({ key: reviews.id }).from(reviews).where(isPending).limit(1).get()) return;
      for (const row of runSteps(rows.select(db, isPending)))
        runSteps(cancelReview(sql, host, { db, row, now, cancelling }));
    },
  };
}
