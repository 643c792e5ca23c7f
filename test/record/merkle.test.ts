import { createHash } from 'node:crypto';
import t from 'tap';
import {
  addLeaf,
  consistencyProof,
  emptyFrontier,
  inclusionProof,
  leafHash,
  rootFromInclusion,
  rootOf,
} from '../../src/record/merkle.ts';

const emptyRoot = createHash('sha256').digest('hex');
const nodeHash = (left: string, right: string): string =>
  createHash('sha256')
    .update(Buffer.from(`01${left}${right}`, 'hex'))
    .digest('hex');

/** Whether the proof shows that the second tree begins with the first one. RFC 9162, section 2.1.4.2. */
function isConsistent(
  first: { size: number; root: string },
  second: { size: number; root: string },
  proof: readonly string[],
): boolean {
  if (first.size === 0) return proof.length === 0 && first.root === emptyRoot;
  if (first.size > second.size) return false;
  if (first.size === second.size) return proof.length === 0 && first.root === second.root;
  let at = first.size - 1;
  let last = second.size - 1;
  while (at % 2 === 1) {
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  const path = at === 0 ? [first.root, ...proof] : [...proof];
  const start = path.shift();
  if (start === undefined) return false;
  let old = start;
  let now = start;
  for (const beside of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      old = nodeHash(beside, old);
      now = nodeHash(beside, now);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else now = nodeHash(now, beside);
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && old === first.root && now === second.root;
}

// The leaves and roots of the reference implementation's tests (google/certificate-transparency, merkle_tree_test.cc).
const data = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const treeOf = (leaves: readonly string[]) => {
  const frontier = emptyFrontier();
  for (const leaf of leaves) addLeaf(frontier, leaf);
  return frontier;
};

t.test('roots are those of the reference implementation', async (t) => {
  t.equal(rootOf(emptyFrontier()), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  const leaves = data.map((hex) => leafHash(Buffer.from(hex, 'hex').toString('latin1')));
  // None has a byte beyond ASCII, so that latin1 and UTF-8 agree.
  for (const [place, root] of roots.entries()) t.equal(rootOf(treeOf(leaves.slice(0, place + 1))), root);
});

t.test('every leaf of trees of all sizes is proven, and nothing else', async (t) => {
  const leaves = Array.from({ length: 40 }, (_, place) => leafHash(`leaf ${place}`));
  const subtree = (start: number, count: number) => rootOf(treeOf(leaves.slice(start, start + count)));
  let wrong = 0;
  for (let size = 1; size <= leaves.length; size++) {
    const root = rootOf(treeOf(leaves.slice(0, size)));
    for (let index = 0; index < size; index++) {
      const proof = inclusionProof(index, size, subtree);
      const leaf = leaves[index] as string;
      if (rootFromInclusion(leaf, index, size, proof) !== root) wrong++;
      if (rootFromInclusion(leafHash('other'), index, size, proof) === root) wrong++;
      if (rootFromInclusion(leaf, index, size, [...proof, leaf]) === root) wrong++;
      if (proof.length > 0 && rootFromInclusion(leaf, index, size, proof.slice(1)) === root) wrong++;
    }
    if (rootFromInclusion(leaves[0] as string, size, size, []) !== null) wrong++;
    for (let first = 1; first <= size; first++) {
      const proof = consistencyProof(first, size, subtree);
      const [one, other] = [
        { size: first, root: subtreeRoot(first) },
        { size, root },
      ];
      if (!isConsistent(one, other, proof)) wrong++;
      if (isConsistent({ ...one, root: leafHash('x') }, other, proof)) wrong++;
      if (isConsistent(one, { ...other, root: leafHash('x') }, proof)) wrong++;
      if (isConsistent(one, other, [...proof, root])) wrong++;
      if (proof.length > 0 && isConsistent(one, other, proof.slice(1))) wrong++;
    }
  }
  t.equal(wrong, 0);
  t.notOk(isConsistent({ size: 2, root: roots[1] as string }, { size: 1, root: roots[0] as string }, []));
  t.ok(isConsistent({ size: 0, root: rootOf(emptyFrontier()) }, { size: 1, root: roots[0] as string }, []));

  function subtreeRoot(size: number): string {
    return rootOf(treeOf(leaves.slice(0, size)));
  }
});
