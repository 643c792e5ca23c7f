import { and, eq, isNull } from 'drizzle-orm';
import type { OperatorKeyStore } from '../operator-keys.ts';
import type { Sqlite } from './database.ts';
import { operatorKeys } from './tables.ts';

export function createOperatorKeys({ db, writer, read, look, touch }: Sqlite): OperatorKeyStore {
  const exist = (): boolean =>
    db.select({ id: operatorKeys.id }).from(operatorKeys).limit(1).get() !== undefined;

  return {
    exist: () => read(exist),

    createFirst: (key) =>
      writer.run(() => {
        if (exist()) return false;
        db.insert(operatorKeys).values({ uid: key.id, keyHash: key.keyHash, createdAt: key.createdAt }).run();
        touch();
        return true;
      }),

    find: (keyHash) =>
      look(
        () =>
          db
            .select({ uid: operatorKeys.uid })
            .from(operatorKeys)
            .where(and(eq(operatorKeys.keyHash, keyHash), isNull(operatorKeys.revokedAt)))
            .get()?.uid ?? null,
      ),
  };
}
