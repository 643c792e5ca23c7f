import { canonicalJson } from '../../json/stringify.ts';
import { decidingResources, versionedResources } from '../deciding-state.ts';
import type { ChainLine, ExportLine, HeaderLine, KeyLine, LeafLine, RootLine } from '../export-lines.ts';
import { addLeaf, emptyFrontier, type Frontier, isWhole, rootFromInclusion, rootOf } from '../merkle.ts';
import { hashOfLeaf, hashOfRoot, isSigned, keyIdOf, noRoot, type RootStatement } from '../roots.ts';
import { createChainCheck } from './chain-check.ts';
import { createDecidingCheck } from './deciding-check.ts';
import type { Problem, Report, Verification } from './problems.ts';

export interface VerifyOptions {
  /** Ids of the keys that the auditor trusts; without any, those in the export are believed. */
  trustedKeys?: readonly string[];
  /** Hashes of roots that the auditor knows of: the export must have them. */
  expectedRoots?: readonly string[];
}

export interface Verifier {
  /** The next line of the export, without its line feed. */
  line(text: string): void;
  end(): Verification;
}

/** Checks an export of the record line by line. It needs nothing but the export, and keeps one head for each chain in memory. */
export function createVerifier({ trustedKeys, expectedRoots = [] }: VerifyOptions = {}): Verifier {
  const problems: Problem[] = [];
  const report: Report = ({ code, message, line = null, chain = null, seq = null, id = null }) =>
    void problems.push({ code, line, chain, seq, id, message });
  const chains = createChainCheck(report);
  const deciding = createDecidingCheck(report);
  const trusted = trustedKeys?.length ? new Set(trustedKeys) : null;
  const tree = createTreeCheck(report, trusted, expectedRoots);
  let number = 0;
  let lastNumber = 0;
  let entries = 0;
  let isEnded = false;

  /** Null for what is not a line as it was written. */
  function read(text: string): ExportLine | null {
    let line: Record<string, unknown>;
    try {
      line = JSON.parse(text);
    } catch {
      report({ code: 'changed', line: number, message: 'the line cannot be read' });
      return null;
    }
    if (!isLine(line)) {
      report({ code: 'changed', line: number, message: 'the line is none that an export has' });
      return null;
    }
    // Another spelling of the same values was not written by the service.
    if (canonicalJson(line) !== text) {
      report({
        code: 'changed',
        line: number,
        ...placeOf(line),
        message: 'the line is not in its canonical form',
      });
    }
    if (line.line !== lastNumber + 1) {
      const message = `the line has the number ${line.line}, and comes after ${lastNumber}`;
      report({ code: 'reordered', line: number, ...placeOf(line), message });
    }
    lastNumber = line.line;
    return line;
  }

  function check(line: ExportLine): void {
    if (number === 1 && line.kind !== 'export') {
      report({ code: 'truncated', line: number, message: 'the header is missing' });
    }
    switch (line.kind) {
      case 'export':
        if (number > 1) report({ code: 'repeated', line: number, message: 'the header comes again' });
        else {
          tree.header(line);
          deciding.header(line);
        }
        break;
      case 'key':
        tree.key(line, number);
        break;
      case 'leaf':
        tree.leaf(line, number);
        chains.expect(line);
        break;
      case 'root':
        tree.root(line, number);
        break;
      case 'chain':
        if ('head' in line) tree.start(line, number);
        chains.chain(line, number);
        break;
      case 'entry':
        entries++;
        if (chains.entry(line, number)) deciding.entry(line, number);
        break;
      case 'terms':
        deciding.terms(line);
        break;
      case 'state':
        deciding.state(line, number);
        break;
      case 'version':
        deciding.version(line, number);
        break;
      case 'end':
        isEnded = true;
        break;
      default:
        line satisfies never;
    }
  }

  return {
    line(text) {
      number++;
      if (isEnded) report({ code: 'repeated', line: number, message: 'the line comes after the end' });
      const line = read(text);
      if (line) check(line);
      else lastNumber++;
    },

    end() {
      if (!isEnded) report({ code: 'truncated', message: 'the end of the export is missing' });
      const { roots, coveredUntil, keyIds } = tree.end();
      return {
        ...chains.end(),
        ...deciding.end(),
        problems,
        entries,
        roots,
        coveredUntil,
        keyIds,
        isKeyTrusted: trusted !== null,
      };
    },
  };
}

/** The chain and number that the line is about, as far as it says so. */
function placeOf(line: ExportLine): { chain?: string; seq?: number } {
  const named = line.kind === 'entry' ? line.entry : line;
  const { chain, seq } = named as { chain?: unknown; seq?: unknown };
  return {
    ...(typeof chain === 'string' && { chain }),
    ...(typeof seq === 'number' && { seq }),
  };
}

type Test = (value: unknown) => boolean;
type Members = Readonly<Record<string, Test>>;

const text: Test = (value) => typeof value === 'string';
const number: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const textOrNull: Test = (value) => value === null || text(value);
const texts: Test = (value) => Array.isArray(value) && value.every(text);
const object: Test = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);
const is =
  (word: unknown): Test =>
  (value) =>
    value === word;
/** No other member: one could stand in the place of one that is looked at. */
const shape =
  (members: Members): Test =>
  (value) =>
    object(value) &&
    Object.keys(value as object).every((name) => Object.hasOwn(members, name)) &&
    Object.entries(members).every(([name, test]) => test((value as Record<string, unknown>)[name]));
const lineOf = (kind: ExportLine['kind'], members: Members): Test =>
  shape({ ...members, kind: is(kind), line: number });

const chainOrigin = lineOf('chain', {
  origin: (value) => object(value) && text((value as { chain?: unknown }).chain),
});
const chainHead = lineOf('chain', {
  chain: text,
  head: shape({ seq: number, hash: text }),
  index: number,
  proof: texts,
});

const shapes: Readonly<Record<ExportLine['kind'], Test>> = {
  export: lineOf('export', {
    format: is(1),
    madeAt: text,
    from: textOrNull,
    to: textOrNull,
    chain: textOrNull,
    frontier: texts,
  }),
  key: lineOf('key', { keyId: text, publicKey: text }),
  leaf: lineOf('leaf', { chain: text, seq: number, hash: text, index: number, proof: optional(texts) }),
  root: lineOf('root', {
    statement: shape({
      kind: is('root'),
      seq: number,
      at: text,
      previous: text,
      treeSize: number,
      rootHash: text,
      keyId: text,
    }),
    signature: text,
  }),
  chain: (value) => chainOrigin(value) || chainHead(value),
  entry: lineOf('entry', {
    hash: text,
    entry: object,
    content: optional((value) => object(value) && Object.values(value as object).every(text)),
  }),
  terms: lineOf('terms', { terms: text }),
  state: lineOf('state', {
    resource: (value) => decidingResources.some((one) => one === value),
    resourceId: text,
    state: (value) => value === null || object(value),
    text: textOrNull,
  }),
  version: lineOf('version', {
    resource: (value) => versionedResources.some((one) => one === value),
    resourceId: text,
    version: number,
    text,
  }),
  end: lineOf('end', {}),
};

/** Whether a parsed line has the members that its kind must have, and no others. */
function isLine(value: unknown): value is ExportLine & { line: number } {
  if (!object(value)) return false;
  const { kind } = value as { kind?: unknown };
  return typeof kind === 'string' && Object.hasOwn(shapes, kind) && shapes[kind as ExportLine['kind']](value);
}

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
function createTreeCheck(
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
