import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const signIns = sqliteTable(
  'sign_ins',
  {
    id: integer().primaryKey(),
    tokenHash: text().notNull().unique(),
    operatorKeyHash: text().notNull(),
    createdAt: integer().notNull(),
    usedAt: integer().notNull(),
    confirmedAt: integer().notNull(),
  },
  (table) => [index('sign_ins_by_key').on(table.operatorKeyHash)],
);

export const signInLinks = sqliteTable('sign_in_links', {
  id: integer().primaryKey(),
  linkHash: text().notNull().unique(),
  operatorKeyHash: text().notNull(),
  expiresAt: integer().notNull(),
});
