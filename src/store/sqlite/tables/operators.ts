import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const operators = sqliteTable('operators', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull(),
  /** As it was given; unique in lower case. */
  email: text(),
  emailKey: text().unique(),
  status: text({ enum: ['ACTIVE', 'DISABLED'] }).notNull(),
  /** JSON lists. */
  roles: text().notNull(),
  groups: text().notNull(),
  entityId: text(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

export const operatorKeys = sqliteTable(
  'operator_keys',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    keyHash: text().notNull().unique(),
    createdAt: integer().notNull(),
    revokedAt: integer(),
    /** Null nowhere: SQLite adds no other column that refers to a table. */
    operatorId: integer().references(() => operators.id),
    name: text().notNull().default('key'),
    lastFour: text(),
    lastUsedAt: integer(),
    expiresAt: integer(),
    /** A JSON list. */
    ipRanges: text().notNull().default('[]'),
  },
  (table) => [index('operator_keys_by_operator').on(table.operatorId, table.id)],
);
