import { canonicalJson } from '../../../json/canonical.ts';
import {
  addLeaf,
  type Frontier,
  isSigned,
  keyIdOf,
  type Line,
  leafHash,
  type Report,
  rootFromProof,
  rootOf,
  sha256,
} from './hashes.ts';

interface Statement {
  seq: number;
  at: string;
  previous: string;
  treeSize: number;
  rootHash: string;
  keyId: string;
}

export interface RootCheck {
  header(line: Line): void;
  key(line: Line, number: number): Promise<void>;
  leaf(line: Line, number: number): Promise<void>;
  root(line: Line, number: number): Promise<void>;
  /** The head that a chain had where the export begins. */
  start(line: Line, number: number): Promise<void>;
  end(): { roots: number; coveredUntil: string | null; keyIds: string[] };
}

interface Head {
  chain: string;
  seq: number;
  hash: string;
}

const hashOfHead = ({ chain, seq, hash }: Head): Promise<string> =>
  leafHash(canonicalJson({ chain, hash, seq }));

/** Rebuilds the tree of the heads of all chains, and compares it with each root that was signed. */
export function checkRoots(report: Report): RootCheck {
  const keys = new Map<string, string>();
  const signers = new Set<string>();
  /** Whether the export is of one session: leaves come with proofs instead of the whole tree. */
  let isOfOneChain = false;
  let given: string[] = [];
  let frontier: Frontier | null = null;
  let unproven: { line: Line; number: number }[] = [];
  let first: Statement | null = null;
  let last: Statement | null = null;
  let roots = 0;

  async function isProven(head: Head, line: Line, { treeSize, rootHash }: Statement): Promise<boolean> {
    const { index, proof = [] } = line as unknown as { index: number; proof?: string[] };
    return (await rootFromProof(await hashOfHead(head), index, treeSize, proof)) === rootHash;
  }

  async function checkTree(statement: Statement, number: number): Promise<void> {
    for (const { line, number } of unproven) {
      if (!(await isProven(line as unknown as Head, line, statement)))
        report('tree', String(line.chain), number);
    }
    unproven = [];
    if (isOfOneChain) return;
    // A period begins with the tree as it was.
    frontier ??= { size: statement.treeSize, hashes: [...given] };
    const isSame = frontier.size === statement.treeSize && (await rootOf(frontier)) === statement.rootHash;
    if (!isSame) report('tree', String(statement.seq), number);
  }

  async function checkOrder(statement: Statement, number: number): Promise<void> {
    const isNext =
      last === null
        ? isOfOneChain || given.length > 0 || statement.seq === 1
        : statement.seq === last.seq + 1 && statement.previous === (await sha256(canonicalJson(last)));
    if (!isNext) report('rootOrder', String(statement.seq), number);
  }

  return {
    header({ chain, frontier: hashes }) {
      isOfOneChain = chain !== null;
      given = hashes as string[];
      // Everything: the tree is built from its first leaf.
      if (given.length === 0) frontier = { size: 0, hashes: [] };
    },

    async key({ keyId, publicKey }, number) {
      keys.set(String(keyId), String(publicKey));
      if ((await keyIdOf(String(publicKey))) !== keyId) report('key', String(keyId), number);
    },

    async leaf(line, number) {
      if (isOfOneChain) return void unproven.push({ line, number });
      if (frontier === null || line.index !== frontier.size) report('tree', String(line.chain), number);
      if (frontier) await addLeaf(frontier, await hashOfHead(line as unknown as Head));
    },

    async root(line, number) {
      const statement = line.statement as Statement;
      roots++;
      signers.add(statement.keyId);
      const publicKey = keys.get(statement.keyId) ?? '';
      const isGenuine = await isSigned(canonicalJson(statement), String(line.signature), publicKey);
      if (!isGenuine) report('signature', String(statement.seq), number);
      await checkOrder(statement, number);
      await checkTree(statement, number);
      first ??= statement;
      last = statement;
    },

    async start(line, number) {
      const head = { chain: String(line.chain), ...(line.head as { seq: number; hash: string }) };
      if (!first || !(await isProven(head, line, first))) report('tree', head.chain, number);
    },

    end() {
      if (roots === 0 || unproven.length > 0) report('signature', '', null);
      return { roots, coveredUntil: (last as Statement | null)?.at ?? null, keyIds: [...signers] };
    },
  };
}
