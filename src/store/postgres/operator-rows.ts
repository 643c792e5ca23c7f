import { and, eq, getTableColumns, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Db } from './database.ts';
import { operatorKeys, operators } from './tables.ts';

const { emailKey: _, ...columns } = getTableColumns(operators);
export const operatorColumns = columns;
const { keyHash: __, ...others } = getTableColumns(operatorKeys);
export const keyColumns = others;

export const notRevoked = isNull(operatorKeys.revokedAt);
export const hasMember = (list: AnyPgColumn, value: string): SQL =>
  sql`EXISTS (SELECT 1 FROM json_array_elements_text(${list}::json) AS member WHERE member = ${value})`;

/** Of those who decided, claimed or wrote, whose ids are text: the command on the database is one, and other systems may give their own. */
export const isOperator = (table: { id: AnyPgColumn }, id: AnyPgColumn | SQL): SQL =>
  sql`${table.id}::text = ${id}`;

/** Whether an ACTIVE owner could still let others in without this operator or key, for ever and from everywhere. */
export async function isOwnerLeft(tx: Db, without: { operator?: string; key?: string }): Promise<boolean> {
  const left = await tx
    .select({ id: operatorKeys.id })
    .from(operatorKeys)
    .innerJoin(operators, eq(operators.id, operatorKeys.operatorId))
    .where(
      and(
        eq(operators.status, 'ACTIVE'),
        hasMember(operators.roles, 'OWNER'),
        notRevoked,
        isNull(operatorKeys.expiresAt),
        eq(operatorKeys.ipRanges, '[]'),
        without.operator === undefined ? undefined : ne(operators.id, without.operator),
        without.key === undefined ? undefined : ne(operatorKeys.id, without.key),
      ),
    )
    .limit(1);
  return left.length > 0;
}
