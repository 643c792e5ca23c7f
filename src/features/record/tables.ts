import type { Columns } from '../../sql/sqlite/columns.ts';

/** Signed roots of the record, and the tree below them, are permanent: triggers refuse to change or delete a row. */
export function recordTables({ table, text, integer, big, time, index, primaryKey }: Columns) {
  /** The heads of the chains that have no row of their own. Those of sessions are in `session_states`. */
  const recordHeads = table('record_heads', {
    chain: text().primaryKey(),
    seq: big().notNull(),
    hash: text().notNull(),
  });

  const recordRoots = table('record_roots', {
    seq: integer().primaryKey(),
    at: time().notNull(),
    previous: text().notNull(),
    treeSize: big().notNull(),
    rootHash: text().notNull(),
    keyId: text().notNull(),
    signature: text().notNull(),
    /** JSON list of the complete subtrees of the tree. */
    frontier: text().notNull(),
    /** The last rows (on PostgreSQL, positions) that it covers; 0 for none. */
    evaluationId: big().notNull(),
    entryId: big().notNull(),
    auditEntryId: big().notNull(),
  });

  const recordLeaves = table(
    'record_leaves',
    {
      /** The place in the tree, from 1. */
      id: big().primaryKey(),
      chain: text().notNull(),
      seq: big().notNull(),
      hash: text().notNull(),
    },
    (row) => [index('record_leaves_by_chain').on(row.chain, row.id)],
  );

  /** Complete subtrees of 256 and 65,536 leaves, so that a proof need not read all leaves. */
  const recordNodes = table(
    'record_nodes',
    { level: integer().notNull(), place: big().notNull(), hash: text().notNull() },
    (row) => [primaryKey({ columns: [row.level, row.place] })],
  );

  const recordKeys = table('record_keys', {
    keyId: text().primaryKey(),
    /** DER (SubjectPublicKeyInfo) in base64. */
    publicKey: text().notNull(),
    addedAt: time().notNull(),
  });

  return { recordHeads, recordRoots, recordLeaves, recordNodes, recordKeys };
}
