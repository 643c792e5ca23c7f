import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const signIns = sqliteTable(
  'sign_ins',
  {
    id: integer().primaryKey(),
    tokenHash: text().notNull().unique(),
    /** One of the two: whose sign-in it is. */
    operatorKeyHash: text(),
    operatorId: text(),
    createdAt: integer().notNull(),
    usedAt: integer().notNull(),
    confirmedAt: integer().notNull(),
  },
  (table) => [
    index('sign_ins_by_key').on(table.operatorKeyHash),
    index('sign_ins_by_operator').on(table.operatorId),
    check('sign_ins_identity', sql`(${table.operatorKeyHash} IS NULL) <> (${table.operatorId} IS NULL)`),
  ],
);

export const signInLinks = sqliteTable('sign_in_links', {
  id: integer().primaryKey(),
  linkHash: text().notNull().unique(),
  operatorKeyHash: text().notNull(),
  expiresAt: integer().notNull(),
});
