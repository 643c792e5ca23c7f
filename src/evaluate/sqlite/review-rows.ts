import { and, count, desc, eq, gt, sql } from 'drizzle-orm';
import { parseList } from '../../store/rows.ts';
import { erase } from '../../store/sqlite/client.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { evaluationSessions } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { evaluations } from '../../store/sqlite/tables/evaluations.ts';
import { reviewHandling, reviews } from '../../store/sqlite/tables/reviews.ts';
import { reviewContents } from '../../store/sqlite/tables.ts';
import type { HeldContent, Hold, NewReview } from '../evaluation.ts';
import type { Loaded } from '../port.ts';

/** The reads and writes of a review that evaluations make. Synchronous: they run inside a change. */
export interface ReviewRows {
  findNamed(integrationRow: number, id: string): LoadedReview | null;
  /** The newest undecided review of an action. */
  findPending(action: HeldAction): Loaded['pending'];
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
  /** Makes a PENDING review show another evaluation of its action. */
  holdAgain(hold: Hold, evaluationRow: number): void;
  consume(row: number, now: number): void;
  /** The last rejection of this action in the tree of its session, or of an action without a session since `since`. */
  findRejection(action: RejectedAction): Loaded['rejection'];
  /** Reviews of a tree that are PENDING at `now`. */
  countPending(rootId: string, now: number): number;
}

export type LoadedReview = NonNullable<Loaded['review']> & { row: number };

/** An operator who put the expiry off has the time that they wanted, however often the agent tries again. */
const unlessExtended = (column: 'expiresAt' | 'endsWithSession', value: number) => sql<number>`iif(EXISTS (
  SELECT 1 FROM ${reviewHandling} WHERE ${reviewHandling.reviewId} = ${reviews.id} AND ${reviewHandling.extendedAt} IS NOT NULL),
  ${reviews[column]}, ${value})`;

const offersText = (offers: Hold['grants']): string | null =>
  offers.length === 0 ? null : JSON.stringify(offers);

interface HeldAction {
  integrationRow: number;
  sessionRow: number | null;
  tool: string;
  inputHash: string;
}

export interface RejectedAction {
  integrationRow: number;
  /** The root of the session's tree; null without a session. */
  rootId: string | null;
  tool: string;
  rejectionHash: string;
  /** Matters without a session only. */
  since: number;
}

/** The sessions of a tree: its root, and all that have it as theirs. */
const ofTree = sql`(${evaluationSessions.uid} = ${sql.placeholder('rootId')} OR (${evaluationSessions.place} IS NOT NULL
  AND json_extract(${evaluationSessions.place}, '$.rootId') = ${sql.placeholder('rootId')}))`;

export function createReviewRows(
  { db, steady }: Pick<Sqlite, 'db' | 'steady'>,
  contents: ReviewContents,
): ReviewRows {
  const { placeholder } = sql;
  const byUid = steady
    .select({
      row: reviews.id,
      id: reviews.uid,
      status: reviews.status,
      expiresAt: reviews.expiresAt,
      endsWithSession: reviews.endsWithSession,
      expirySeconds: reviews.expirySeconds,
      integrationRow: reviews.integrationId,
      sessionId: evaluationSessions.uid,
      tool: reviews.tool,
      inputHash: reviews.inputHash,
      violations: evaluations.violations,
      comment: reviews.comment,
      decidedAt: reviews.decidedAt,
    })
    .from(reviews)
    .innerJoin(evaluations, eq(evaluations.id, reviews.evaluationId))
    .leftJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
    .where(eq(reviews.uid, placeholder('id')))
    .prepare();
  // An unindexed condition on what is left: reviews of one action are few.
  const ofAction = and(
    eq(reviews.inputHash, placeholder('inputHash')),
    eq(reviews.integrationId, placeholder('integrationRow')),
    sql`${reviews.sessionId} IS ${placeholder('sessionRow')}`,
    eq(reviews.tool, placeholder('tool')),
  );
  const rejection = {
    reviewRequestId: reviews.uid,
    comment: reviews.comment,
    decidedAt: sql<number>`${reviews.decidedAt}`,
  };
  const isRejected = and(
    sql`${reviews.status} = 'REJECTED'`,
    eq(reviews.rejectionHash, placeholder('rejectionHash')),
    eq(reviews.tool, placeholder('tool')),
  );
  const lastFirst = [desc(reviews.decidedAt), desc(reviews.id)];
  const rejectedInTree = steady
    .select(rejection)
    .from(reviews)
    .innerJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
    .where(and(isRejected, ofTree))
    .orderBy(...lastFirst)
    .limit(1)
    .prepare();
  const rejectedWithoutSession = steady
    .select(rejection)
    .from(reviews)
    .where(
      and(
        isRejected,
        sql`${reviews.sessionId} IS NULL`,
        eq(reviews.integrationId, placeholder('integrationRow')),
        gt(reviews.decidedAt, placeholder('since')),
      ),
    )
    .orderBy(...lastFirst)
    .limit(1)
    .prepare();
  const pendingOfTree = steady
    .select({ total: count() })
    .from(reviews)
    .innerJoin(evaluationSessions, eq(evaluationSessions.id, reviews.sessionId))
    .where(and(ofTree, eq(reviews.status, 'PENDING'), gt(reviews.expiresAt, placeholder('now'))))
    .prepare();
  const pending = steady
    .select({
      id: reviews.uid,
      status: reviews.status,
      expiresAt: reviews.expiresAt,
      endsWithSession: reviews.endsWithSession,
      expirySeconds: reviews.expirySeconds,
    })
    .from(reviews)
    .where(and(ofAction, eq(reviews.status, 'PENDING')))
    .orderBy(desc(reviews.id))
    .limit(1)
    .prepare();

  return {
    findNamed(integrationRow, id) {
      const found = byUid.get({ id: id.toLowerCase() });
      if (!found || found.integrationRow !== integrationRow) return null;
      const { integrationRow: _, violations, ...named } = found;
      return { ...named, violations: parseList(violations) };
    },

    findPending: (action) => pending.get({ ...action }) ?? null,
    findRejection: ({ rootId, integrationRow, since, ...action }) =>
      (rootId === null
        ? rejectedWithoutSession.get({ ...action, integrationRow, since })
        : rejectedInTree.get({ ...action, rootId })) ?? null,
    countPending: (rootId, now) => pendingOfTree.get({ rootId, now })?.total ?? 0,

    insert(
      { id, content, terms, grants, rejectionCounts, ...review },
      { integrationRow, sessionRow, evaluationRow, policySetRow, ...of },
    ) {
      const { lastInsertRowid } = db
        .insert(reviews)
        .values({
          ...review,
          ...of,
          uid: id,
          integrationId: integrationRow,
          sessionId: sessionRow,
          evaluationId: evaluationRow,
          policySetId: policySetRow,
          endsWithSession: Number(review.endsWithSession),
          status: 'PENDING',
          terms: JSON.stringify(terms),
          grants: offersText(grants),
        })
        .run();
      contents.keep(Number(lastInsertRowid), { ...content, rejectionCounts }, review.expiresAt);
    },

    holdAgain(hold, evaluationId) {
      const { id, callbackUrl, content, terms, grants, expiresAt, rejectionCounts, ...more } = hold;
      const { endsWithSession, ...life } = more;
      const held = db
        .update(reviews)
        .set({
          evaluationId,
          expiresAt: unlessExtended('expiresAt', expiresAt),
          endsWithSession: unlessExtended('endsWithSession', Number(endsWithSession)),
          ...life,
          terms: JSON.stringify(terms),
          grants: offersText(grants),
          ...(callbackUrl !== null && { callbackUrl }),
        })
        .where(and(eq(reviews.uid, id), eq(reviews.status, 'PENDING')))
        .returning({ row: reviews.id, expiresAt: reviews.expiresAt })
        .get();
      if (!held) throw new Error('an action is held by a review that is not PENDING');
      contents.keep(held.row, { ...content, rejectionCounts }, held.expiresAt);
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

/** Content that is stored only as long as a reviewer or a callback needs it. Synchronous: it runs inside a change. */
export interface ReviewContents {
  /** Puts this content in the place of what the review had; without a callback URL, that stays. */
  keep(reviewRow: number, content: HeldContent & Pick<Hold, 'rejectionCounts'>, forgetAt: number): void;
}

export function createReviewContents({ client, db }: Pick<Sqlite, 'client' | 'db'>): ReviewContents {
  return {
    keep(reviewId, { isMasked, ...content }, forgetAt) {
      erase(client, () =>
        db
          .insert(reviewContents)
          .values({ reviewId, ...content, isMasked: Number(isMasked), forgetAt })
          .onConflictDoUpdate({
            target: reviewContents.reviewId,
            set: {
              input: content.input,
              targetKey: content.targetKey,
              targetMetadata: content.targetMetadata,
              isMasked: Number(isMasked),
              rejectionCounts: content.rejectionCounts,
              forgetAt,
              ...(content.callbackUrl !== null && { callbackUrl: content.callbackUrl }),
            },
          })
          .run(),
      );
    },
  };
}
