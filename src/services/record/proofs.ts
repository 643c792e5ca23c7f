import {
  addLeaf,
  consistencyProof,
  emptyFrontier,
  inclusionProof,
  rootOf,
  type SubtreeHash,
} from '../../record/merkle.ts';
import { hashOfLeaf } from '../../record/roots.ts';
import type { RecordStore } from '../../store/store.ts';
import { keptLevels } from './signed-roots.ts';

/** Proofs about the tree of chain heads (RFC 6962), from what is stored of it. */
export interface Proofs {
  inclusion(index: number, treeSize: number): Promise<string[]>;
  consistency(first: number, second: number): Promise<string[]>;
}

/** Reads at most some hundred rows for each hash of a proof, however large the tree is. */
export function createProofs(record: Pick<RecordStore, 'listLeaves' | 'listNodes'>): Proofs {
  /** The root of the leaves from `start` on, which is a multiple of the least power of two that is not below `count`. */
  async function subtreeHash(start: number, count: number): Promise<string> {
    const hashes: string[] = [];
    let at = start;
    for (const level of keptLevels.toReversed()) {
      const width = 2 ** level;
      const whole = Math.floor((start + count - at) / width);
      if (whole === 0) continue;
      const frontier = emptyFrontier();
      for (const { hash } of await record.listNodes(level, at / width, whole)) addLeaf(frontier, hash);
      hashes.push(...frontier.hashes);
      at += whole * width;
    }
    const frontier = emptyFrontier();
    const rest = start + count - at;
    if (rest > 0) for (const leaf of await record.listLeaves(at, rest)) addLeaf(frontier, hashOfLeaf(leaf));
    return rootOf({ size: count, hashes: [...hashes, ...frontier.hashes] });
  }

  /** Which subtrees a proof names is known before any is read. */
  async function hashesOf(proof: (subtree: SubtreeHash) => string[]): Promise<string[]> {
    const names = proof((start, count) => `${start} ${count}`);
    return Promise.all(
      names.map((name) => {
        const [start = 0, count = 0] = name.split(' ').map(Number);
        return subtreeHash(start, count);
      }),
    );
  }

  return {
    inclusion: (index, treeSize) => hashesOf((subtree) => inclusionProof(index, treeSize, subtree)),
    consistency: (first, second) => hashesOf((subtree) => consistencyProof(first, second, subtree)),
  };
}
