import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from './integrations.ts';

export const evaluationSessions = sqliteTable(
  'evaluation_sessions',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    status: text({ enum: ['ACTIVE', 'COMPLETED', 'TERMINATED'] }).notNull(),
    entityId: text(),
    externalSessionId: text().notNull(),
    metadata: text().notNull(),
    startedAt: integer().notNull(),
    expiresAt: integer().notNull(),
    endedAt: integer(),
  },
  (table) => [
    index('evaluation_sessions_by_integration').on(table.integrationId, table.id),
    index('evaluation_sessions_by_external_id').on(table.integrationId, table.externalSessionId),
    index('evaluation_sessions_by_entity').on(table.integrationId, table.entityId),
  ],
);

export const sessionStates = sqliteTable('session_states', {
  sessionId: integer()
    .primaryKey()
    .references(() => evaluationSessions.id),
  actionCount: integer().notNull(),
  warningCount: integer().notNull(),
  blockCount: integer().notNull(),
  reviewCount: integer().notNull(),
  dataTags: text().notNull(),
  /** The first tools that were invoked, as JSON pairs of name and count; the others are in `session_tools`. */
  toolCounts: text().notNull(),
  lastEvaluationId: integer(),
  lastMarkId: integer(),
});

export const sessionTools = sqliteTable(
  'session_tools',
  {
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    tool: text().notNull(),
    callCount: integer().notNull(),
    firstSeq: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.tool] })],
);

export const namedSessions = sqliteTable(
  'named_sessions',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    name: text().notNull(),
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    usedAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.name] }),
    index('named_sessions_by_use').on(table.usedAt),
  ],
);
