import { and, desc, eq, gt, isNull, lt, or } from 'drizzle-orm';
import type { OperatorKeyStore } from '../operator-keys.ts';
import type { StoredOperatorKey } from '../operators.ts';
import { offsetOf } from '../pages.ts';
import { toOperator, toOperatorKey } from '../stored-operators.ts';
import type { Db, Postgres } from './database.ts';
import { isOwnerLeft, keyColumns, notRevoked, operatorColumns } from './operator-rows.ts';
import { totalOf } from './pages.ts';
import { operatorKeys, operators } from './tables.ts';

const newestFirst = [desc(operatorKeys.createdAt), desc(operatorKeys.id)];

/** `postgres`: for operators. `ordinary`: for uses of keys, which are no changes of theirs. */
export function createOperatorKeys({ read, change }: Postgres, ordinary: Postgres): OperatorKeyStore {
  return {
    create: ({ ipRanges, ...key }, most) =>
      change(async (tx) => {
        const known = await tx.select().from(operators).where(eq(operators.id, key.operatorId));
        if (known.length === 0) return 'no_operator';
        if ((await totalOf(tx, operatorKeys, livingOf(key.operatorId))) >= most) return 'too_many';
        await tx.insert(operatorKeys).values({ ...key, ipRanges: JSON.stringify(ipRanges) });
        return (await find(tx, key.id)) as StoredOperatorKey;
      }),

    list: (page, { operatorId }) =>
      read(async (db) => {
        const where = operatorId === undefined ? undefined : eq(operatorKeys.operatorId, operatorId);
        const rows = await db
          .select(keyColumns)
          .from(operatorKeys)
          .where(where)
          .orderBy(...newestFirst)
          .limit(page.size)
          .offset(offsetOf(page));
        return { items: rows.map(toOperatorKey), total: await totalOf(db, operatorKeys, where) };
      }),

    listLiving: (operatorId) =>
      read(async (db) => {
        const rows = await db
          .select(keyColumns)
          .from(operatorKeys)
          .where(livingOf(operatorId))
          .orderBy(...newestFirst);
        return rows.map(toOperatorKey);
      }),

    revoke: (id, now) =>
      change(async (tx) => {
        const before = await find(tx, id);
        if (!before) return 'no_key';
        if (before.revokedAt !== null) return 'already_revoked';
        if (!(await isOwnerLeft(tx, { key: before.id }))) return 'last_owner';
        await tx.update(operatorKeys).set({ revokedAt: now }).where(eq(operatorKeys.id, before.id));
        return { ...before, revokedAt: now };
      }),

    find: (keyHash, now) =>
      read(async (db) => {
        const [row] = await db
          .select({ key: keyColumns, operator: operatorColumns })
          .from(operatorKeys)
          .innerJoin(operators, eq(operators.id, operatorKeys.operatorId))
          .where(
            and(
              eq(operatorKeys.keyHash, keyHash),
              notRevoked,
              or(isNull(operatorKeys.expiresAt), gt(operatorKeys.expiresAt, now)),
              eq(operators.status, 'ACTIVE'),
            ),
          );
        return row ? { key: toOperatorKey(row.key), operator: toOperator(row.operator) } : null;
      }),

    recordUse: (id, now) =>
      ordinary.change(async (tx) => {
        const earlier = or(isNull(operatorKeys.lastUsedAt), lt(operatorKeys.lastUsedAt, now));
        await tx
          .update(operatorKeys)
          .set({ lastUsedAt: now })
          .where(and(eq(operatorKeys.id, id), earlier));
      }),
  };
}

const livingOf = (operatorId: string) => and(eq(operatorKeys.operatorId, operatorId), notRevoked);

async function find(db: Db, id: string): Promise<StoredOperatorKey | null> {
  const [row] = await db.select(keyColumns).from(operatorKeys).where(eq(operatorKeys.id, id));
  return row ? toOperatorKey(row) : null;
}
