import { and, desc, eq, gt, isNull, lt, lte, notInArray } from 'drizzle-orm';
import type { SignInIdentity, SignInStore } from '../sign-ins.ts';
import type { Sqlite } from './database.ts';
import { signInLinks, signIns } from './tables.ts';

export function createSignIns({ db, writer, look }: Sqlite): SignInStore {
  const withToken = (tokenHash: string) => eq(signIns.tokenHash, tokenHash);

  const ofIdentity = ({ operatorKeyHash, operatorId }: SignInIdentity) =>
    and(
      operatorKeyHash === null
        ? isNull(signIns.operatorKeyHash)
        : eq(signIns.operatorKeyHash, operatorKeyHash),
      operatorId === null ? isNull(signIns.operatorId) : eq(signIns.operatorId, operatorId),
    );

  return {
    create: (signIn, { endedAt, most }) =>
      writer.run(() => {
        db.delete(signIns).where(lte(signIns.createdAt, endedAt)).run();
        db.insert(signIns)
          .values({ ...signIn, usedAt: signIn.createdAt })
          .run();
        const same = ofIdentity(signIn);
        const newest = db
          .select({ id: signIns.id })
          .from(signIns)
          .where(same)
          .orderBy(desc(signIns.id))
          .limit(most);
        db.delete(signIns)
          .where(and(same, notInArray(signIns.id, newest)))
          .run();
      }),

    find: (tokenHash, since) =>
      look(
        () =>
          db
            .select({
              operatorKeyHash: signIns.operatorKeyHash,
              operatorId: signIns.operatorId,
              createdAt: signIns.createdAt,
              usedAt: signIns.usedAt,
              confirmedAt: signIns.confirmedAt,
            })
            .from(signIns)
            .where(
              and(
                withToken(tokenHash),
                gt(signIns.createdAt, since.createdAt),
                gt(signIns.usedAt, since.usedAt),
              ),
            )
            .get() ?? null,
      ),

    recordUse: (tokenHash, now) =>
      writer.run(() => {
        db.update(signIns)
          .set({ usedAt: now })
          .where(and(withToken(tokenHash), lt(signIns.usedAt, now)))
          .run();
      }),

    confirm: (tokenHash, confirmedAt, now) =>
      writer.run(
        () =>
          db.update(signIns).set({ confirmedAt, usedAt: now }).where(withToken(tokenHash)).run().changes > 0,
      ),

    end: (tokenHash) => writer.run(() => db.delete(signIns).where(withToken(tokenHash)).run().changes > 0),

    createLink: (link, now) =>
      writer.run(() => {
        db.delete(signInLinks).where(lte(signInLinks.expiresAt, now)).run();
        db.insert(signInLinks).values(link).run();
      }),

    redeemLink: (linkHash, now) =>
      writer.run(
        () =>
          db
            .delete(signInLinks)
            .where(and(eq(signInLinks.linkHash, linkHash), gt(signInLinks.expiresAt, now)))
            .returning({ operatorKeyHash: signInLinks.operatorKeyHash })
            .get()?.operatorKeyHash ?? null,
      ),
  };
}
