import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Sqlite } from './database.ts';
import { operatorKeys, operators } from './tables.ts';

export const operatorColumns = {
  id: operators.uid,
  name: operators.name,
  email: operators.email,
  status: operators.status,
  roles: operators.roles,
  groups: operators.groups,
  entityId: operators.entityId,
  createdAt: operators.createdAt,
  updatedAt: operators.updatedAt,
};
export const keyColumns = {
  id: operatorKeys.uid,
  operatorId: operators.uid,
  name: operatorKeys.name,
  lastFour: operatorKeys.lastFour,
  createdAt: operatorKeys.createdAt,
  lastUsedAt: operatorKeys.lastUsedAt,
  expiresAt: operatorKeys.expiresAt,
  ipRanges: operatorKeys.ipRanges,
  revokedAt: operatorKeys.revokedAt,
};
export const notRevoked = isNull(operatorKeys.revokedAt);
export const hasRole = (role: SQL | string): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${operators.roles}) WHERE value = ${role})`;

/** Whether an ACTIVE owner could still let others in without this operator or key, for ever and from everywhere. */
export function isOwnerLeft(
  { db }: Pick<Sqlite, 'db'>,
  without: { operator?: string; key?: string },
): boolean {
  const left = db
    .select({ id: operatorKeys.id })
    .from(operatorKeys)
    .innerJoin(operators, eq(operators.id, operatorKeys.operatorId))
    .where(
      and(
        eq(operators.status, 'ACTIVE'),
        hasRole('OWNER'),
        notRevoked,
        isNull(operatorKeys.expiresAt),
        eq(operatorKeys.ipRanges, '[]'),
        without.operator === undefined ? undefined : ne(operators.uid, without.operator),
        without.key === undefined ? undefined : ne(operatorKeys.uid, without.key),
      ),
    )
    .limit(1)
    .get();
  return left !== undefined;
}
