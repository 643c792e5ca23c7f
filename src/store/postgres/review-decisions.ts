import { and, eq } from 'drizzle-orm';
import { type Job, runAlone } from '../../evaluate/postgres/jobs.ts';
import type { GrantOffer } from '../../schemas/grants.ts';
import { parseList } from '../parse-list.ts';
import { asksForRequester, type SettledDecision, settleDecision } from '../review-decision.ts';
import type { Requester, ReviewDecision, ReviewStore } from '../reviews.ts';
import { toStoredReview } from '../stored-reviews.ts';
import type { Db, Postgres } from './database.ts';
import type { EventLog } from './events.ts';
import { giveGrants, takeBackGrants } from './grants.ts';
import { addDecision } from './record-entries.ts';
import { rejectingJob } from './rejections.ts';
import { addApproval, approvalsOf } from './review-approvals.ts';
import { type ReviewRow, selectReviews } from './review-columns.ts';
import { findContent, settleContent } from './review-contents.ts';
import { findOwner, lockReviewRow } from './review-locks.ts';
import { isRequester } from './session-labels.ts';
import { callbacks, evaluationSessions, integrationKeys, reviewHandling, reviews } from './tables.ts';

/** What operators decide. Of several that decide at once, over all replicas, each sees what the one before did. */
export function createReviewDecisions(
  { read: readOnly }: Pick<Postgres, 'read'>,
  audited: Pick<Postgres, 'change' | 'salt'>,
  eventLog: Pick<EventLog, 'append'>,
): Pick<ReviewStore, 'decide'> {
  const wasRequestedBy = async (tx: Db, row: ReviewRow, decision: ReviewDecision): Promise<boolean> =>
    asksForRequester(row, decision) &&
    !!decision.requester &&
    (await mayHaveRequested(tx, row.id, decision.requester));

  async function read(tx: Db, id: string): Promise<ReviewRow> {
    const [row] = await selectReviews(tx, eq(reviews.id, id));
    if (!row) throw new Error('a review that was locked is missing');
    return row;
  }

  async function mayHaveRequested(tx: Db, id: string, requester: Requester): Promise<boolean> {
    const found = await tx
      .select({ id: reviews.id })
      .from(reviews)
      .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
      .leftJoin(integrationKeys, eq(integrationKeys.integrationId, reviews.integrationId))
      .where(and(eq(reviews.id, id), isRequester(requester)))
      .limit(1);
    return found.length > 0;
  }

  async function setReason(tx: Db, reviewId: string, { reason = null }: ReviewDecision): Promise<void> {
    if (reason === null) return;
    await tx
      .insert(reviewHandling)
      .values({ reviewId, reason })
      .onConflictDoUpdate({ target: reviewHandling.reviewId, set: { reason } });
  }

  /** Gives what an approval offers; a rejection takes the same back, and returns the grants that ended. */
  async function settleGrants(
    tx: Db,
    { id, sessionId, dataTags }: ReviewRow,
    status: ReviewDecision['status'],
    offers: readonly GrantOffer[],
    now: number,
  ): Promise<string[]> {
    if (sessionId === null) return [];
    if (status === 'REJECTED') return takeBackGrants(tx, sessionId, offers, now);
    await giveGrants(tx, { id, sessionId, dataTags: parseList(dataTags) }, offers, now);
    return [];
  }

  interface Loaded {
    row: ReviewRow;
    settled: SettledDecision;
    rejectionCounts: string | null;
  }

  /** What the decision says of the review, under its locks. */
  async function load(tx: Db, id: string, decision: ReviewDecision): Promise<Loaded> {
    await lockReviewRow(tx, id);
    const row = await read(tx, id);
    const isRequester = await wasRequestedBy(tx, row, decision);
    const settled = settleDecision(row, await approvalsOf(tx, row.id), isRequester, decision);
    const isRejection = settled.kind === 'decided' && decision.status === 'REJECTED';
    const rejectionCounts = isRejection ? ((await findContent(tx, id))?.rejectionCounts ?? null) : null;
    return { row, settled, rejectionCounts };
  }

  return {
    async decide(id, decision, callback, event, count) {
      const owner = await readOnly((db) => findOwner(db, id));
      if (!owner) return 'no_review';
      const { now, comment, status, decidedBy } = decision;
      let loaded: Loaded;
      const job: Job<void> = {
        ...rejectingJob(owner, id, now, count, () =>
          status === 'REJECTED' && loaded.settled.kind === 'decided' ? loaded : null,
        ),
        read: async (tx) => {
          loaded = await load(tx, id, decision);
        },
      };
      return runAlone(audited, eventLog, job, async (tx) => {
        const { row, settled } = loaded;
        if (settled.kind === 'refused') return settled.result;
        const { approval, entry, offers } = settled;
        if (approval) await addApproval(tx, row.id, approval, comment, now);
        if (settled.kind === 'kept') {
          await addDecision(tx, owner, entry);
          return toStoredReview(await read(tx, id), now);
        }
        await tx
          .update(reviews)
          .set({ status, decidedBy, comment, decidedAt: now, expiresAt: entry.expiresAt })
          .where(eq(reviews.id, row.id));
        const grantsTakenBack = await settleGrants(tx, row, status, offers, now);
        await setReason(tx, row.id, decision);
        await settleContent(tx, row.id, row.callbackUrl !== null);
        const decided = toStoredReview(await read(tx, id), now);
        if (event) await eventLog.append(tx, [event(decided)]);
        await addDecision(tx, owner, { ...entry, grantsTakenBack });
        if (decided.callbackUrl === null) return decided;
        await tx
          .insert(callbacks)
          .values({ ...callback(decided), reviewId: row.id, attemptCount: 0, nextAttemptAt: now });
        return toStoredReview(await read(tx, id), now);
      });
    },
  };
}
