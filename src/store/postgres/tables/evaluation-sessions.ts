import { sql } from 'drizzle-orm';
import { boolean, customType, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { big, position, time } from './shared.ts';

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const evaluationSessions = pgTable(
  'evaluation_sessions',
  {
    id: uuid().primaryKey(),
    integrationId: uuid().notNull(),
    status: text({ enum: ['ACTIVE', 'COMPLETED', 'TERMINATED'] }).notNull(),
    entityId: text(),
    externalSessionId: text().notNull(),
    metadata: text().notNull(),
    startedAt: time().notNull(),
    expiresAt: time().notNull(),
    endedAt: time(),
    /** Null without a parent, as is `place`. */
    parentUid: uuid(),
    rootUid: uuid(),
    /** JSON: what `SessionPlace` has besides the parent. */
    place: text(),
    /** From its first child on. */
    hasChildren: boolean().notNull().default(false),
    /** Once it is over and its parent knows what it had. */
    gathered: boolean().notNull().default(false),
    /** For `endsWhenIdle`; no more once it has expired, so that nobody looks at it. */
    endsWhenIdle: boolean().notNull().default(false),
  },
  (table) => [
    index('evaluation_sessions_by_time').on(table.startedAt, table.id),
    index('evaluation_sessions_by_integration').on(table.integrationId, table.startedAt, table.id),
    index('evaluation_sessions_by_status').on(table.integrationId, table.status, table.startedAt, table.id),
    // Operators search without an integration.
    index('evaluation_sessions_by_expiry').on(table.status, table.expiresAt),
    index('evaluation_sessions_by_name').on(sql`md5(${table.externalSessionId})`, table.integrationId),
    index('evaluation_sessions_by_parent')
      .on(table.parentUid)
      .where(sql`${table.parentUid} IS NOT NULL AND NOT ${table.gathered}`),
    index('evaluation_sessions_by_root').on(table.rootUid).where(sql`${table.rootUid} IS NOT NULL`),
    index('evaluation_sessions_by_entity').on(table.integrationId, table.entityId),
    index('evaluation_sessions_idle')
      .on(table.startedAt, table.id)
      .where(sql`${table.endsWhenIdle} AND ${table.status} = 'ACTIVE'`),
  ],
);

/**
 * The part of a session that changes with nearly every evaluation. Its row is the lock of the session: whoever changes anything of a session, or
 * records in it, locks this row first.
 */
export const sessionStates = pgTable(
  'session_states',
  {
    sessionId: uuid().primaryKey(),
    actionCount: integer().notNull().default(0),
    warningCount: integer().notNull().default(0),
    blockCount: integer().notNull().default(0),
    reviewCount: integer().notNull().default(0),
    rejectionCount: integer().notNull().default(0),
    /** Records that are no actions: prompts and results. */
    otherCount: integer().notNull().default(0),
    dataTags: text().notNull().default('[]'),
    /** JSON pairs of name and count, in order of first use: of tools that were let through. */
    toolCounts: text().notNull().default('[]'),
    /** The same of tools that were blocked or held. */
    stoppedCounts: text().notNull().default('[]'),
    /** The cells of counters over the session (`CountedScope`). */
    counters: bytes(),
    /** The head of its chain in the record; the hash is null until there is an entry. */
    chainSeq: big().notNull().default(0),
    chainHash: text(),
    /** JSON lists: of all policies, and of those in mode MONITOR. */
    labels: text().notNull().default('[]'),
    monitoredLabels: text().notNull().default('[]'),
    /** Identifiers in `sightings`. */
    sightingCount: integer().notNull().default(0),
    /** Whether there were more than may be kept. */
    sightingsFull: boolean().notNull().default(false),
  },
  (table) => [
    index('session_states_with_sightings').on(table.sessionId).where(sql`${table.sightingCount} > 0`),
  ],
);

export const namedSessions = pgTable(
  'named_sessions',
  {
    integrationId: uuid().notNull(),
    name: text().notNull(),
    sessionId: uuid().notNull(),
    usedAt: time().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.name] }),
    index('named_sessions_by_use').on(table.usedAt),
  ],
);

/** The counts of all sessions of a tree together: one row for each root that has had a child. */
export const sessionTrees = pgTable('session_trees', {
  rootUid: uuid().primaryKey(),
  /** JSON: `TreeCounts`. */
  counts: text().notNull(),
});

/** Changes of sessions that are no evaluations, so that their history can be replayed: ends of children, labels taken away, rejections. */
export const sessionChanges = pgTable(
  'session_changes',
  {
    position: position().primaryKey(),
    sessionId: uuid().notNull(),
    kind: text({ enum: ['ENDED', 'LABEL_REMOVED', 'REJECTED'] }).notNull(),
    /** The label that was taken away. */
    label: text(),
    /** The review of a held action that a person rejected. */
    reviewId: uuid(),
  },
  (table) => [index('session_changes_by_session').on(table.sessionId)],
);

/** The identifiers that a session has seen. */
export const sightings = pgTable(
  'sightings',
  {
    sessionId: uuid().notNull(),
    digest: text().notNull(),
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sessionId, table.digest] })],
);

/** One row: random, made when it is asked for first. */
export const installationSalts = pgTable('installation_salts', {
  id: integer().primaryKey(),
  salt: text().notNull(),
});
