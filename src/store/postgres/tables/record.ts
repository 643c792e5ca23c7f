import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { auditActorKinds, auditOutcomes, changedOrRefused } from '../../../features/audit/words.ts';
import { big, position, time } from './shared.ts';

/** Entries that are neither evaluations nor management calls. Permanent: triggers refuse to change or delete a row. */
export const recordEntries = pgTable(
  'record_entries',
  {
    position: position().primaryKey(),
    integrationId: uuid().notNull(),
    sessionId: uuid(),
    kind: text({ enum: ['review'] }).notNull(),
    /** JSON text of the members. */
    members: text().notNull(),
    chainSeq: big().notNull(),
    entryHash: text().notNull(),
  },
  (table) => [index('record_entries_by_session').on(table.sessionId, table.chainSeq)],
);

const changes = sql.raw(changedOrRefused);

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
    // Calls that only read, which are most, are not in it.
    index('audit_changes_by_time').on(table.at, table.chainSeq).where(changes),
    index('audit_changes_by_actor').on(table.actorId, table.at, table.chainSeq).where(changes),
    index('audit_changes_by_action').on(table.action, table.at, table.chainSeq).where(changes),
    index('audit_changes_by_kind').on(table.resource, table.at, table.chainSeq).where(changes),
    index('audit_changes_by_outcome').on(table.outcome, table.at, table.chainSeq).where(changes),
  ],
);

/** One row, once it was kept: what is known of the time, so that it never runs backwards. */
export const clock = pgTable('clock', {
  id: integer().primaryKey(),
  latestAt: time().notNull(),
  /** Null unless the clock jumped ahead and nobody has confirmed it: the time before. */
  retentionHeldAt: time(),
});

/** Which transactions were committed: see `commit-marks.ts`. */
export const commitMarks = pgTable('commit_marks', {
  id: uuid().primaryKey(),
  number: integer().notNull(),
  writtenAt: time().notNull(),
});
