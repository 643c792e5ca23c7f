import { and, eq, or } from 'drizzle-orm';
import { parseList } from '../parse-list.ts';
import { asksForRequester, settleDecision } from '../review-decision.ts';
import type { Requester, ReviewStore, StoredReview } from '../reviews.ts';
import { toStoredReview } from '../stored-reviews.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import type { GrantRows } from './grants.ts';
import type { RecordEntries } from './record-entries.ts';
import { createReviewApprovals } from './review-approvals.ts';
import type { ReviewRow } from './review-columns.ts';
import type { ReviewContents } from './review-contents.ts';
import { callbacks, evaluationSessions, integrationKeys, reviewHandling, reviews } from './tables.ts';

/** What operators decide. */
export function createReviewDecisions(
  { db, writer }: Pick<Sqlite, 'db' | 'writer'>,
  find: (id: string) => ReviewRow | undefined,
  contents: ReviewContents,
  grants: Pick<GrantRows, 'give' | 'takeBack'>,
  eventLog: Pick<EventLog, 'append'>,
  entries: RecordEntries,
): Pick<ReviewStore, 'decide'> {
  const approvals = createReviewApprovals({ db });

  /** A key that was replaced may have been used for the action, and the expired one, too. */
  const mayHaveRequested = (review: number, { operatorId, entityId }: Requester): boolean =>
    db
      .select({ id: reviews.id })
      .from(reviews)
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .leftJoin(integrationKeys, eq(integrationKeys.integrationId, reviews.integrationId))
      .where(
        and(
          eq(reviews.id, review),
          or(
            eq(integrationKeys.issuedBy, operatorId),
            entityId === null ? undefined : eq(evaluationSessions.entityId, entityId),
          ),
        ),
      )
      .limit(1)
      .get() !== undefined;

  return {
    decide: (id, decision, callback, event) =>
      writer.run(() => {
        const row = find(id);
        if (!row) return 'no_review';
        const { requester } = decision;
        const isRequester =
          asksForRequester(row, decision) && !!requester && mayHaveRequested(row.row, requester);
        const settled = settleDecision(row, approvals.of(row.row), isRequester, decision);
        if (settled.kind === 'refused') return settled.result;
        const { now, comment, status, decidedBy, reason = null } = decision;
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
        const { sessionId } = row;
        let grantsTakenBack: string[] = [];
        if (sessionId !== null && status === 'REJECTED')
          grantsTakenBack = grants.takeBack(sessionId, offers, now);
        else if (sessionId !== null)
          grants.give({ row: row.row, sessionId, dataTags: parseList(row.dataTags) }, offers, now);
        if (reason !== null) {
          db.insert(reviewHandling)
            .values({ reviewId: row.row, reason })
            .onConflictDoUpdate({ target: reviewHandling.reviewId, set: { reason } })
            .run();
        }
        contents.settle(row.row, row.callbackUrl !== null);
        const decided = read();
        if (event) eventLog.append(event(decided));
        entries.addDecision(row, { ...entry, grantsTakenBack });
        if (decided.callbackUrl === null) return decided;
        const { id: uid, body } = callback(decided);
        db.insert(callbacks)
          .values({ uid, reviewId: row.row, body, attemptCount: 0, nextAttemptAt: now })
          .run();
        return read();
      }),
  };
}
