import { sql } from 'drizzle-orm';
import { bigserial, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { time } from './columns.ts';

export const signIns = pgTable(
  'sign_ins',
  {
    tokenHash: text().primaryKey(),
    /** In the order of their creation. */
    place: bigserial({ mode: 'number' }).notNull(),
    /** One of the two: whose sign-in it is. */
    operatorKeyHash: text(),
    operatorId: uuid(),
    createdAt: time().notNull(),
    usedAt: time().notNull(),
    confirmedAt: time().notNull(),
  },
  (table) => [
    index('sign_ins_by_key').on(table.operatorKeyHash, table.place),
    index('sign_ins_by_operator').on(table.operatorId, table.place),
    check('sign_ins_identity', sql`(${table.operatorKeyHash} IS NULL) <> (${table.operatorId} IS NULL)`),
  ],
);

export const signInLinks = pgTable('sign_in_links', {
  linkHash: text().primaryKey(),
  operatorKeyHash: text().notNull(),
  expiresAt: time().notNull(),
});
