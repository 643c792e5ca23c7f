import { sql } from 'drizzle-orm';
import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const operators = pgTable(
  'operators',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** As it was given; unique in lower case. */
    email: text(),
    emailKey: text().unique(),
    status: text({ enum: ['ACTIVE', 'DISABLED'] }).notNull(),
    /** JSON lists. */
    roles: text().notNull(),
    groups: text().notNull(),
    entityId: uuid(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  // Authors and reviewers are texts: without it, each name in a list is looked for among all operators.
  (table) => [index('operators_by_text').on(sql`(${table.id}::text)`)],
);

export const operatorKeys = pgTable(
  'operator_keys',
  {
    id: uuid().primaryKey(),
    keyHash: text().notNull().unique(),
    createdAt: time().notNull(),
    revokedAt: time(),
    operatorId: uuid()
      .notNull()
      .references(() => operators.id),
    name: text().notNull(),
    lastFour: text(),
    lastUsedAt: time(),
    expiresAt: time(),
    /** A JSON list. */
    ipRanges: text().notNull().default(sql`'[]'`),
  },
  (table) => [index('operator_keys_by_operator').on(table.operatorId, table.createdAt)],
);
