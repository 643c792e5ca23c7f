import { and, eq, or } from 'drizzle-orm';
import type { GrantOffer } from '../../schemas/grants.ts';
import { findingsHolding, withApproval } from '../review-approvals.ts';
import { reviewStatusAt } from '../review-status.ts';
import type { Requester, ReviewStore } from '../reviews.ts';
import type { Sqlite } from './database.ts';
import type { EventLog } from './events.ts';
import type { GrantRows } from './grants.ts';
import { parseList } from './parse-list.ts';
import type { RecordEntries } from './record-entries.ts';
import { createReviewApprovals } from './review-approvals.ts';
import { type ReviewRow, toStored } from './review-columns.ts';
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
    decide: (
      id,
      {
        status,
        decidedBy,
        groups = [],
        requester = null,
        comment,
        reason = null,
        evaluationRunId = null,
        fourEyes = false,
        once = false,
        now,
      },
      callback,
      event,
    ) =>
      writer.run(() => {
        const row = find(id);
        if (!row) return 'no_review';
        const before = reviewStatusAt(row, now);
        if (before !== 'PENDING') return { notPending: toStored(row, now) };
        const seen = evaluationRunId?.toLowerCase() ?? row.evaluationRunId;
        if (seen !== row.evaluationRunId) return 'other_evaluation';
        const offers = row.offers === null ? [] : (JSON.parse(row.offers) as GrantOffer[]);
        let isOnce = false;
        if (status === 'APPROVED') {
          const { terms, violations } = toStored(row, now);
          if (requester && (fourEyes || terms.notRequester) && mayHaveRequested(row.row, requester))
            return 'own_request';
          const one = { operatorId: decidedBy, groups, findings: findingsHolding(violations), once };
          const result = withApproval(terms, approvals.of(row.row), one);
          if (result === 'not_in_group' || result === 'already_approved') return result;
          approvals.add(row.row, one, comment, now);
          isOnce = result === 'approved_once';
          if (result === 'more_needed') {
            const { evaluationRunId: evaluationId, expiresAt } = row;
            const given = { id: row.id, at: now, evaluationId, decidedBy, comment, expiresAt };
            entries.addDecision(row, { ...given, status: 'APPROVED_IN_PART' });
            return toStored(find(id) as ReviewRow, now);
          }
        }
        db.update(reviews)
          .set({
            status,
            decidedBy,
            comment,
            decidedAt: now,
            expiresAt: now + row.expirySeconds * 1_000,
          })
          .where(and(eq(reviews.id, row.row), eq(reviews.status, 'PENDING')))
          .run();
        const granted = row.sessionId !== null && status === 'APPROVED' && !isOnce ? offers : [];
        const grantsTakenBack =
          row.sessionId !== null && status === 'REJECTED' ? grants.takeBack(row.sessionId, offers, now) : [];
        if (row.sessionId !== null) {
          const { row: reviewRow, sessionId } = row;
          grants.give({ row: reviewRow, sessionId, dataTags: parseList(row.dataTags) }, granted, now);
        }
        if (reason !== null) {
          db.insert(reviewHandling)
            .values({ reviewId: row.row, reason })
            .onConflictDoUpdate({ target: reviewHandling.reviewId, set: { reason } })
            .run();
        }
        contents.settle(row.row, row.callbackUrl !== null);
        const decided = toStored(find(id) as ReviewRow, now);
        if (event) eventLog.append(event(decided));
        entries.addDecision(row, {
          id: row.id,
          at: now,
          status,
          evaluationId: row.evaluationRunId,
          decidedBy,
          comment,
          expiresAt: decided.expiresAt,
          grants: granted,
          grantsTakenBack,
        });
        if (decided.callbackUrl === null) return decided;
        const { id: uid, body } = callback(decided);
        db.insert(callbacks)
          .values({ uid, reviewId: row.row, body, attemptCount: 0, nextAttemptAt: now })
          .run();
        return toStored(find(id) as ReviewRow, now);
      }),
  };
}
