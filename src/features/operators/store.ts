import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  isNull,
  lt,
  ne,
  or,
  type Placeholder,
  type SQL,
} from 'drizzle-orm';
import { all, type Db, first, run, type Sql, type Step, totalOf } from '../../sql/steps.ts';
import type { Tables } from '../../sql/tables.ts';
import { offsetOf, type Page, type PageRequest } from '../../store/pages.ts';
import { isAsExpected, parseList } from '../../store/rows.ts';
import type { OperatorRole, OperatorStatus } from './words.ts';

export interface StoredOperator {
  id: string;
  name: string;
  email: string | null;
  status: OperatorStatus;
  roles: OperatorRole[];
  groups: string[];
  entityId: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface ListedOperator extends StoredOperator {
  /** How many keys are not revoked. */
  keyCount: number;
}

export type NewOperator = Omit<StoredOperator, 'status' | 'updatedAt'>;
export type OperatorChange = Partial<Omit<StoredOperator, 'id' | 'createdAt' | 'updatedAt'>>;

export interface OperatorFilter {
  status?: OperatorStatus;
  role?: OperatorRole;
  group?: string;
}

export interface StoredOperatorKey {
  id: string;
  operatorId: string;
  name: string;
  /** Null for keys that were made before it was stored. */
  lastFour: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  expiresAt: number | null;
  /** From where it may be used; empty is from anywhere. */
  ipRanges: string[];
  revokedAt: number | null;
}

export interface NewOperatorKey extends Omit<StoredOperatorKey, 'lastUsedAt' | 'revokedAt' | 'lastFour'> {
  lastFour: string;
  keyHash: string;
}

/**
 * Operators are never deleted: records name them. Somebody must always be able to let others in: at least one ACTIVE owner
 * keeps a key that is not revoked, never expires and works from everywhere. What would leave none is refused: 'last_owner'.
 */
export interface OperatorStore {
  /** Whether any operator was ever created. */
  exist(): Promise<boolean>;

  /** Creates both only when no operator was ever created; false when one was. Two racing firsts give one true. */
  createFirst(operator: NewOperator, key: Omit<NewOperatorKey, 'operatorId'>): Promise<boolean>;

  /** 'email_taken': another has this e-mail address, in any case. */
  create(operator: NewOperator): Promise<StoredOperator | 'email_taken'>;

  find(id: string): Promise<StoredOperator | null>;

  /** Whatever the case of the letters. */
  findByEmail(email: string): Promise<StoredOperator | null>;

  /** The ids of every operator with this `entityId`, DISABLED ones included. */
  listIdsOfEntity(entityId: string): Promise<string[]>;

  /** Newest first. */
  list(page: PageRequest, filter: OperatorFilter): Promise<Page<ListedOperator>>;

  /** The ACTIVE owner who was created first: who gets the key that is made on the database itself. */
  findFirstOwner(): Promise<StoredOperator | null>;

  /** Fields that are absent stay as they are. 'outdated': a field is not as `expected` says. */
  change(
    id: string,
    change: OperatorChange,
    now: number,
    expected?: OperatorChange,
  ): Promise<StoredOperator | 'no_operator' | 'email_taken' | 'last_owner' | 'outdated'>;
}

export interface FoundOperatorKey {
  key: StoredOperatorKey;
  operator: StoredOperator;
}

export interface OperatorKeyStore {
  /** 'too_many': the operator has as many keys that are not revoked as one may have. */
  create(key: NewOperatorKey, most: number): Promise<StoredOperatorKey | 'no_operator' | 'too_many'>;

  /** Newest first, revoked ones among them. */
  list(page: PageRequest, filter: { operatorId?: string }): Promise<Page<StoredOperatorKey>>;

  /** Newest first, without revoked ones. */
  listLiving(operatorId: string): Promise<StoredOperatorKey[]>;

  /** 'last_owner': see `OperatorStore`. */
  revoke(id: string, now: number): Promise<StoredOperatorKey | 'no_key' | 'already_revoked' | 'last_owner'>;

  /** The key with this hash and its operator; null when unknown, revoked, expired at `now`, or of a DISABLED operator. */
  find(keyHash: string, now: number): Promise<FoundOperatorKey | null>;

  /** Never moves the time of the last use back. */
  recordUse(id: string, now: number): Promise<void>;
}

/** Changes come one after another, so what one finds stays so until it ends. */
export function createOperatorStore(sql: Sql): OperatorStore {
  const { operators, operatorKeys } = sql.tables;
  const { emailKey: _, ...columns } = getTableColumns(operators);

  function* find(db: Db, where: SQL): Step<StoredOperator | null> {
    const row = yield* first(db.select(columns).from(operators).where(where));
    return row && toOperator(row);
  }
  const ofId = (id: string): SQL => eq(operators.id, id.toLowerCase());

  function* exist(db: Db): Step<boolean> {
    return (yield* first(db.select({ id: operators.id }).from(operators).limit(1))) !== null;
  }

  const insert = (db: Db, { roles, groups, email, ...plain }: NewOperator): Step<void> =>
    run(
      db.insert(operators).values({
        ...plain,
        ...emailColumns(email),
        roles: JSON.stringify(roles),
        groups: JSON.stringify(groups),
        status: 'ACTIVE',
        updatedAt: plain.createdAt,
      }),
    );

  function* isTaken(db: Db, email: string | null | undefined, besides: string): Step<boolean> {
    if (typeof email !== 'string') return false;
    const byAnother = and(eq(operators.emailKey, email.toLowerCase()), ne(operators.id, besides));
    return (yield* first(db.select({ id: operators.id }).from(operators).where(byAnother))) !== null;
  }

  const matching = ({ status, role, group }: OperatorFilter): SQL | undefined =>
    and(
      status && eq(operators.status, status),
      role && sql.hasMember(operators.roles, role),
      group === undefined ? undefined : sql.hasMember(operators.groups, group),
    );

  return {
    exist: () => sql.read(exist),

    createFirst: (operator, { ipRanges, ...key }) =>
      sql.change(function* (db) {
        if (yield* exist(db)) return false;
        yield* insert(db, operator);
        yield* run(
          db
            .insert(operatorKeys)
            .values({ ...key, operatorId: operator.id, ipRanges: JSON.stringify(ipRanges) }),
        );
        return true;
      }),

    create: (operator) =>
      sql.change(function* (db) {
        if (yield* isTaken(db, operator.email, operator.id)) return 'email_taken';
        yield* insert(db, operator);
        return (yield* find(db, ofId(operator.id))) as StoredOperator;
      }),

    find: (id) => sql.read((db) => find(db, ofId(id))),

    findByEmail: (email) => sql.read((db) => find(db, eq(operators.emailKey, email.toLowerCase()))),

    listIdsOfEntity: (entityId) =>
      sql.read(function* (db) {
        const { id } = operators;
        const rows = yield* all(db.select({ id }).from(operators).where(eq(operators.entityId, entityId)));
        return rows.map(({ id }) => id);
      }),

    list: (page, filter) =>
      sql.read(function* (db) {
        const where = matching(filter);
        const rows = yield* all(
          db
            .select({ ...columns, keyCount: count(operatorKeys.id) })
            .from(operators)
            .leftJoin(
              operatorKeys,
              and(eq(operatorKeys.operatorId, operators.id), isNull(operatorKeys.revokedAt)),
            )
            .where(where)
            .groupBy(operators.id)
            .orderBy(desc(operators.createdAt), desc(operators.id))
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return {
          items: rows.map(({ keyCount, ...row }) => ({ ...toOperator(row), keyCount })),
          total: yield* totalOf(db, operators, where),
        };
      }),

    findFirstOwner: () =>
      sql.read(function* (db) {
        const row = yield* first(
          db
            .select(columns)
            .from(operators)
            .where(matching({ status: 'ACTIVE', role: 'OWNER' }))
            .orderBy(asc(operators.createdAt), asc(operators.id))
            .limit(1),
        );
        return row && toOperator(row);
      }),

    change: (id, { email, roles, groups, ...plain }, now, expected = {}) =>
      sql.change(function* (db) {
        const before = yield* find(db, ofId(id));
        if (!before) return 'no_operator';
        if (!isAsExpected(before, expected)) return 'outdated';
        if (yield* isTaken(db, email, before.id)) return 'email_taken';
        const after = { status: plain.status ?? before.status, roles: roles ?? before.roles };
        if (isOwner(before) && !isOwner(after) && !(yield* isOwnerLeft(sql, db, { operator: before.id })))
          return 'last_owner';
        yield* run(
          db
            .update(operators)
            .set({
              ...plain,
              ...(email !== undefined && emailColumns(email)),
              ...(roles && { roles: JSON.stringify(roles) }),
              ...(groups && { groups: JSON.stringify(groups) }),
              updatedAt: now,
            })
            .where(eq(operators.id, before.id)),
        );
        return (yield* find(db, ofId(before.id))) as StoredOperator;
      }),
  };
}

/** A key and its operator: SQLite prepares it once, for every request of an operator asks it. */
export function operatorByKeyHash(
  db: Db,
  { operators, operatorKeys }: Pick<Tables, 'operators' | 'operatorKeys'>,
  keyHash: string | Placeholder,
) {
  const { emailKey: _, ...operator } = getTableColumns(operators);
  return db
    .select({ key: keyColumns(operatorKeys), operator })
    .from(operatorKeys)
    .innerJoin(operators, eq(operators.id, operatorKeys.operatorId))
    .where(eq(operatorKeys.keyHash, keyHash));
}
type OperatorByKey = Awaited<ReturnType<typeof operatorByKeyHash>>[number];

function keyColumns(operatorKeys: Tables['operatorKeys']) {
  const { keyHash: _, ...columns } = getTableColumns(operatorKeys);
  return columns;
}

/**
 * `ordinary` is the same database without the urgency and the audit of what operators do: uses of keys are no changes of theirs.
 * `lookUp` finds the row of `operatorByKeyHash`.
 */
export function createOperatorKeyStore(
  sql: Sql,
  ordinary: Sql,
  lookUp: (keyHash: string) => Promise<OperatorByKey | null>,
): OperatorKeyStore {
  const { operators, operatorKeys } = sql.tables;
  const columns = keyColumns(operatorKeys);
  const newestFirst = [desc(operatorKeys.createdAt), desc(operatorKeys.id)];
  const ofOperator = (id: string): SQL => eq(operatorKeys.operatorId, id.toLowerCase());
  const livingOf = (operatorId: string) => and(ofOperator(operatorId), isNull(operatorKeys.revokedAt));

  function* find(db: Db, id: string): Step<StoredOperatorKey | null> {
    const row = yield* first(
      db.select(columns).from(operatorKeys).where(eq(operatorKeys.id, id.toLowerCase())),
    );
    return row && toOperatorKey(row);
  }

  return {
    create: ({ ipRanges, ...key }, most) =>
      sql.change(function* (db) {
        const operatorId = key.operatorId.toLowerCase();
        if ((yield* totalOf(db, operators, eq(operators.id, operatorId))) === 0) return 'no_operator';
        if ((yield* totalOf(db, operatorKeys, livingOf(operatorId))) >= most) return 'too_many';
        yield* run(
          db.insert(operatorKeys).values({ ...key, operatorId, ipRanges: JSON.stringify(ipRanges) }),
        );
        return (yield* find(db, key.id)) as StoredOperatorKey;
      }),

    list: (page, { operatorId }) =>
      sql.read(function* (db) {
        const where = operatorId === undefined ? undefined : ofOperator(operatorId);
        const rows = yield* all(
          db
            .select(columns)
            .from(operatorKeys)
            .where(where)
            .orderBy(...newestFirst)
            .limit(page.size)
            .offset(offsetOf(page)),
        );
        return { items: rows.map(toOperatorKey), total: yield* totalOf(db, operatorKeys, where) };
      }),

    listLiving: (operatorId) =>
      sql.read(function* (db) {
        const rows = yield* all(
          db
            .select(columns)
            .from(operatorKeys)
            .where(livingOf(operatorId))
            .orderBy(...newestFirst),
        );
        return rows.map(toOperatorKey);
      }),

    revoke: (id, now) =>
      sql.change(function* (db) {
        const before = yield* find(db, id);
        if (!before) return 'no_key';
        if (before.revokedAt !== null) return 'already_revoked';
        if (!(yield* isOwnerLeft(sql, db, { key: before.id }))) return 'last_owner';
        yield* run(db.update(operatorKeys).set({ revokedAt: now }).where(eq(operatorKeys.id, before.id)));
        return { ...before, revokedAt: now };
      }),

    async find(keyHash, now) {
      const row = await lookUp(keyHash);
      if (!row) return null;
      const { revokedAt, expiresAt } = row.key;
      const isLive = revokedAt === null && (expiresAt === null || expiresAt > now);
      if (!isLive || row.operator.status !== 'ACTIVE') return null;
      return { key: toOperatorKey(row.key), operator: toOperator(row.operator) };
    },

    recordUse: (id, now) =>
      ordinary.change(function* (db) {
        const earlier = or(isNull(operatorKeys.lastUsedAt), lt(operatorKeys.lastUsedAt, now));
        yield* run(
          db
            .update(operatorKeys)
            .set({ lastUsedAt: now })
            .where(and(eq(operatorKeys.id, id), earlier)),
        );
      }),
  };
}

/** Whether an ACTIVE owner could still let others in without this operator or key, for ever and from everywhere. */
function* isOwnerLeft(sql: Sql, db: Db, without: { operator?: string; key?: string }): Step<boolean> {
  const { operators, operatorKeys } = sql.tables;
  const left = yield* first(
    db
      .select({ id: operatorKeys.id })
      .from(operatorKeys)
      .innerJoin(operators, eq(operators.id, operatorKeys.operatorId))
      .where(
        and(
          eq(operators.status, 'ACTIVE'),
          sql.hasMember(operators.roles, 'OWNER'),
          isNull(operatorKeys.revokedAt),
          isNull(operatorKeys.expiresAt),
          eq(operatorKeys.ipRanges, '[]'),
          without.operator === undefined ? undefined : ne(operators.id, without.operator),
          without.key === undefined ? undefined : ne(operatorKeys.id, without.key),
        ),
      )
      .limit(1),
  );
  return left !== null;
}

const isOwner = ({ status, roles }: Pick<StoredOperator, 'status' | 'roles'>): boolean =>
  status === 'ACTIVE' && roles.includes('OWNER');

const emailColumns = (email: string | null) => ({ email, emailKey: email?.toLowerCase() ?? null });

const toOperator = (
  row: Omit<StoredOperator, 'roles' | 'groups'> & { roles: string; groups: string },
): StoredOperator => ({ ...row, roles: parseList(row.roles), groups: parseList(row.groups) });

const toOperatorKey = (
  row: Omit<StoredOperatorKey, 'ipRanges'> & { ipRanges: string },
): StoredOperatorKey => ({
  ...row,
  ipRanges: parseList(row.ipRanges),
});
