import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { violationStatuses } from '../../../features/violations/words.ts';
import { enforcementActions, phases, severities } from '../../../schemas/words.ts';
import { big, integrations, policies, position, time } from './shared.ts';

/** The ids refer to rows that are never deleted: no key checks them, which would lock those rows. */
export const evaluations = pgTable(
  'evaluations',
  {
    id: uuid().primaryKey(),
    position: position(),
    integrationId: uuid().notNull(),
    sessionId: uuid(),
    /** Place among the actions of the session, from 1; null for a PROMPT and a RESULT. */
    seq: integer(),
    transport: text({ enum: ['REST', 'MCP'] }).notNull(),
    phase: text({ enum: phases }).notNull(),
    /** The action whose result this is. */
    resultOf: uuid(),
    resultStatus: text({ enum: ['OK', 'FAILED'] }),
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
    policySetId: text().notNull(),
    input: text(),
    reviewUid: uuid(),
    /** JSON: the review that the evaluation named, as it found it (`NamedThen`); null when it named none. */
    namedReview: text(),
    /** Microseconds from the beginning of the evaluation to its decision; null when they were not measured. */
    tookUs: big(),
    /** 32 hexadecimal digits: of the trace that the request was part of. */
    traceId: text(),
    /** Place in the chain of its session or integration, and SHA-256 of its entry. */
    chainSeq: big().notNull(),
    entryHash: text().notNull(),
    /** The salt of the digests of the content; deleted with the content. */
    contentSalt: text(),
    /** JSON text of the digests of content that was deleted. */
    contentDigests: text(),
    createdAt: time().notNull(),
  },
  (table) => [
    uniqueIndex('evaluations_by_position').on(table.position),
    index('evaluations_by_session')
      .on(table.sessionId, table.position)
      .where(sql`${table.sessionId} IS NOT NULL`),
    index('evaluations_by_correlation')
      .on(table.correlationId)
      .where(sql`${table.correlationId} IS NOT NULL`),
    index('evaluations_by_trace').on(table.traceId).where(sql`${table.traceId} IS NOT NULL`),
    // An action has one result: of several that come at once, one is recorded.
    uniqueIndex('evaluations_by_result_of').on(table.resultOf).where(sql`${table.resultOf} IS NOT NULL`),
  ],
);

/** Which values occur among neighbouring evaluations: those of a block have positions from `block * blockSize` on. */
export const evaluationBlocks = pgTable(
  'evaluation_blocks',
  {
    /** MD5 of a value and what it is a value of: a tool's name may be longer than an index takes. */
    value: uuid().notNull(),
    block: big().notNull(),
  },
  (table) => [primaryKey({ columns: [table.value, table.block] })],
);

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    integrationId: uuid().notNull(),
    key: text().notNull(),
    requestHash: text().notNull(),
    response: text('answer').notNull(),
    createdAt: time().notNull(),
    /** These are set for a response that let an action through. */
    sessionId: uuid(),
    policySetId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.integrationId, table.key] }),
    index('idempotency_keys_by_age').on(table.createdAt),
  ],
);

/** The bytes that an integration stored on a day, counted where it has a quota for them. */
export const integrationUsage = pgTable('integration_usage', {
  integrationId: uuid()
    .primaryKey()
    .references(() => integrations.id),
  /** Days since 1970, UTC. */
  day: integer().notNull(),
  /** Stored on that day. */
  bytes: big().notNull(),
});

/** One row: evaluations up to this position have lost their content. Whoever deletes some locks it. */
export const contentRetention = pgTable('content_retention', {
  id: integer().primaryKey(),
  position: bigint({ mode: 'number' }).notNull(),
});

/** The policy versions that decided together. Never changed, and found by a hash: their key may be longer than an index takes. */
export const policySets = pgTable('policy_sets', {
  /** SHA-256 of `members`, in hexadecimal. */
  id: text().primaryKey(),
  members: text().notNull(),
  /** JSON: the terms by which they decide together (`PolicyTerms`). */
  terms: text().notNull(),
});

export const policySetMembers = pgTable(
  'policy_set_members',
  {
    /** A policy that has decided is never deleted. */
    policyId: uuid()
      .notNull()
      .references(() => policies.id),
    version: integer().notNull(),
    policySetId: text()
      .notNull()
      .references(() => policySets.id),
  },
  (table) => [
    primaryKey({ columns: [table.policyId, table.version, table.policySetId] }),
    index('policy_set_members_by_set').on(table.policySetId),
  ],
);

/** Statuses that operators give to violations. The violations themselves are kept with their evaluations. The ids refer to rows that are never deleted. */
export const violations = pgTable(
  'violations',
  {
    id: uuid().primaryKey(),
    evaluationId: uuid().notNull(),
    /** Among the violations of its evaluation, from 0. */
    place: integer().notNull(),
    integrationId: uuid().notNull(),
    sessionId: uuid(),
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
    triagedAt: time(),
    /** The time of the evaluation. */
    createdAt: time().notNull(),
  },
  (table) => [
    index('violations_by_time').on(table.createdAt, table.evaluationId, table.place),
    index('violations_by_status').on(table.status, table.createdAt),
    index('violations_by_rule').on(table.ruleId, table.createdAt),
    index('violations_by_session').on(table.sessionId, table.createdAt),
  ],
);

/** How many evaluations had which outcome, by what they are of, in an hour or a day (UTC). */
export const stats = pgTable(
  'stats',
  {
    dimension: text({ enum: ['integration', 'policy', 'rule', 'tool', 'tag', 'entity'] }).notNull(),
    unit: text({ enum: ['hour', 'day'] }).notNull(),
    /** Hours or days since 1970. */
    slot: integer().notNull(),
    integrationId: uuid()
      .notNull()
      .references(() => integrations.id),
    /** SHA-256 of the name, in hexadecimal: a tool's name may be longer than an index takes. */
    nameHash: text().notNull(),
    name: text().notNull(),
    allowed: big().notNull(),
    warned: big().notNull(),
    held: big().notNull(),
    blocked: big().notNull(),
    /** Evaluations whose time was measured: their number, and their microseconds in total and at most. */
    timed: big().notNull().default(0),
    tookUs: big().notNull().default(0),
    slowestUs: big().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.dimension, table.unit, table.slot, table.integrationId, table.nameHash] }),
    index('stats_by_integration').on(table.dimension, table.unit, table.integrationId, table.slot),
  ],
);

/** One row, locked by the replica that counts. */
export const statsProgress = pgTable('stats_progress', {
  id: integer().primaryKey(),
  /** Evaluations up to it are counted. */
  position: big().notNull(),
  /** Evaluations up to it are in `evaluation_blocks`. */
  indexedPosition: big().notNull().default(0),
});
