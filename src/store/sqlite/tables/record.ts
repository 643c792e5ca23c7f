import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { auditActorKinds, auditOutcomes, changedOrRefused } from '../../../features/audit/words.ts';
import { integrations } from '../../../sql/sqlite/tables.ts';
import { evaluationSessions } from './evaluation-sessions.ts';

/** Entries that are neither evaluations nor management calls. Permanent: triggers refuse to change or delete a row. */
export const recordEntries = sqliteTable(
  'record_entries',
  {
    id: integer().primaryKey(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    sessionId: integer().references(() => evaluationSessions.id),
    kind: text({ enum: ['review'] }).notNull(),
    /** JSON text of the members. */
    members: text().notNull(),
    /** The last evaluation recorded before it, of whatever session; 0 for none. */
    afterEvaluationId: integer().notNull(),
    chainSeq: integer().notNull(),
    entryHash: text().notNull(),
  },
  (table) => [
    index('record_entries_by_session').on(table.sessionId, table.chainSeq),
    index('record_entries_by_place').on(table.afterEvaluationId, table.id),
  ],
);

const changes = sql.raw(changedOrRefused);

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
    // Calls that only read, which are most, are not in it.
    index('audit_changes_by_time').on(table.at).where(changes),
    index('audit_changes_by_actor').on(table.actorId, table.at).where(changes),
    index('audit_changes_by_action').on(table.action, table.at).where(changes),
    index('audit_changes_by_kind').on(table.resource, table.at).where(changes),
    index('audit_changes_by_outcome').on(table.outcome, table.at).where(changes),
  ],
);

/** One row, once anything was recorded: what is known of the time, so that it never runs backwards. */
export const clock = sqliteTable('clock', {
  id: integer().primaryKey(),
  latestAt: integer().notNull(),
  /** Null unless the clock jumped ahead and nobody has confirmed it: the time before. */
  retentionHeldAt: integer(),
  /** The time of the last correction: evaluations up to this one that lie ahead of that time count as made then. */
  correctedAt: integer(),
  correctedEvaluationId: integer(),
});
