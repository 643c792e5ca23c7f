import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { violationStatuses } from '../../../features/violations/words.ts';
import { enforcementActions, phases, severities } from '../../../schemas/words.ts';
import { integrations, policies } from '../../../sql/sqlite/tables.ts';
import { evaluationSessions } from './evaluation-sessions.ts';

/** The policy versions that decided together. Never changed. */
export const policySets = sqliteTable('policy_sets', {
  id: integer().primaryKey(),
  members: text().notNull().unique(),
  /** JSON: the terms by which they decide together (`PolicyTerms`). */
  terms: text().notNull(),
});

export const policySetMembers = sqliteTable(
  'policy_set_members',
  {
    policyId: text()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
  },
  (table) => [primaryKey({ columns: [table.policyId, table.version, table.policySetId] })],
);

export const evaluations = sqliteTable(
  'evaluations',
  {
    id: integer().primaryKey(),
    uid: text().notNull(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    sessionId: integer().references(() => evaluationSessions.id),
    /** Place among the actions of the session, from 1; null for a PROMPT and a RESULT. */
    seq: integer(),
    /** The record before this one in its session, whatever its phase. */
    previousId: integer(),
    transport: text({ enum: ['REST', 'MCP'] }).notNull(),
    tool: text().notNull(),
    targetKey: text(),
    targetMetadata: text(),
    correlationId: text(),
    outcome: text({ enum: ['ALLOW', 'FLAG', 'DENY'] }).notNull(),
    enforcementAction: text({ enum: enforcementActions }).notNull(),
    severity: text({ enum: severities }),
    enforcedSeverity: text({ enum: severities }),
    violations: text(),
    dataTags: text(),
    detections: text(),
    policySetId: integer()
      .notNull()
      .references(() => policySets.id),
    input: text(),
    reviewUid: text(),
    createdAt: integer().notNull(),
    phase: text({ enum: phases }).notNull().default('ACTION'),
    /** The id that callers know of the action whose result this is. */
    resultOf: text(),
    resultStatus: text({ enum: ['OK', 'FAILED'] }),
    /** The action before this one, 0 for none; null when that is `previousId`. */
    previousActionId: integer(),
    /** Place in the chain of its session or integration, and SHA-256 of its entry. */
    chainSeq: integer().notNull(),
    entryHash: text().notNull(),
    /** The salt of the digests of the content; deleted with the content. */
    contentSalt: text(),
    /** JSON text of the digests of content that was deleted. */
    contentDigests: text(),
    /** JSON list; null for none. */
    labels: text(),
    /** How often the action was attempted before; null when no policy asked. */
    repeats: integer(),
    /** JSON: numbers by unit; null when none was stated. */
    cost: text(),
    /** JSON text (`VerifiedIdentity`); null without a token. */
    identity: text(),
    /** JSON list: ids of the grants that let it through; null for none. */
    usedGrants: text(),
    /** JSON: the review that the evaluation named, as it found it (`NamedThen`); null when it named none. */
    namedReview: text(),
    /** Microseconds from the beginning of the evaluation to its decision; null when they were not measured. */
    tookUs: integer(),
    /** 32 hexadecimal digits: of the trace that the request was part of. */
    traceId: text(),
  },
  (table) => [
    uniqueIndex('evaluations_by_uid').on(table.uid),
    // Requests without one pay nothing.
    index('evaluations_by_correlation')
      .on(table.correlationId)
      .where(sql`${table.correlationId} IS NOT NULL`),
    index('evaluations_by_trace').on(table.traceId).where(sql`${table.traceId} IS NOT NULL`),
  ],
);

/** The actions that have a result: one each. */
export const actionResults = sqliteTable('action_results', {
  actionId: integer()
    .primaryKey()
    .references(() => evaluations.id),
  resultId: integer()
    .notNull()
    .references(() => evaluations.id),
});

/** One row, once content is deleted by age: evaluations up to this one have lost theirs. */
export const contentRetention = sqliteTable('content_retention', {
  id: integer().primaryKey(),
  evaluationId: integer().notNull(),
});

/** The values that occur among 128 neighbouring evaluations: one row for each value, however often it does. */
export const evaluationBlocks = sqliteTable(
  'evaluation_blocks',
  {
    /** An index of `facets` in evaluation-blocks.ts. */
    facet: integer().notNull(),
    value: text().notNull(),
    /** The id of an evaluation, divided by 128. */
    block: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.facet, table.value, table.block] })],
);

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    key: text().notNull(),
    requestHash: text().notNull(),
    response: text('answer').notNull(),
    createdAt: integer().notNull(),
    /** These are set for a response that let an action through. */
    sessionId: integer().references(() => evaluationSessions.id),
    policySetId: integer().references(() => policySets.id),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
);

/** The bytes that an integration stored on a day, counted where it has a quota for them. */
export const integrationUsage = sqliteTable('integration_usage', {
  integrationId: integer()
    .primaryKey()
    .references(() => integrations.row),
  /** Days since 1970, UTC. */
  day: integer().notNull(),
  /** Stored on that day. */
  bytes: integer().notNull(),
});

/** Statuses that operators give to violations. The violations themselves are kept with their evaluations. */
export const violations = sqliteTable(
  'violations',
  {
    evaluationId: integer()
      .notNull()
      .references(() => evaluations.id),
    /** Among the violations of its evaluation, from 0. */
    place: integer().notNull(),
    uid: text().notNull(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    sessionId: integer().references(() => evaluationSessions.id),
    /** Empty where no policy decided. */
    policyUid: text().notNull(),
    ruleId: text().notNull(),
    severity: text({ enum: severities }).notNull(),
    status: text({ enum: violationStatuses }).notNull().default('NEW'),
    /** The type of a resolution, or the reason of a dismissal. */
    outcome: text(),
    note: text(),
    /** The id of the operator who changed the status last. */
    triagedBy: text(),
    triagedAt: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.evaluationId, table.place] }),
    uniqueIndex('violations_by_uid').on(table.uid),
    index('violations_by_status').on(table.status, table.evaluationId),
    index('violations_by_rule').on(table.ruleId, table.evaluationId),
    index('violations_by_integration').on(table.integrationId, table.evaluationId),
    index('violations_by_session').on(table.sessionId, table.evaluationId),
  ],
);

/** How many evaluations had which outcome, by what they are of, in an hour or a day (UTC). */
export const stats = sqliteTable(
  'stats',
  {
    dimension: text({ enum: ['integration', 'policy', 'rule', 'tool', 'tag', 'entity'] }).notNull(),
    unit: text({ enum: ['hour', 'day'] }).notNull(),
    /** Hours or days since 1970. */
    slot: integer().notNull(),
    integrationId: integer()
      .notNull()
      .references(() => integrations.row),
    name: text().notNull(),
    allowed: integer().notNull(),
    warned: integer().notNull(),
    held: integer().notNull(),
    blocked: integer().notNull(),
    /** Evaluations whose time was measured: their number, and their microseconds in total and at most. */
    timed: integer().notNull().default(0),
    tookUs: integer().notNull().default(0),
    slowestUs: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.dimension, table.unit, table.slot, table.integrationId, table.name] }),
    index('stats_by_integration').on(table.dimension, table.unit, table.integrationId, table.slot),
  ],
);

/** One row: evaluations up to this one are counted. */
export const statsProgress = sqliteTable('stats_progress', {
  id: integer().primaryKey(),
  evaluationId: integer().notNull(),
});
