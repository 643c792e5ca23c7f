import type { RecordRoot, RootProof } from '../../schemas/record.ts';
import type { Store, StoredRoot } from '../../store/store.ts';
import { found } from '../not-found.ts';
import { createExport, type ExportPage, type ExportQuery } from './export.ts';
import type { InstallationKey } from './installation-key.ts';
import { createProofs } from './proofs.ts';
import { createSignedRoots, type SignedRoots, shownRoot } from './signed-roots.ts';

/** The record of decisions and their deciders, by which they can be proven. */
export interface RecordOfDecisions {
  roots: SignedRoots;
  /** An export covers all that was recorded before its first page was asked for. */
  export(query: ExportQuery): Promise<ExportPage>;
  /** In the order of time: those after this one. */
  listRoots(after: number, size: number): Promise<RecordRoot[]>;
  /** That the tree of one root, the last one for null, begins with that of an earlier one. */
  proveConsistency(first: number, second: number | null): Promise<RootProof>;
  /** The key that signs now. Throws when it cannot be used. */
  key(): Pick<InstallationKey, 'keyId' | 'publicKey'>;
}

export function createRecord(deps: {
  store: Store;
  now: () => number;
  key: () => InstallationKey;
  newId: () => string;
  onError: (error: unknown) => void;
}): RecordOfDecisions {
  const { store, now, key } = deps;
  const roots = createSignedRoots(deps);
  const proofs = createProofs(store.record);
  const exportPage = createExport({ store, now, proofs });

  async function rootOf(seq: number): Promise<StoredRoot> {
    const [root] = await store.record.listRoots(seq - 1, 1);
    return found(root ?? null, 'root of the record', String(seq));
  }

  return {
    roots,
    key() {
      const { keyId, publicKey } = key();
      return { keyId, publicKey };
    },
    async export(query) {
      if (query.cursor === undefined) await roots.sweep();
      return exportPage(query);
    },
    listRoots: async (after, size) => (await store.record.listRoots(after, size)).map(shownRoot),
    async proveConsistency(first, second) {
      await roots.sweep();
      const one = await rootOf(first);
      const other = second === null ? ((await store.record.findLastRoot()) ?? one) : await rootOf(second);
      const from = one.statement.treeSize;
      const isEmpty = from === 0 || from > other.statement.treeSize;
      const proof = isEmpty ? [] : await proofs.consistency(from, other.statement.treeSize);
      return { first: shownRoot(one), second: shownRoot(other), proof };
    },
  };
}
