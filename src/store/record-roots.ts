import type { RecordCut, StoredRoot } from './record.ts';

// A signed root as every backend keeps it.

export interface RootRow {
  seq: number;
  at: number;
  previous: string;
  treeSize: number;
  rootHash: string;
  keyId: string;
  signature: string;
  /** JSON list. */
  frontier: string;
  evaluationId: RecordCut['evaluation'];
  entryId: RecordCut['entry'];
  auditEntryId: RecordCut['call'];
}

export const rootOfRow = (row: RootRow): StoredRoot => ({
  statement: {
    kind: 'root',
    seq: row.seq,
    at: new Date(row.at).toISOString(),
    previous: row.previous,
    treeSize: row.treeSize,
    rootHash: row.rootHash,
    keyId: row.keyId,
  },
  signature: row.signature,
  frontier: JSON.parse(row.frontier) as string[],
  cut: { evaluation: row.evaluationId, entry: row.entryId, call: row.auditEntryId },
});

export function rowOfRoot({ statement, signature, frontier, cut }: StoredRoot): RootRow {
  const { kind: _, at, ...signed } = statement;
  return {
    ...signed,
    at: Date.parse(at),
    signature,
    frontier: JSON.stringify(frontier),
    evaluationId: cut.evaluation,
    entryId: cut.entry,
    auditEntryId: cut.call,
  };
}
