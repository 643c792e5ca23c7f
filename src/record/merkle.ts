import { hash } from 'node:crypto';

// The Merkle tree of RFC 6962 (section 2.1), over hashes in lower-case hexadecimal.

/** NUL is the prefix of a leaf, and 1 that of a node. */
export const leafHash = (data: string): string => hash('sha256', `\0${data}`, 'hex');
const nodeHash = (left: string, right: string): string =>
  hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex');

const emptyRoot = hash('sha256', '', 'hex');

/**
 * The roots of the complete subtrees that a tree of `size` leaves consists of, largest first: one for each bit of the size.
 * All that is needed to add further leaves.
 */
export interface Frontier {
  size: number;
  hashes: string[];
}

export const emptyFrontier = (): Frontier => ({ size: 0, hashes: [] });

/** Whether there are as many subtrees as a tree of this size consists of. */
export const isWhole = ({ size, hashes }: Frontier): boolean =>
  size.toString(2).replaceAll('0', '').length === hashes.length;

/** Adds a leaf. `completed` is told each complete subtree of 2^level leaves that ends with it, from level 1 on. */
export function addLeaf(
  frontier: Frontier,
  leaf: string,
  completed?: (level: number, index: number, hash: string) => void,
): void {
  let hash = leaf;
  let level = 0;
  for (let size = frontier.size; size % 2 === 1; size = Math.floor(size / 2)) {
    hash = nodeHash(frontier.hashes.pop() as string, hash);
    level++;
    completed?.(level, Math.floor(frontier.size / 2 ** level), hash);
  }
  frontier.hashes.push(hash);
  frontier.size++;
}

export function rootOf({ hashes }: Frontier): string {
  const [last, ...rest] = [...hashes].reverse();
  return last === undefined ? emptyRoot : rest.reduce((right, left) => nodeHash(left, right), last);
}

/** The root of the `count` leaves from `start` on; `start` is a multiple of the least power of two that is not below `count`. */
export type SubtreeHash = (start: number, count: number) => string;

/** The largest power of two below `count`, which is 2 or more. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/** Proves that the leaf at `index` is in the tree of `size` leaves: the hashes beside its path, from the leaf up. */
export function inclusionProof(index: number, size: number, subtree: SubtreeHash): string[] {
  const path = (at: number, start: number, count: number): string[] => {
    if (count === 1) return [];
    const split = splitOf(count);
    return at < split
      ? [...path(at, start, split), subtree(start + split, count - split)]
      : [...path(at - split, start + split, count - split), subtree(start, split)];
  };
  return path(index, 0, size);
}

/** Proves that the tree of `size` leaves begins with the tree of `first` leaves (1 to `size`). */
export function consistencyProof(first: number, size: number, subtree: SubtreeHash): string[] {
  const path = (known: number, start: number, count: number, isWhole: boolean): string[] => {
    if (known === count) return isWhole ? [] : [subtree(start, count)];
    const split = splitOf(count);
    return known <= split
      ? [...path(known, start, split, isWhole), subtree(start + split, count - split)]
      : [...path(known - split, start + split, count - split, false), subtree(start, split)];
  };
  return path(first, 0, size, true);
}

/** The root that follows from a leaf and its proof; null when the proof does not fit the tree. RFC 9162, section 2.1.3.2. */
export function rootFromInclusion(
  leaf: string,
  index: number,
  size: number,
  proof: readonly string[],
): string | null {
  if (index >= size) return null;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const beside of proof) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(beside, hash);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else hash = nodeHash(hash, beside);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 ? hash : null;
}
