import { and, asc, count, desc, eq, ne, type SQL, sql } from 'drizzle-orm';
import { isAsExpected } from '../expected.ts';
import type { NewOperator, OperatorFilter, OperatorStore, StoredOperator } from '../operators.ts';
import { offsetOf } from '../pages.ts';
import { changedOperatorColumns, isOwner, newOperatorColumns, toOperator } from '../stored-operators.ts';
import type { Sqlite } from './database.ts';
import { hasRole, isOwnerLeft, notRevoked, operatorColumns } from './operator-rows.ts';
import { operatorKeys, operators } from './tables.ts';

export function createOperators(sqlite: Sqlite): OperatorStore {
  const { db, writer, read } = sqlite;
  const exist = (): boolean => db.select({ id: operators.id }).from(operators).limit(1).get() !== undefined;
  const find = (id: string): StoredOperator | null => {
    const row = db.select(operatorColumns).from(operators).where(eq(operators.uid, id.toLowerCase())).get();
    return row ? toOperator(row) : null;
  };
  const insert = (operator: NewOperator) =>
    db
      .insert(operators)
      .values({ uid: operator.id, ...newOperatorColumns(operator) })
      .returning({ row: operators.id })
      .get();
  const isTaken = (email: string | null | undefined, besides: string): boolean =>
    typeof email === 'string' &&
    db
      .select({ id: operators.id })
      .from(operators)
      .where(and(eq(operators.emailKey, email.toLowerCase()), ne(operators.uid, besides)))
      .get() !== undefined;

  return {
    exist: () => read(exist),

    createFirst: (operator, { id, ipRanges, ...key }) =>
      writer.run(() => {
        if (exist()) return false;
        const { row } = insert(operator);
        db.insert(operatorKeys)
          .values({ ...key, uid: id, operatorId: row, ipRanges: JSON.stringify(ipRanges) })
          .run();
        return true;
      }),

    create: (operator) =>
      writer.run(() => {
        if (isTaken(operator.email, operator.id)) return 'email_taken';
        insert(operator);
        return find(operator.id) as StoredOperator;
      }),

    find: (id) => read(() => find(id)),

    findByEmail: (email) =>
      read(() => {
        const withEmail = eq(operators.emailKey, email.toLowerCase());
        const row = db.select(operatorColumns).from(operators).where(withEmail).get();
        return row ? toOperator(row) : null;
      }),

    listIdsOfEntity: (entityId) =>
      read(() =>
        db
          .select({ id: operators.uid })
          .from(operators)
          .where(eq(operators.entityId, entityId))
          .all()
          .map(({ id }) => id),
      ),

    list: (page, filter) =>
      read(() => {
        const where = matching(filter);
        return {
          items: db
            .select({
              ...operatorColumns,
              keyCount: count(operatorKeys.id),
            })
            .from(operators)
            .leftJoin(operatorKeys, and(eq(operatorKeys.operatorId, operators.id), notRevoked))
            .where(where)
            .groupBy(operators.id)
            .orderBy(desc(operators.id))
            .limit(page.size)
            .offset(offsetOf(page))
            .all()
            .map(({ keyCount, ...row }) => ({ ...toOperator(row), keyCount })),
          total: db.select({ total: count() }).from(operators).where(where).get()?.total ?? 0,
        };
      }),

    findFirstOwner: () =>
      read(() => {
        const row = db
          .select(operatorColumns)
          .from(operators)
          .where(matching({ status: 'ACTIVE', role: 'OWNER' }))
          .orderBy(asc(operators.id))
          .limit(1)
          .get();
        return row ? toOperator(row) : null;
      }),

    change: (id, change, now, expected = {}) =>
      writer.run(() => {
        const before = find(id);
        if (!before) return 'no_operator';
        if (!isAsExpected(before, expected)) return 'outdated';
        if (isTaken(change.email, before.id)) return 'email_taken';
        if (
          isOwner(before) &&
          !isOwner({ ...before, ...change }) &&
          !isOwnerLeft(sqlite, { operator: before.id })
        )
          return 'last_owner';
        db.update(operators)
          .set({ ...changedOperatorColumns(change), updatedAt: now })
          .where(eq(operators.uid, before.id))
          .run();
        return find(id) as StoredOperator;
      }),
  };
}

const matching = ({ status, role, group }: OperatorFilter): SQL | undefined =>
  and(
    status && eq(operators.status, status),
    role && hasRole(role),
    group === undefined
      ? undefined
      : sql`EXISTS (SELECT 1 FROM json_each(${operators.groups}) WHERE value = ${group})`,
  );
