import { sql } from 'drizzle-orm';
import type { Columns } from '../../sql/sqlite/columns.ts';

export function signInTables({ table, text, uuid, time, serial, index, check }: Columns) {
  const signIns = table(
    'sign_ins',
    {
      place: serial(),
      tokenHash: text().notNull().unique(),
      /** Whose sign-in it is: exactly one of the two is null. */
      operatorKeyHash: text(),
      operatorId: uuid(),
      createdAt: time().notNull(),
      usedAt: time().notNull(),
      confirmedAt: time().notNull(),
    },
    (row) => [
      index('sign_ins_by_key').on(row.operatorKeyHash, row.place),
      index('sign_ins_by_operator').on(row.operatorId, row.place),
      check('sign_ins_identity', sql`(${row.operatorKeyHash} IS NULL) <> (${row.operatorId} IS NULL)`),
    ],
  );
  const signInLinks = table('sign_in_links', {
    linkHash: text().primaryKey(),
    operatorKeyHash: text().notNull(),
    expiresAt: time().notNull(),
  });
  return { signIns, signInLinks };
}
