import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { auditActorKinds, auditOutcomes } from '../../../features/audit/words.ts';
import { big, position, time } from './columns.ts';

/** Permanent: triggers refuse to change or delete a row. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid().primaryKey(),
    position: position(),
    at: time().notNull(),
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
    /** Place in the chain of management, which is the order of the entries, and SHA-256 of the entry. */
    chainSeq: big().notNull(),
    entryHash: text().notNull(),
  },
  (table) => [
    uniqueIndex('audit_entries_by_place').on(table.chainSeq),
    uniqueIndex('audit_entries_by_position').on(table.position),
    // Each in the order of lists, which is that of time.
    index('audit_entries_by_time').on(table.at, table.chainSeq),
    index('audit_entries_by_actor').on(table.actorId, table.at, table.chainSeq),
    index('audit_entries_by_action').on(table.action, table.at, table.chainSeq),
    index('audit_entries_by_kind').on(table.resource, table.at, table.chainSeq),
    index('audit_entries_by_resource').on(table.resource, table.resourceId, table.at, table.chainSeq),
    index('audit_entries_by_outcome').on(table.outcome, table.at, table.chainSeq),
  ],
);
