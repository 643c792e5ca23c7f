import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from '../../../sql/sqlite/tables.ts';

export const evaluationSessions = sqliteTable(
  'evaluation_sessions',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    status: text({ enum: ['ACTIVE', 'COMPLETED', 'TERMINATED'] }).notNull(),
    entityId: text(),
    externalSessionId: text().notNull(),
    metadata: text().notNull(),
    startedAt: integer().notNull(),
    expiresAt: integer().notNull(),
    endedAt: integer(),
    /** The id that callers know of its parent; null without one, as is `place`. */
    parentUid: text(),
    /** JSON: what `SessionPlace` has besides the parent. */
    place: text(),
    /** 1 from its first child on. */
    hasChildren: integer().notNull().default(0),
    /** 1 once it is over and its parent knows what it had. */
    gathered: integer().notNull().default(0),
    /** 1 for `endsWhenIdle`; 0 again once it has expired, so that nobody looks at it any more. */
    endsWhenIdle: integer().notNull().default(0),
  },
  (table) => [
    index('evaluation_sessions_by_integration').on(table.integrationId, table.id),
    index('evaluation_sessions_by_status').on(table.integrationId, table.status, table.id, table.expiresAt),
    index('evaluation_sessions_by_external_id').on(table.integrationId, table.externalSessionId),
    index('evaluation_sessions_by_parent')
      .on(table.parentUid)
      .where(sql`${table.parentUid} IS NOT NULL AND ${table.gathered} = 0`),
    index('evaluation_sessions_by_root')
      .on(sql`json_extract(${table.place}, '$.rootId')`)
      .where(sql`${table.place} IS NOT NULL`),
    index('evaluation_sessions_by_entity').on(table.integrationId, table.entityId),
    index('evaluation_sessions_idle')
      .on(table.startedAt)
      .where(sql`${table.endsWhenIdle} = 1 AND ${table.status} = 'ACTIVE'`),
  ],
);

export const sessionStates = sqliteTable(
  'session_states',
  {
    sessionId: integer()
      .primaryKey()
      .references(() => evaluationSessions.id),
    actionCount: integer().notNull(),
    warningCount: integer().notNull(),
    blockCount: integer().notNull(),
    reviewCount: integer().notNull(),
    rejectionCount: integer().notNull().default(0),
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
    /** The cells of counters over the session (`CountedScope`): they change with nearly every action, as the rest does. */
    counters: blob({ mode: 'buffer' }),
    /** The head of its chain in the record; the hash is null until there is an entry. */
    chainSeq: integer().notNull().default(0),
    chainHash: text(),
    /** JSON lists: of all policies, and of those in mode MONITOR. */
    labels: text().notNull().default('[]'),
    monitoredLabels: text().notNull().default('[]'),
    /** Identifiers that it has seen. */
    sightingCount: integer().notNull().default(0),
    /** Whether there were more than may be kept: 1 or 0. */
    sightingsFull: integer().notNull().default(0),
    /** The identifiers seen since the last full block (`SeenIdentifiers`): they change with most actions, as the rest does. */
    sightings: blob({ mode: 'buffer' }),
    /** Blocks in the table `sightings`. */
    sightingBlocks: integer().notNull().default(0),
    /** Whether `sightingCount` is not 0: 1 or 0. An index on the count itself would be written with every action. */
    hasSightings: integer().notNull().default(0),
  },
  (table) => [
    index('session_states_with_sightings').on(table.sessionId).where(sql`${table.hasSightings} = 1`),
  ],
);

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
      .references(() => integrations.row),
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
      .references(() => integrations.row),
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

/** The counts of all sessions of a tree together: one row for each root that has had a child. */
export const sessionTrees = sqliteTable('session_trees', {
  rootUid: text().primaryKey(),
  /** JSON: `TreeCounts`. */
  counts: text().notNull(),
});

/** Changes of sessions that are no evaluations, so that their history can be replayed: ends of children, labels taken away, rejections. */
export const sessionChanges = sqliteTable(
  'session_changes',
  {
    id: integer().primaryKey(),
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    kind: text({ enum: ['ENDED', 'LABEL_REMOVED', 'REJECTED'] }).notNull(),
    /** The label that was taken away. */
    label: text(),
    /** The review of a held action that a person rejected. */
    reviewUid: text(),
    /** The last evaluation recorded before it, of whatever session; 0 for none. */
    afterEvaluationId: integer().notNull(),
  },
  (table) => [
    index('session_changes_by_place').on(table.afterEvaluationId, table.id),
    index('removed_labels_by_session').on(table.sessionId).where(sql`${table.kind} = 'LABEL_REMOVED'`),
    index('rejections_by_session').on(table.sessionId).where(sql`${table.kind} = 'REJECTED'`),
  ],
);

/** The identifiers that a session has seen, in blocks that are full; those after them are in its state. */
export const sightings = sqliteTable(
  'sightings',
  {
    sessionId: integer()
      .notNull()
      .references(() => evaluationSessions.id),
    block: integer().notNull(),
    data: blob({ mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.block] })],
);

/** One row: random, made by the migration. */
export const installationSalts = sqliteTable('installation_salts', {
  id: integer().primaryKey(),
  salt: text().notNull(),
});
