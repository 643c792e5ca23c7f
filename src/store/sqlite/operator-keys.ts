import { and, count, desc, eq, gt, isNull, lt, or } from 'drizzle-orm';
import type { OperatorKeyStore } from '../operator-keys.ts';
import type { StoredOperatorKey } from '../operators.ts';
import { offsetOf } from '../pages.ts';
import { toOperator, toOperatorKey } from '../stored-operators.ts';
import type { Sqlite } from './database.ts';
import { isOwnerLeft, keyColumns, notRevoked, operatorColumns } from './operator-rows.ts';
import { operatorKeys, operators } from './tables.ts';

/** `ordinary` is the same database without the urgency of what operators do: uses of keys are not worth the reserve. */
export function createOperatorKeys(sqlite: Sqlite, ordinary: Sqlite): OperatorKeyStore {
  const { db, writer, read, look } = sqlite;
  const select = () =>
    db.select(keyColumns).from(operatorKeys).innerJoin(operators, eq(operators.id, operatorKeys.operatorId));
  const find = (uid: string): StoredOperatorKey | null => {
    const row = select().where(eq(operatorKeys.uid, uid)).get();
    return row ? toOperatorKey(row) : null;
  };
  const livingOf = (operatorId: string) => and(eq(operators.uid, operatorId.toLowerCase()), notRevoked);

  return {
    create: ({ id: uid, operatorId, ipRanges, ...key }, most) =>
      writer.run(() => {
        const operator = db
          .select({ row: operators.id })
          .from(operators)
          .where(eq(operators.uid, operatorId.toLowerCase()))
          .get();
        if (!operator) return 'no_operator';
        if (select().where(livingOf(operatorId)).all().length >= most) return 'too_many';
        db.insert(operatorKeys)
          .values({ ...key, uid, operatorId: operator.row, ipRanges: JSON.stringify(ipRanges) })
          .run();
        return find(uid) as StoredOperatorKey;
      }),

    list: (page, { operatorId }) =>
      read(() => {
        const where = operatorId === undefined ? undefined : eq(operators.uid, operatorId.toLowerCase());
        return {
          items: select()
            .where(where)
            .orderBy(desc(operatorKeys.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map(toOperatorKey),
          total:
            db
              .select({ total: count() })
              .from(operatorKeys)
              .innerJoin(operators, eq(operators.id, operatorKeys.operatorId))
              .where(where)
              .get()?.total ?? 0,
        };
      }),

    listLiving: (operatorId) =>
      read(() =>
        select().where(livingOf(operatorId)).orderBy(desc(operatorKeys.id)).all().map(toOperatorKey),
      ),

    revoke: (id, now) =>
      writer.run(() => {
        const before = find(id.toLowerCase());
        if (!before) return 'no_key';
        if (before.revokedAt !== null) return 'already_revoked';
        if (!isOwnerLeft(sqlite, { key: before.id })) return 'last_owner';
        db.update(operatorKeys).set({ revokedAt: now }).where(eq(operatorKeys.uid, before.id)).run();
        return { ...before, revokedAt: now };
      }),

    find: (keyHash, now) =>
      look(() => {
        const row = db
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
          )
          .get();
        return row ? { key: toOperatorKey(row.key), operator: toOperator(row.operator) } : null;
      }),

    recordUse: (id, now) =>
      ordinary.writer.run(() => {
        const earlier = or(isNull(operatorKeys.lastUsedAt), lt(operatorKeys.lastUsedAt, now));
        db.update(operatorKeys)
          .set({ lastUsedAt: now })
          .where(and(eq(operatorKeys.uid, id), earlier))
          .run();
      }),
  };
}
