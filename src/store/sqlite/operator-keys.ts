import { and, count, desc, eq, isNull } from 'drizzle-orm';
import type { OperatorKeyStore } from '../operator-keys.ts';
import type { Sqlite } from './database.ts';
import { offsetOf } from './pages.ts';
import { operatorKeys } from './tables.ts';

const columns = {
  id: operatorKeys.uid,
  createdAt: operatorKeys.createdAt,
  revokedAt: operatorKeys.revokedAt,
};
const living = isNull(operatorKeys.revokedAt);

export function createOperatorKeys({ db, writer, read, look }: Sqlite): OperatorKeyStore {
  const exist = (): boolean =>
    db.select({ id: operatorKeys.id }).from(operatorKeys).limit(1).get() !== undefined;

  return {
    exist: () => read(exist),

    createFirst: (key) =>
      writer.run(() => {
        if (exist()) return false;
        db.insert(operatorKeys).values({ uid: key.id, keyHash: key.keyHash, createdAt: key.createdAt }).run();
        return true;
      }),

    create: ({ id: uid, keyHash, createdAt }) =>
      writer.run(() => {
        const created = db.insert(operatorKeys).values({ uid, keyHash, createdAt }).returning(columns).get();
        return created;
      }),

    list: (page) =>
      read(() => ({
        items: db
          .select(columns)
          .from(operatorKeys)
          .orderBy(desc(operatorKeys.id))
          .limit(page.size)
          .offset(offsetOf(page))
          .all(),
        total: db.select({ total: count() }).from(operatorKeys).get()?.total ?? 0,
      })),

    revoke: (id, now) =>
      writer.run(() => {
        const named = eq(operatorKeys.uid, id.toLowerCase());
        const before = db.select(columns).from(operatorKeys).where(named).get();
        if (!before) return 'no_key';
        if (before.revokedAt !== null) return 'already_revoked';
        const left = db.select({ total: count() }).from(operatorKeys).where(living).get()?.total ?? 0;
        if (left < 2) return 'last_key';
        const where = and(named, living);
        const revoked = db.update(operatorKeys).set({ revokedAt: now }).where(where).returning(columns).get();
        return revoked ?? 'no_key';
      }),

    find: (keyHash) =>
      look(
        () =>
          db
            .select({ uid: operatorKeys.uid })
            .from(operatorKeys)
            .where(and(eq(operatorKeys.keyHash, keyHash), living))
            .get()?.uid ?? null,
      ),
  };
}
