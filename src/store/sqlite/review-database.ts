import { and, eq, gt } from 'drizzle-orm';
import type { GrantRows } from '../../evaluate/sqlite/grants.ts';
import { cancelReview, type ReviewDatabase } from '../../features/reviews/store.ts';
import { createReviewRows } from '../../features/reviews/store-reads.ts';
import { runSteps } from '../../sql/sqlite/sql.ts';
import { call, type Sql } from '../../sql/steps.ts';
import type { ReviewCancelling } from '../reviews.ts';
import type { Sqlite } from './database.ts';
import { erase } from './erase.ts';
import type { EventLog } from './events.ts';
import type { RecordEntries } from './record-entries.ts';
import type { CountRejected } from './rejections.ts';
import { reviews } from './tables.ts';

/** What reviews change besides their own rows. */
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
