import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

// Every table is STRICT (the migrations say so; drizzle has no word for it). Rows are joined by integer keys,
// which halves the cost of an insert beside text keys; `uid` is the UUID that callers see.
// Times are milliseconds since 1970 in UTC.

export const operatorKeys = sqliteTable('operator_keys', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  keyHash: text().notNull().unique(),
  createdAt: integer().notNull(),
  revokedAt: integer(),
});

export const integrations = sqliteTable('integrations', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull(),
  kind: text({ enum: ['REST_API', 'MCP_SERVER', 'AGENT'] }).notNull(),
  description: text(),
  settings: text().notNull(),
  webhookSecret: text().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  deletedAt: integer(),
});

export const integrationKeys = sqliteTable(
  'integration_keys',
  {
    id: integer().primaryKey(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    keyHash: text().notNull().unique(),
    keyPrefix: text().notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer(),
    revokedAt: integer(),
  },
  (table) => [index('integration_keys_by_integration').on(table.integrationId)],
);

export const policies = sqliteTable('policies', {
  id: integer().primaryKey(),
  uid: text().notNull().unique(),
  name: text().notNull(),
  status: text({ enum: ['DRAFT', 'ACTIVE', 'DEPRECATED'] }).notNull(),
  currentVersion: integer().notNull(),
  latestVersion: integer().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});

export const policyVersions = sqliteTable(
  'policy_versions',
  {
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    name: text().notNull(),
    mediaType: text({ enum: ['application/yaml', 'application/json'] }).notNull(),
    document: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version] })],
);

export const bindings = sqliteTable(
  'bindings',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.policyId] }),
    index('bindings_by_policy').on(table.policyId),
  ],
);

/** The sets of policy versions that ever decided together: an evaluation names its set by one integer. */
export const policySets = sqliteTable('policy_sets', {
  id: integer().primaryKey(),
  members: text().notNull().unique(),
});

export const policySetMembers = sqliteTable(
  'policy_set_members',
  {
    policyId: integer()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version, table.policySetId] })],
);

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

/**
 * What changes with every action, apart from what never does: an action rewrites its session's row, and a rewritten
 * page is most of what an evaluation costs. Evaluations of a session are found from here, by links (see `evaluations`).
 */
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

/** How often each further tool was invoked: the number of tools has no bound, and a row that grew with it would. */
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

/**
 * Appended, never moved. The evaluations of a session are linked backwards: `previousId` is the one before, `markId` the
 * last one whose `seq` is a multiple of 100, for long ways. An index on (session, seq) would cost more than the row.
 */
export const evaluations = sqliteTable(
  'evaluations',
  {
    id: integer().primaryKey(),
    uid: text().notNull(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    sessionId: integer().references(() => evaluationSessions.id),
    seq: integer(),
    previousId: integer(),
    markId: integer(),
    transport: text({ enum: ['REST', 'MCP'] }).notNull(),
    tool: text().notNull(),
    targetKey: text(),
    targetMetadata: text(),
    correlationId: text(),
    outcome: text({ enum: ['ALLOW', 'FLAG', 'DENY'] }).notNull(),
    enforcementAction: text({ enum: ['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'] }).notNull(),
    severity: text({ enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] }),
    enforcedSeverity: text({ enum: ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] }),
    violations: text(),
    dataTags: text(),
    detections: text(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
    input: text(),
    reviewUid: text(),
    createdAt: integer().notNull(),
  },
  (table) => [uniqueIndex('evaluations_by_uid').on(table.uid)],
);

/** One row, once content is deleted by age: evaluations up to this one have lost theirs. */
export const contentRetention = sqliteTable('content_retention', {
  id: integer().primaryKey(),
  evaluationId: integer().notNull(),
});

export const reviews = sqliteTable(
  'reviews',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    sessionId: integer().references(() => evaluationSessions.id),
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    tool: text().notNull(),
    inputHash: text().notNull(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
    status: text({ enum: ['PENDING', 'APPROVED', 'REJECTED', 'CONSUMED'] }).notNull(),
    createdAt: integer().notNull(),
    expiresAt: integer().notNull(),
    expirySeconds: integer().notNull(),
    decidedAt: integer(),
    decidedBy: text(),
    comment: text(),
    consumedAt: integer(),
    callbackUrl: text(),
  },
  (table) => [
    index('reviews_by_integration').on(table.integrationId, table.id),
    index('reviews_by_status').on(table.status, table.id),
    index('reviews_by_session').on(table.sessionId),
  ],
);

/** Decisions on their way to a `callbackUrl`: written with the decision, gone over until delivered or given up. */
export const callbacks = sqliteTable(
  'callbacks',
  {
    id: integer().primaryKey(),
    uid: text().notNull().unique(),
    reviewId: integer()
      .notNull()
      .unique()
      .references(() => reviews.id),
    body: text().notNull(),
    attemptCount: integer().notNull(),
    nextAttemptAt: integer(),
    deliveredAt: integer(),
    lastError: text(),
  },
  (table) => [index('callbacks_due').on(table.nextAttemptAt)],
);

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.id),
    key: text().notNull(),
    requestHash: text().notNull(),
    answer: text().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
);
