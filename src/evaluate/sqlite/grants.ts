import { and, asc, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { GrantOffer, OpenGrant, UsedGrant } from '../../schemas/review-terms.ts';
import { isOpenAt, toOpenGrant, toUsedGrant } from '../../store/reviews.ts';
import type { Sqlite } from '../../store/sqlite/database.ts';
import { evaluationSessions } from '../../store/sqlite/tables/evaluation-sessions.ts';
import { grants, grantUses, reviews } from '../../store/sqlite/tables/reviews.ts';

/** Grants: approvals that cover later actions. Synchronous: all but the reads run inside a change. */
export interface GrantRows {
  /** The grants of a session, oldest first, expired ones included. */
  ofSession(sessionRow: number): OpenGrant[];
  usedBy(evaluationRow: number): UsedGrant[];
  use(ids: readonly string[], evaluationRow: number): void;
  give(
    review: { row: number; sessionId: string; dataTags: readonly string[] },
    offers: readonly GrantOffer[],
    at: number,
  ): void;
  /** Takes back those of the session that are for the same as one of these, and returns their ids. */
  takeBack(sessionId: string, offers: readonly GrantOffer[], at: number): string[];
  /** False when it cannot be used any more. */
  close(sessionId: string, id: string, at: number): boolean;
}

const isUsable = and(isNull(grants.closedAt), or(isNull(grants.usesLeft), sql`${grants.usesLeft} > 0`));

export function createGrantRows({ db, steady }: Pick<Sqlite, 'db' | 'steady'>): GrantRows {
  const { placeholder } = sql;
  const usable = steady
    .select({
      id: grants.uid,
      reviewRequestId: reviews.uid,
      tool: reviews.tool,
      offer: grants.offer,
      dataTags: grants.dataTags,
      usesLeft: grants.usesLeft,
      expiresAt: grants.expiresAt,
    })
    .from(grants)
    .innerJoin(reviews, eq(reviews.id, grants.reviewId))
    .where(and(eq(grants.sessionId, placeholder('sessionRow')), isUsable))
    .orderBy(asc(grants.id))
    .prepare();

  const ofSession = (sessionRow: number): OpenGrant[] => usable.all({ sessionRow }).map(toOpenGrant);

  function sessionRowOf(sessionId: string): number | null {
    const isIt = eq(evaluationSessions.uid, sessionId.toLowerCase());
    return db.select({ id: evaluationSessions.id }).from(evaluationSessions).where(isIt).get()?.id ?? null;
  }
  const closeWhere = (where: SQL, closedAt: number): void =>
    void db.update(grants).set({ closedAt }).where(where).run();

  return {
    ofSession,

    usedBy: (evaluationRow) =>
      db
        .select({ id: grants.uid, reviewRequestId: reviews.uid, offer: grants.offer })
        .from(grantUses)
        .innerJoin(grants, eq(grants.id, grantUses.grantId))
        .innerJoin(reviews, eq(reviews.id, grants.reviewId))
        .where(eq(grantUses.evaluationId, evaluationRow))
        .orderBy(asc(grants.id))
        .all()
        .map(toUsedGrant),

    use(ids, evaluationId) {
      for (const id of ids) {
        const used = db
          .update(grants)
          .set({ usesLeft: sql`${grants.usesLeft} - 1` })
          .where(and(eq(grants.uid, id), isUsable))
          .returning({ grantId: grants.id })
          .get();
        if (!used) throw new Error('a grant was used that is not open');
        db.insert(grantUses).values({ evaluationId, grantId: used.grantId }).run();
      }
    },

    give({ row, sessionId, dataTags }, offers, at) {
      const sessionRow = sessionRowOf(sessionId);
      if (sessionRow === null) throw new Error('the session of a review is missing');
      for (const offer of offers)
        db.insert(grants)
          .values({
            uid: offer.id,
            reviewId: row,
            sessionId: sessionRow,
            offer: JSON.stringify(offer),
            dataTags: JSON.stringify(dataTags),
            usesLeft: offer.uses,
            expiresAt: offer.seconds === null ? null : at + offer.seconds * 1_000,
          })
          .run();
    },

    takeBack(sessionId, offers, at) {
      const sessionRow = sessionRowOf(sessionId);
      if (sessionRow === null || offers.length === 0) return [];
      const keys = new Set(offers.map(({ key }) => key));
      const taken = ofSession(sessionRow).filter(({ key }) => keys.has(key));
      for (const { id } of taken) closeWhere(eq(grants.uid, id), at);
      return taken.map(({ id }) => id);
    },

    close(sessionId, id, at) {
      const sessionRow = sessionRowOf(sessionId);
      const open = sessionRow === null ? [] : ofSession(sessionRow).filter(isOpenAt(at));
      const found = open.find((one) => one.id === id.toLowerCase());
      if (!found) return false;
      closeWhere(eq(grants.uid, found.id), at);
      return true;
    },
  };
}
