import { sql } from 'drizzle-orm';
import { bigint, pgSequence } from 'drizzle-orm/pg-core';
import { asPostgresTable, postgresColumns } from '../../../sql/postgres/columns.ts';
import { declareReferredTables } from '../../../sql/referred-tables.ts';
import { declareTables } from '../../../sql/tables.ts';

/** Milliseconds since 1970 in UTC. */
export const time = () => bigint({ mode: 'number' });
/** A whole number that may pass 2^31. */
export const big = () => bigint({ mode: 'number' });

/** Numbers everything that is recorded, of whatever kind: what is recorded later in a session has a greater position. */
export const recordPositions = pgSequence('record_positions');

export const position = () => bigint({ mode: 'number' }).notNull().default(sql`nextval('record_positions')`);

const shared = declareTables(postgresColumns, declareReferredTables(postgresColumns));
export const {
  entities,
  lists,
  listChanges,
  mcpServers,
  operatorKeys,
  policyVersionLists,
  proposals,
  recordKeys,
  recordLeaves,
  recordNodes,
  recordRoots,
  signIns,
  signInLinks,
} = shared;
export const integrations = asPostgresTable(shared.integrations);
export const integrationKeys = asPostgresTable(shared.integrationKeys);
export const operators = asPostgresTable(shared.operators);
export const toolCatalogues = asPostgresTable(shared.toolCatalogues);
export const recordHeads = asPostgresTable(shared.recordHeads);
export const webhooks = asPostgresTable(shared.webhooks);
export const policies = asPostgresTable(shared.policies);
export const policyVersions = asPostgresTable(shared.policyVersions);
export const housePolicies = asPostgresTable(shared.housePolicies);
export const bindings = asPostgresTable(shared.bindings);
