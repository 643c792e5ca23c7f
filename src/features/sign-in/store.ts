import { and, desc, eq, gt, isNull, lt, lte, notInArray, type SQL } from 'drizzle-orm';
import { first, run, type Sql } from '../../sql/steps.ts';

/** The key or operator that a sign-in acts for; exactly one of the two is null. */
export interface SignInIdentity {
  /** The hash of the key that was entered: the sign-in acts with this key. */
  operatorKeyHash: string | null;
  /** The operator that the identity provider named: the sign-in acts as this operator, without a key. */
  operatorId: string | null;
}

/** A sign-in to the console: whoever holds its token acts with that key, or as that operator. */
export interface StoredSignIn extends SignInIdentity {
  createdAt: number;
  /** When a person last used the console with it. */
  usedAt: number;
  /** When the operator last proved its identity; 0 when unknown. */
  confirmedAt: number;
}

export interface NewSignIn extends SignInIdentity {
  tokenHash: string;
  createdAt: number;
  confirmedAt: number;
}

export interface SignInStore {
  /**
   * Also deletes sign-ins that were created at or before `endedAt`, and the oldest of the same identity beyond `most`, so that
   * the table stays small.
   */
  create(signIn: NewSignIn, limits: { endedAt: number; most: number }): Promise<void>;

  /** Null when unknown, created at or before `since.createdAt`, or last used at or before `since.usedAt`. */
  find(tokenHash: string, since: { createdAt: number; usedAt: number }): Promise<StoredSignIn | null>;

  /** Never moves the time of the last use back. */
  recordUse(tokenHash: string, now: number): Promise<void>;

  /** Records that the operator proved its identity at `confirmedAt`, which is also a use at `now`. False when there is no such sign-in. */
  confirm(tokenHash: string, confirmedAt: number, now: number): Promise<boolean>;

  /** False when there was no such sign-in. */
  end(tokenHash: string): Promise<boolean>;

  /** Stores a link that signs in once. Also deletes links that expired at `now`. */
  createLink(
    link: { linkHash: string; operatorKeyHash: string; expiresAt: number },
    now: number,
  ): Promise<void>;

  /** The hash of the operator key the link is for, to one caller only; null when unknown, used or expired. */
  redeemLink(linkHash: string, now: number): Promise<string | null>;
}

export function createSignInStore(sql: Sql): SignInStore {
  const { signIns, signInLinks } = sql.tables;
  const { tokenHash, operatorKeyHash, operatorId, createdAt, usedAt, confirmedAt } = signIns;
  const withToken = (hash: string): SQL => eq(tokenHash, hash);
  const ofIdentity = (identity: SignInIdentity): SQL | undefined =>
    and(
      identity.operatorKeyHash === null
        ? isNull(operatorKeyHash)
        : eq(operatorKeyHash, identity.operatorKeyHash),
      identity.operatorId === null ? isNull(operatorId) : eq(operatorId, identity.operatorId),
    );

  return {
    create: (signIn, { endedAt, most }) =>
      sql.change(function* (db) {
        yield* run(db.delete(signIns).where(lte(createdAt, endedAt)));
        const same = ofIdentity(signIn);
        const newest = db
          .select({ tokenHash })
          .from(signIns)
          .where(same)
          .orderBy(desc(signIns.place))
          .limit(Math.max(0, most - 1));
        yield* run(db.delete(signIns).where(and(same, notInArray(tokenHash, newest))));
        yield* run(db.insert(signIns).values({ ...signIn, usedAt: signIn.createdAt }));
      }),

    find: (hash, since) =>
      sql.look((db) =>
        first(
          db
            .select({ operatorKeyHash, operatorId, createdAt, usedAt, confirmedAt })
            .from(signIns)
            .where(and(withToken(hash), gt(createdAt, since.createdAt), gt(usedAt, since.usedAt))),
        ),
      ),

    recordUse: (hash, now) =>
      sql.change((db) =>
        run(
          db
            .update(signIns)
            .set({ usedAt: now })
            .where(and(withToken(hash), lt(usedAt, now))),
        ),
      ),

    confirm: (hash, at, now) =>
      sql.change(function* (db) {
        const change = db.update(signIns).set({ confirmedAt: at, usedAt: now }).where(withToken(hash));
        return (yield* first(change.returning({ tokenHash }))) !== null;
      }),

    end: (hash) =>
      sql.change(function* (db) {
        const ended = db.delete(signIns).where(withToken(hash)).returning({ tokenHash });
        return (yield* first(ended)) !== null;
      }),

    createLink: (link, now) =>
      sql.change(function* (db) {
        yield* run(db.delete(signInLinks).where(lte(signInLinks.expiresAt, now)));
        yield* run(db.insert(signInLinks).values(link));
      }),

    redeemLink: (linkHash, now) =>
      sql.change(function* (db) {
        const inForce = and(eq(signInLinks.linkHash, linkHash), gt(signInLinks.expiresAt, now));
        const { operatorKeyHash } = signInLinks;
        const redeemed = yield* first(db.delete(signInLinks).where(inForce).returning({ operatorKeyHash }));
        return redeemed?.operatorKeyHash ?? null;
      }),
  };
}
