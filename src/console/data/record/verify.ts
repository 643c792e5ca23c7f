import { canonicalJson } from '../../../json/stringify.ts';
import type { RecordExportPage } from '../../../schemas/record.ts';
import { call } from '../api.ts';
import { checkDeciding, type DecidingCheck } from './deciding.ts';
import {
  addLeaf,
  type Frontier,
  isSigned,
  keyIdOf,
  type Line,
  leafHash,
  type Problem,
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

interface RootCheck {
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
function checkRoots(report: Report): RootCheck {
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

interface Chain {
  seq: number;
  /** The hash of the last entry; null when it is not to be relied on. */
  hash: string | null;
  /** Heads that signed roots cover, by place. */
  covered: Map<number, string>;
}

interface ChainCheck {
  /** A head that a signed root covers. */
  expect(line: Line): void;
  /** Where a chain begins. */
  start(line: Line): Promise<void>;
  entry(line: Line, number: number): Promise<void>;
  end(): { entries: number; chains: number; withoutContent: number };
}

/** Follows each chain from where it begins to the last head that a signed root covers. */
function checkChains(report: Report): ChainCheck {
  const chains = new Map<string, Chain>();
  let entries = 0;
  let withoutContent = 0;

  function chainOf(name: string): Chain {
    const chain = chains.get(name) ?? { seq: 0, hash: null, covered: new Map() };
    chains.set(name, chain);
    return chain;
  }

  async function checkContent(
    { content }: Line,
    entry: Record<string, unknown>,
    about: string,
    number: number,
  ) {
    const names = ['input', 'messages', 'targetMetadata'].filter((name) => typeof entry[name] === 'string');
    if (typeof content !== 'object' || content === null) {
      if (names.length > 0) withoutContent++;
      return;
    }
    const { salt, ...texts } = content as Record<string, string>;
    for (const name of new Set([...names, ...Object.keys(texts)])) {
      if (entry[name] !== (await sha256(`${salt}:${name}:${texts[name]}`))) report('content', about, number);
    }
  }

  return {
    expect({ chain, seq, hash }) {
      chainOf(String(chain)).covered.set(Number(seq), String(hash));
    },

    async start({ origin, chain: name, head }) {
      if (origin) {
        const chain = chainOf(String((origin as { chain: unknown }).chain));
        chain.hash ??= await sha256(canonicalJson(origin));
        return;
      }
      const { seq, hash } = head as { seq: number; hash: string };
      Object.assign(chainOf(String(name)), { seq, hash });
    },

    async entry(line, number) {
      entries++;
      const entry = line.entry as Record<string, unknown>;
      const chain = chainOf(String(entry.chain));
      const seq = Number(entry.seq);
      const about = `${entry.chain} ${seq}`;
      const hash = await sha256(canonicalJson(entry));
      if (hash !== line.hash) report('changed', about, number);
      if (seq !== chain.seq + 1) report('missing', about, number);
      else if (chain.hash !== entry.previous) report('follows', about, number);
      const covered = chain.covered.get(seq);
      if (covered !== undefined && covered !== hash) report('covered', about, number);
      await checkContent(line, entry, about, number);
      chain.seq = seq;
      chain.hash = hash;
    },

    end() {
      for (const [name, { seq, covered }] of chains) {
        const last = Math.max(0, ...covered.keys());
        if (seq !== last) report(seq < last ? 'truncated' : 'covered', `${name} ${seq}`, null);
      }
      return { entries, chains: chains.size, withoutContent };
    },
  };
}

export interface Verification {
  problems: readonly Problem[];
  entries: number;
  chains: number;
  roots: number;
  withoutContent: number;
  coveredUntil: string | null;
  keyIds: readonly string[];
}

interface Verifier {
  line(text: string): Promise<void>;
  end(): Verification;
}

/**
 * Checks an export of the record line by line, by nothing but what the export itself holds. Written apart from the service's own
 * verifier, as docs/record.md describes the format.
 */
export function createVerifier(): Verifier {
  const problems: Problem[] = [];
  const report: Report = (fault, about, line) => void problems.push({ fault, about, line });
  const chains: ChainCheck = checkChains(report);
  const deciding: DecidingCheck = checkDeciding(report);
  const roots: RootCheck = checkRoots(report);
  let number = 0;
  let isEnded = false;

  function read(text: string): Line | null {
    try {
      const line = JSON.parse(text) as Line;
      // Another spelling of the same values was not written by the service.
      if (typeof line === 'object' && line !== null && canonicalJson(line) === text) return line;
    } catch {}
    report('unreadable', '', number);
    return null;
  }

  async function check(line: Line): Promise<void> {
    switch (line.kind) {
      case 'export':
        deciding.header(line);
        return roots.header(line);
      case 'key':
        return roots.key(line, number);
      case 'leaf':
        chains.expect(line);
        return roots.leaf(line, number);
      case 'root':
        return roots.root(line, number);
      case 'chain':
        if ('head' in line) await roots.start(line, number);
        return chains.start(line);
      case 'entry':
        await chains.entry(line, number);
        return deciding.entry(line, number);
      case 'terms':
        return deciding.terms(line);
      case 'state':
        return deciding.state(line, number);
      case 'version':
        return deciding.version(line, number);
      case 'end':
        isEnded = true;
        return;
      default:
        report('unreadable', String(line.kind), number);
    }
  }

  return {
    async line(text) {
      number++;
      const line = read(text);
      if (!line) return;
      if (line.line !== number || isEnded) report('place', '', number);
      try {
        await check(line);
      } catch {
        // It lacks what its kind must have.
        report('unreadable', '', number);
      }
    },

    end() {
      if (!isEnded) report('end', '', null);
      deciding.end();
      return { ...roots.end(), ...chains.end(), problems };
    },
  };
}

/** Characters of an export that are kept to be saved: a longer one is checked, and not kept. */
const mostKept = 64 * 1024 * 1024;

export interface ReadRecord {
  verification: Verification;
  /** The export, to be saved; null when it is too long for a browser. */
  file: Blob | null;
}

interface ReadOptions {
  query: { sessionId?: string; from?: string; to?: string };
  signal: AbortSignal;
  onLines: (lines: number) => void;
}

/** Reads an export page by page, and checks each line of it. */
export async function readRecord({ query, signal, onLines }: ReadOptions): Promise<ReadRecord> {
  const verifier = createVerifier();
  const kept: string[] = [];
  let characters = 0;
  let lines = 0;
  let next: string | null = null;
  do {
    const asked: Record<string, string> = next === null ? query : { cursor: next };
    const { data } = await call<RecordExportPage>('/v1/record/export', { query: asked, signal });
    for (const line of data.lines) {
      signal.throwIfAborted();
      await verifier.line(line);
      characters += line.length;
      if (characters <= mostKept) kept.push(`${line}\n`);
    }
    lines += data.lines.length;
    onLines(lines);
    next = data.next;
  } while (next !== null);
  const file = characters <= mostKept ? new Blob(kept, { type: 'application/x-ndjson' }) : null;
  return { verification: verifier.end(), file };
}
