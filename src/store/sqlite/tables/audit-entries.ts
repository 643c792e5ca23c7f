import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { auditActorKinds, auditOutcomes } from '../../../features/audit/words.ts';

/** Permanent: triggers refuse to change or delete a row. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    at: integer().notNull(),
    actorKind: text({ enum: auditActorKinds }).notNull(),
    actorId: text().notNull(),
    actorName: text().notNull(),
    keyId: text(),
    action: text().notNull(),
    resource: text(),
    resourceId: text(),
    method: text().notNull(),
    path: text().notNull(),
    address: text(),
    requestId: text().notNull(),
    outcome: text({ enum: auditOutcomes }).notNull(),
    statusCode: integer().notNull(),
    message: text(),
    before: text(),
    after: text(),
    /** Place in the chain of management, and SHA-256 of the entry. */
    chainSeq: integer().notNull(),
    entryHash: text().notNull(),
  },
  (table) => [
    // Each in the order of lists, which is that of time: an index ends with the number of the row.
    index('audit_entries_by_time').on(table.at),
    index('audit_entries_by_actor').on(table.actorId, table.at),
    index('audit_entries_by_action').on(table.action, table.at),
    index('audit_entries_by_kind').on(table.resource, table.at),
    index('audit_entries_by_resource').on(table.resource, table.resourceId, table.at),
    index('audit_entries_by_outcome').on(table.outcome, table.at),
  ],
);
