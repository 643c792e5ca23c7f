import { and, asc, count, desc, eq, ne, type SQL } from 'drizzle-orm';
import { isAsExpected } from '../expected.ts';
import type { NewOperator, OperatorFilter, OperatorStore, StoredOperator } from '../operators.ts';
import { offsetOf } from '../pages.ts';
import { changedOperatorColumns, isOwner, newOperatorColumns, toOperator } from '../stored-operators.ts';
import type { Db, Postgres } from './database.ts';
import { hasMember, isOwnerLeft, notRevoked, operatorColumns } from './operator-rows.ts';
import { totalOf } from './pages.ts';
import { operatorKeys, operators } from './tables.ts';

/** `postgres`: for operators. Changes come one after another, so what one finds stays so until it ends. */
export function createOperators({ read, change }: Postgres): OperatorStore {
  return {
    exist: () => read(exist),

    createFirst: (operator, { ipRanges, ...key }) =>
      change(async (tx) => {
        if (await exist(tx)) return false;
        await insert(tx, operator);
        await tx
          .insert(operatorKeys)
          .values({ ...key, operatorId: operator.id, ipRanges: JSON.stringify(ipRanges) });
        return true;
      }),

    create: (operator) =>
      change(async (tx) => {
        if (await isTaken(tx, operator.email, operator.id)) return 'email_taken';
        await insert(tx, operator);
        return (await find(tx, operator.id)) as StoredOperator;
      }),

    find: (id) => read((db) => find(db, id)),

    findByEmail: (email) =>
      read(async (db) => {
        const [row] = await db
          .select(operatorColumns)
          .from(operators)
          .where(eq(operators.emailKey, email.toLowerCase()));
        return row ? toOperator(row) : null;
      }),

    listIdsOfEntity: (entityId) =>
      read(async (db) => {
        const found = await db
          .select({ id: operators.id })
          .from(operators)
          .where(eq(operators.entityId, entityId));
        return found.map(({ id }) => id);
      }),

    list: (page, filter) =>
      read(async (db) => {
        const where = matching(filter);
        const rows = await db
          .select({ ...operatorColumns, keyCount: count(operatorKeys.id) })
          .from(operators)
          .leftJoin(operatorKeys, and(eq(operatorKeys.operatorId, operators.id), notRevoked))
          .where(where)
          .groupBy(operators.id)
          .orderBy(desc(operators.createdAt), desc(operators.id))
          .limit(page.size)
          .offset(offsetOf(page));
        return {
          items: rows.map(({ keyCount, ...row }) => ({ ...toOperator(row), keyCount })),
          total: await totalOf(db, operators, where),
        };
      }),

    findFirstOwner: () =>
      read(async (db) => {
        const [row] = await db
          .select(operatorColumns)
          .from(operators)
          .where(matching({ status: 'ACTIVE', role: 'OWNER' }))
          .orderBy(asc(operators.createdAt), asc(operators.id))
          .limit(1);
        return row ? toOperator(row) : null;
      }),

    change: (id, changed, now, expected = {}) =>
      change(async (tx) => {
        const before = await find(tx, id);
        if (!before) return 'no_operator';
        if (!isAsExpected(before, expected)) return 'outdated';
        if (await isTaken(tx, changed.email, before.id)) return 'email_taken';
        const staysOwner = !isOwner(before) || isOwner({ ...before, ...changed });
        if (!staysOwner && !(await isOwnerLeft(tx, { operator: before.id }))) return 'last_owner';
        await tx
          .update(operators)
          .set({ ...changedOperatorColumns(changed), updatedAt: now })
          .where(eq(operators.id, before.id));
        return (await find(tx, id)) as StoredOperator;
      }),
  };
}

const exist = async (db: Db): Promise<boolean> =>
  (await db.select({ id: operators.id }).from(operators).limit(1)).length > 0;

async function find(db: Db, id: string): Promise<StoredOperator | null> {
  const [row] = await db.select(operatorColumns).from(operators).where(eq(operators.id, id));
  return row ? toOperator(row) : null;
}

const insert = (tx: Db, operator: NewOperator) =>
  tx.insert(operators).values({ id: operator.id, ...newOperatorColumns(operator) });

async function isTaken(tx: Db, email: string | null | undefined, besides: string): Promise<boolean> {
  if (typeof email !== 'string') return false;
  const others = await tx
    .select({ id: operators.id })
    .from(operators)
    .where(and(eq(operators.emailKey, email.toLowerCase()), ne(operators.id, besides)));
  return others.length > 0;
}

const matching = ({ status, role, group }: OperatorFilter): SQL | undefined =>
  and(
    status && eq(operators.status, status),
    role && hasMember(operators.roles, role),
    group === undefined ? undefined : hasMember(operators.groups, group),
  );
