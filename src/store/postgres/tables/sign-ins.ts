import { bigserial, index, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const signIns = pgTable(
  'sign_ins',
  {
    tokenHash: text().primaryKey(),
    /** In the order of their creation. */
    place: bigserial({ mode: 'number' }).notNull(),
    operatorKeyHash: text().notNull(),
    createdAt: time().notNull(),
    usedAt: time().notNull(),
    confirmedAt: time().notNull(),
  },
  (table) => [index('sign_ins_by_key').on(table.operatorKeyHash, table.place)],
);

export const signInLinks = pgTable('sign_in_links', {
  linkHash: text().primaryKey(),
  operatorKeyHash: text().notNull(),
  expiresAt: time().notNull(),
});
