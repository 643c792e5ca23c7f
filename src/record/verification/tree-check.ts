import type { ChainLine, HeaderLine, KeyLine, LeafLine, RootLine } from '../export-lines.ts';
import { addLeaf, emptyFrontier, type Frontier, isWhole, rootFromInclusion, rootOf } from '../merkle.ts';
import { hashOfLeaf, hashOfRoot, isSigned, keyIdOf, noRoot, type RootStatement } from '../roots.ts';
import type { Report } from './problems.ts';

export interface TreeCheck {
  header(line: HeaderLine): void;
  key(line: KeyLine, number: number): void;
  leaf(line: LeafLine, number: number): void;
  root(line: RootLine, number: number): void;
  /** The head that a chain had when the export begins. */
  start(line: Extract<ChainLine, { head: unknown }>, number: number): void;
  end(): { roots: number; coveredUntil: string | null; keyIds: string[] };
}

/** Rebuilds the tree of chain heads, and compares it with what was signed. `trusted`: ids of keys; null trusts those in the export. */
export function createTreeCheck(
  report: Report,
  trusted: ReadonlySet<string> | null,
  expectedRoots: readonly string[],
): TreeCheck {
  const keys = new Map<string, string>();
  const signers = new Set<string>();
  const missingRoots = new Set(expectedRoots);
  let header: HeaderLine | null = null;
  let frontier: Frontier | null = null;
  let first: RootStatement | null = null;
  let last: RootStatement | null = null;
  let roots = 0;
  /** The leaves in an export of a session: proven by the root that follows. */
  let unproven: { line: LeafLine; number: number }[] = [];

  const wrong = (line: number, message: string): void => report({ code: 'root', line, message });

  function checkSignature({ statement, signature }: RootLine, number: number): void {
    const { keyId, seq } = statement;
    const publicKey = keys.get(keyId);
    signers.add(keyId);
    if (trusted && !trusted.has(keyId)) {
      wrong(number, `root ${seq} is signed with the key ${keyId}, which is not trusted`);
    }
    if (publicKey === undefined) wrong(number, `root ${seq} names a key that the export does not have`);
    else if (!isSigned(statement, signature, publicKey))
      wrong(number, `root ${seq} is not signed by its key`);
  }

  function checkSuccession(statement: RootStatement, number: number): void {
    const { seq } = statement;
    if (last === null) {
      const isFirst = seq === 1 && statement.previous === noRoot;
      const begins = header?.chain !== null || (header.frontier.length > 0 ? seq > 0 : isFirst);
      if (!begins) wrong(number, `the roots begin with root ${seq}, and those before it are missing`);
    } else if (seq !== last.seq + 1) wrong(number, `root ${seq} comes after root ${last.seq}`);
    else if (statement.previous !== hashOfRoot(last))
      wrong(number, `root ${seq} does not follow root ${seq - 1}`);
  }

  function checkTree(statement: RootStatement, number: number): void {
    const { seq, treeSize, rootHash } = statement;
    if (header?.chain != null) {
      for (const { line, number } of unproven)
        checkProof(line, line.index, line.proof ?? [], statement, number);
      unproven = [];
      return;
    }
    const covered = frontier ?? { size: treeSize, hashes: [...(header?.frontier ?? [])] };
    const fits = isWhole(covered) && covered.size === treeSize && rootOf(covered) === rootHash;
    if (fits) frontier = covered;
    else wrong(number, `root ${seq} does not follow from the leaves that it covers`);
  }

  function checkProof(
    leaf: { chain: string; seq: number; hash: string },
    index: number,
    proof: readonly string[],
    { treeSize, rootHash, seq }: RootStatement,
    number: number,
  ): void {
    const { chain, hash } = leaf;
    if (rootFromInclusion(hashOfLeaf({ chain, seq: leaf.seq, hash }), index, treeSize, proof) === rootHash)
      return;
    const message = `root ${seq} does not cover this head of the chain`;
    report({ code: 'root', line: number, chain, seq: leaf.seq, message });
  }

  return {
    header(line) {
      header = line;
      if (line.chain === null && line.frontier.length === 0) frontier = emptyFrontier();
    },

    key({ keyId, publicKey }, number) {
      if (keyIdOf(publicKey) !== keyId) wrong(number, `the key is not the one of the id ${keyId}`);
      else keys.set(keyId, publicKey);
    },

    leaf(line, number) {
      if (header?.chain != null) {
        unproven.push({ line, number });
        return;
      }
      if (frontier === null) {
        if (first === null) wrong(number, 'the root that the period begins with is missing');
        return;
      }
      if (line.index !== frontier.size) {
        wrong(number, `the leaf ${line.index} of the tree is not in its place`);
      }
      addLeaf(frontier, hashOfLeaf(line));
    },

    root(line, number) {
      const { statement } = line;
      roots++;
      missingRoots.delete(hashOfRoot(statement));
      checkSignature(line, number);
      checkSuccession(statement, number);
      checkTree(statement, number);
      first ??= statement;
      last = statement;
    },

    start({ chain, head, index, proof }, number) {
      if (first) checkProof({ chain, ...head }, index, proof, first, number);
      else wrong(number, 'no root covers the beginning of the export');
    },

    end() {
      for (const hash of missingRoots) {
        report({ code: 'truncated', message: `the export does not have the root ${hash}` });
      }
      if (roots === 0) report({ code: 'root', message: 'the export has no signed root' });
      for (const { number } of unproven) wrong(number, 'no root follows the leaf');
      return { roots, coveredUntil: last?.at ?? null, keyIds: [...signers] };
    },
  };
}
