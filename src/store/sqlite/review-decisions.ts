import { and, eq } from 'drizzle-orm';
import type { GrantRows } from '../../evaluate/sqlite/grants.ts';
import type { GrantOffer } from '../../schemas/grants.ts';
import { parseList } from '../parse-list.ts';
import { asksForRequester, settleDecision } from '../review-decision.ts';
import type { CountRejection, Requester, ReviewDecision, ReviewStore, StoredReview } from '../reviews.ts';
import { toStoredReview } from '../stored-reviews.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import type { RecordEntries } from './record-entries.ts';
import type { CountRejected } from './rejections.ts';
import { createReviewApprovals } from './review-approvals.ts';
import type { ReviewRow } from './review-columns.ts';
import type { ReviewContents } from './review-contents.ts';
import { isRequester } from './session-labels.ts';
import {
  callbacks,
  evaluationSessions,
  integrationKeys,
  integrations,
  reviewHandling,
  reviews,
} from './tables.ts';

/** What reviews change besides their own rows. */
export interface RowsOfReviews {
  contents: ReviewContents;
  grants: Pick<GrantRows, 'give' | 'takeBack'>;
  eventLog: Pick<EventLog, 'append'>;
  entries: RecordEntries;
  countRejected: CountRejected;
}

/** What operators decide. */
export function createReviewDecisions(
  { db, writer }: Pick<Sqlite, 'db' | 'writer'>,
  find: (id: string) => ReviewRow | undefined,
  { contents, grants, eventLog, entries, countRejected }: RowsOfReviews,
): Pick<ReviewStore, 'decide'> {
  const approvals = createReviewApprovals({ db });

  const mayHaveRequested = (review: number, requester: Requester): boolean =>
    db
      .select({ id: reviews.id })
      .from(reviews)
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .innerJoin(integrations, eq(integrations.row, reviews.integrationId))
      .leftJoin(integrationKeys, eq(integrationKeys.integrationId, integrations.id))
      .where(and(eq(reviews.id, review), isRequester(requester)))
      .limit(1)
      .get() !== undefined;

  const wasRequestedBy = (row: ReviewRow, decision: ReviewDecision): boolean =>
    asksForRequester(row, decision) && !!decision.requester && mayHaveRequested(row.row, decision.requester);

  function setReason(reviewId: number, { reason = null }: ReviewDecision): void {
    if (reason === null) return;
    db.insert(reviewHandling)
      .values({ reviewId, reason })
      .onConflictDoUpdate({ target: reviewHandling.reviewId, set: { reason } })
      .run();
  }

  /** Gives what an approval offers; a rejection takes the same back, and returns the grants that ended. */
  function settleGrants(
    { row, sessionId, dataTags }: ReviewRow,
    status: ReviewDecision['status'],
    offers: readonly GrantOffer[],
    now: number,
  ): string[] {
    if (sessionId === null) return [];
    if (status === 'REJECTED') return grants.takeBack(sessionId, offers, now);
    grants.give({ row, sessionId, dataTags: parseList(dataTags) }, offers, now);
    return [];
  }

  function countDecision(
    row: ReviewRow,
    { status, now }: ReviewDecision,
    count: CountRejection | undefined,
  ): void {
    if (status !== 'REJECTED') return;
    countRejected(row, contents.find(row.row)?.rejectionCounts ?? null, now, count);
  }

  /** False for a review that names none. */
  function addCallback(
    reviewId: number,
    decided: StoredReview,
    callback: Parameters<ReviewStore['decide']>[2],
    nextAttemptAt: number,
  ): boolean {
    if (decided.callbackUrl === null) return false;
    const { id: uid, body } = callback(decided);
    db.insert(callbacks).values({ uid, reviewId, body, attemptCount: 0, nextAttemptAt }).run();
    return true;
  }

  return {
    decide: (id, decision, callback, event, count) =>
      writer.run(() => {
        const row = find(id);
        if (!row) return 'no_review';
        const isRequester = wasRequestedBy(row, decision);
        const settled = settleDecision(row, approvals.of(row.row), isRequester, decision);
        if (settled.kind === 'refused') return settled.result;
        const { now, comment, status, decidedBy } = decision;
        const { approval, entry, offers } = settled;
        if (approval) approvals.add(row.row, approval, comment, now);
        const read = (): StoredReview => toStoredReview(find(id) as ReviewRow, now);
        if (settled.kind === 'kept') {
          entries.addDecision(row, entry);
          return read();
        }
        db.update(reviews)
          .set({ status, decidedBy, comment, decidedAt: now, expiresAt: entry.expiresAt })
          .where(and(eq(reviews.id, row.row), eq(reviews.status, 'PENDING')))
          .run();
        const grantsTakenBack = settleGrants(row, status, offers, now);
        countDecision(row, decision, count);
        setReason(row.row, decision);
        contents.settle(row.row, row.callbackUrl !== null);
        const decided = read();
        if (event) eventLog.append(event(decided));
        entries.addDecision(row, { ...entry, grantsTakenBack });
        return addCallback(row.row, decided, callback, now) ? read() : decided;
      }),
  };
}
