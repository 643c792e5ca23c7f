import { and, eq, sql } from 'drizzle-orm';
import type { ReviewStatus } from '../../schemas/reviews.ts';
import type { NamedReview, NewReview } from '../evaluations.ts';
import type { Sqlite } from './database.ts';
import type { PolicySetRows } from './policy-sets.ts';
import { evaluationSessions, reviews } from './tables.ts';

type ReviewRow = typeof reviews.$inferSelect;

/** The reads and writes of a review that evaluations make. Synchronous: they run inside a change. */
export interface ReviewRows {
  findNamed(integrationRow: number, id: string, now: number): (NamedReview & { row: number }) | null;
  insert(
    review: NewReview,
    of: {
      integrationRow: number;
      sessionRow: number | null;
      evaluationRow: number;
      tool: string;
      policySetRow: number;
      createdAt: number;
    },
  ): void;
  consume(row: number, now: number): void;
}

/** An undecided review and an unused approval both end with `expiresAt`, which itself is already too late. */
export const reviewStatusAt = (row: Pick<ReviewRow, 'status' | 'expiresAt'>, now: number): ReviewStatus =>
  (row.status === 'PENDING' || row.status === 'APPROVED') && row.expiresAt <= now ? 'EXPIRED' : row.status;

export function createReviewRows({ db }: Pick<Sqlite, 'db'>, policySets: PolicySetRows): ReviewRows {
  const byUid = db
    .select({
      row: reviews.id,
      status: reviews.status,
      expiresAt: reviews.expiresAt,
      integrationRow: reviews.integrationId,
      sessionId: evaluationSessions.uid,
      tool: reviews.tool,
      inputHash: reviews.inputHash,
      policySetRow: reviews.policySetId,
    })
    .from(reviews)
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
    .where(eq(reviews.uid, sql.placeholder('id')))
    .prepare();

  return {
    findNamed(integrationRow, id, now) {
      const found = byUid.get({ id: id.toLowerCase() });
      if (!found || found.integrationRow !== integrationRow) return null;
      const { row, sessionId, tool, inputHash, policySetRow } = found;
      const policySetKey = policySets.keyOf(policySetRow);
      return { row, status: reviewStatusAt(found, now), sessionId, tool, inputHash, policySetKey };
    },

    insert({ id, ...review }, { integrationRow, sessionRow, evaluationRow, policySetRow, ...of }) {
      db.insert(reviews)
        .values({
          ...review,
          ...of,
          uid: id,
          integrationId: integrationRow,
          sessionId: sessionRow,
          evaluationId: evaluationRow,
          policySetId: policySetRow,
          status: 'PENDING',
        })
        .run();
    },

    consume(row, now) {
      const used = db
        .update(reviews)
        .set({ status: 'CONSUMED', consumedAt: now })
        .where(and(eq(reviews.id, row), eq(reviews.status, 'APPROVED')))
        .run();
      if (used.changes !== 1) throw new Error('an approval was used that is not APPROVED');
    },
  };
}
