import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { position } from './columns.ts';

/** The heads of the chains that have no row of their own. Those of sessions are in `session_states`. */
export const recordHeads = pgTable('record_heads', {
  chain: text().primaryKey(),
  seq: bigint({ mode: 'number' }).notNull(),
  hash: text().notNull(),
});

/** Entries that are neither evaluations nor management calls. Permanent: triggers refuse to change or delete a row. */
export const recordEntries = pgTable(
  'record_entries',
  {
    position: position().primaryKey(),
    integrationId: uuid().notNull(),
    sessionId: uuid(),
    kind: text({ enum: ['review'] }).notNull(),
    /** JSON text of the members. */
    members: text().notNull(),
    chainSeq: bigint({ mode: 'number' }).notNull(),
    entryHash: text().notNull(),
  },
  (table) => [index('record_entries_by_session').on(table.sessionId, table.chainSeq)],
);

/** Signed. Permanent, like all below. */
export const recordRoots = pgTable('record_roots', {
  seq: integer().primaryKey(),
  at: bigint({ mode: 'number' }).notNull(),
  previous: text().notNull(),
  treeSize: bigint({ mode: 'number' }).notNull(),
  rootHash: text().notNull(),
  keyId: text().notNull(),
  signature: text().notNull(),
  /** JSON list of the complete subtrees of the tree. */
  frontier: text().notNull(),
  /** The last positions that it covers; 0 for none. */
  evaluationId: bigint({ mode: 'number' }).notNull(),
  entryId: bigint({ mode: 'number' }).notNull(),
  auditEntryId: bigint({ mode: 'number' }).notNull(),
});

export const recordLeaves = pgTable(
  'record_leaves',
  {
    /** The place in the tree, from 1. */
    id: bigint({ mode: 'number' }).primaryKey(),
    chain: text().notNull(),
    seq: bigint({ mode: 'number' }).notNull(),
    hash: text().notNull(),
  },
  (table) => [index('record_leaves_by_chain').on(table.chain, table.id)],
);

/** Complete subtrees of 256 and 65,536 leaves, so that a proof need not read all leaves. */
export const recordNodes = pgTable(
  'record_nodes',
  {
    level: integer().notNull(),
    place: bigint({ mode: 'number' }).notNull(),
    hash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.level, table.place] })],
);

export const recordKeys = pgTable('record_keys', {
  keyId: text().primaryKey(),
  /** DER (SubjectPublicKeyInfo) in base64. */
  publicKey: text().notNull(),
  addedAt: bigint({ mode: 'number' }).notNull(),
});
