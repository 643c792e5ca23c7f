import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { integrations } from '../../../sql/sqlite/tables.ts';
import { evaluationSessions } from './evaluation-sessions.ts';

/** The heads of the chains that have no row of their own. Those of sessions are in `session_states`. */
export const recordHeads = sqliteTable('record_heads', {
  chain: text().primaryKey(),
  seq: integer().notNull(),
  hash: text().notNull(),
});

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

/** Signed. Permanent, like all below. */
export const recordRoots = sqliteTable('record_roots', {
  seq: integer().primaryKey(),
  at: integer().notNull(),
  previous: text().notNull(),
  treeSize: integer().notNull(),
  rootHash: text().notNull(),
  keyId: text().notNull(),
  signature: text().notNull(),
  /** JSON list of the complete subtrees of the tree. */
  frontier: text().notNull(),
  /** The last rows that it covers; 0 for none. */
  evaluationId: integer().notNull(),
  entryId: integer().notNull(),
  auditEntryId: integer().notNull(),
});

export const recordLeaves = sqliteTable(
  'record_leaves',
  {
    /** The place in the tree, from 1. */
    id: integer().primaryKey(),
    chain: text().notNull(),
    seq: integer().notNull(),
    hash: text().notNull(),
  },
  (table) => [index('record_leaves_by_chain').on(table.chain, table.id)],
);

/** Complete subtrees of 256 and 65,536 leaves, so that a proof need not read all leaves. */
export const recordNodes = sqliteTable(
  'record_nodes',
  { level: integer().notNull(), place: integer().notNull(), hash: text().notNull() },
  (table) => [primaryKey({ columns: [table.level, table.place] })],
);

export const recordKeys = sqliteTable('record_keys', {
  keyId: text().primaryKey(),
  /** DER (SubjectPublicKeyInfo) in base64. */
  publicKey: text().notNull(),
  addedAt: integer().notNull(),
});
