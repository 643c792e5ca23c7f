import type { Columns } from '../../sql/sqlite/columns.ts';
import { operatorStatuses } from './words.ts';

export function operatorTables({ table, text, uuid, time, index }: Columns) {
  // migrations/by-hand/postgres.sql has one more index.
  const operators = table('operators', {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** As it was given; unique in lower case. */
    email: text(),
    emailKey: text().unique(),
    status: text({ enum: operatorStatuses }).notNull(),
    /** JSON lists. */
    roles: text().notNull(),
    groups: text().notNull(),
    entityId: uuid(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  });
  const operatorKeys = table(
    'operator_keys',
    {
      id: uuid().primaryKey(),
      operatorId: uuid()
        .notNull()
        .references(() => operators.id),
      keyHash: text().notNull().unique(),
      name: text().notNull(),
      lastFour: text(),
      createdAt: time().notNull(),
      lastUsedAt: time(),
      expiresAt: time(),
      /** A JSON list. */
      ipRanges: text().notNull(),
      revokedAt: time(),
    },
    (row) => [index('operator_keys_by_operator').on(row.operatorId, row.createdAt)],
  );
  return { operators, operatorKeys };
}
