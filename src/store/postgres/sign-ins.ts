import { and, desc, eq, gt, lt, lte, notInArray } from 'drizzle-orm';
import type { SignInIdentity, SignInStore } from '../sign-ins.ts';
import type { Postgres } from './database.ts';
import { signInLinks, signIns } from './tables.ts';

export function createSignIns({ read, change }: Postgres): SignInStore {
  const withToken = (tokenHash: string) => eq(signIns.tokenHash, tokenHash);

  return {
    create: (signIn, { endedAt, most }) =>
      change(async (tx) => {
        await tx.delete(signIns).where(lte(signIns.createdAt, endedAt));
        const same = ofIdentity(signIn);
        const newest = tx
          .select({ tokenHash: signIns.tokenHash })
          .from(signIns)
          .where(same)
          .orderBy(desc(signIns.place))
          .limit(Math.max(0, most - 1));
        await tx.delete(signIns).where(and(same, notInArray(signIns.tokenHash, newest)));
        await tx.insert(signIns).values({ ...signIn, usedAt: signIn.createdAt });
      }),

    find: (tokenHash, since) =>
      read(async (db) => {
        const { operatorKeyHash, operatorId, createdAt, usedAt, confirmedAt } = signIns;
        const [found] = await db
          .select({ operatorKeyHash, operatorId, createdAt, usedAt, confirmedAt })
          .from(signIns)
          .where(and(withToken(tokenHash), gt(createdAt, since.createdAt), gt(usedAt, since.usedAt)));
        return found ?? null;
      }),

    recordUse: (tokenHash, now) =>
      change(async (tx) => {
        await tx
          .update(signIns)
          .set({ usedAt: now })
          .where(and(withToken(tokenHash), lt(signIns.usedAt, now)));
      }),

    confirm: (tokenHash, confirmedAt, now) =>
      change(async (tx) => {
        const { rowCount } = await tx
          .update(signIns)
          .set({ confirmedAt, usedAt: now })
          .where(withToken(tokenHash));
        return rowCount === 1;
      }),

    end: (tokenHash) =>
      change(async (tx) => (await tx.delete(signIns).where(withToken(tokenHash))).rowCount === 1),

    createLink: (link, now) =>
      change(async (tx) => {
        await tx.delete(signInLinks).where(lte(signInLinks.expiresAt, now));
        await tx.insert(signInLinks).values(link);
      }),

    redeemLink: (linkHash, now) =>
      change(async (tx) => {
        const [redeemed] = await tx
          .delete(signInLinks)
          .where(and(eq(signInLinks.linkHash, linkHash), gt(signInLinks.expiresAt, now)))
          .returning({ operatorKeyHash: signInLinks.operatorKeyHash });
        return redeemed?.operatorKeyHash ?? null;
      }),
  };
}

const ofIdentity = ({ operatorKeyHash, operatorId }: SignInIdentity) =>
  operatorKeyHash === null
    ? eq(signIns.operatorId, operatorId ?? '')
    : eq(signIns.operatorKeyHash, operatorKeyHash);
