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
    index('evaluation_sessions_by_status').on(table.integrationId, table.status, table.id, table.expiresAt),
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
  /** The first tools that were let through, as JSON pairs of name and count; the others are in `session_tools`. */
  toolCounts: text().notNull(),
  lastEvaluationId: integer(),
  /** Records that are no actions: prompts and results. */
  otherCount: integer().notNull().default(0),
  /** Read only when `otherCount` is not 0; else the last evaluation is the last action. */
  lastActionId: integer(),
  /** The same of tools that were blocked or held; the others are in `session_stopped_tools`. */
  stoppedCounts: text().notNull().default('[]'),
});

/** Every 100th record of a session by its place (`seq`), from which the others are reached by their links. */
export const sessionMarks = sqliteTable(
  'session_marks',
  {
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    seq: integer().notNull(),
    evaluationId: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.seq] })],
);

/**
 * How many of 4,096 neighbouring sessions are an integration's, by their status. Kept by triggers, so that they are exact
 * whoever writes. The expiries bound those of the open sessions.
 */
export const sessionBlocks = sqliteTable(
  'session_blocks',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    /** The id of a session, divided by 4,096. */
    block: integer().notNull(),
    openCount: integer().notNull(),
    completedCount: integer().notNull(),
    terminatedCount: integer().notNull(),
    soonestExpiry: integer().notNull(),
    latestExpiry: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.integrationId, table.block] })],
);

const toolColumns = () => ({
  sessionId: integer()
    .notNull()
    .references(() => evaluationSessions.id),
  tool: text().notNull(),
  callCount: integer().notNull(),
  firstSeq: integer().notNull(),
});
export const sessionTools = sqliteTable('session_tools', toolColumns(), (table) => [
  primaryKey({ columns: [table.sessionId, table.tool] }),
]);
export const sessionStoppedTools = sqliteTable('session_stopped_tools', toolColumns(), (table) => [
  primaryKey({ columns: [table.sessionId, table.tool] }),
]);

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
