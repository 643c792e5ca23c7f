import { AppError } from '../../errors.ts';
import { decidingResources, versionedResources } from '../../record/deciding-state.ts';
import { sessionChain } from '../../record/entries.ts';
import { type ExportLine, lineText } from '../../record/export-lines.ts';
import {
  addLeaf,
  consistencyProof,
  emptyFrontier,
  inclusionProof,
  rootOf,
  type SubtreeHash,
} from '../../record/merkle.ts';
import { hashOfLeaf } from '../../record/roots.ts';
import type { RecordRoot, RootProof } from '../../schemas/record.ts';
import type {
  RecordCut,
  RecordStore,
  SessionCursor,
  Store,
  StoredEntry,
  StoredLeaf,
  StoredRoot,
} from '../../store/store.ts';
import { found, foundBy } from '../refusals.ts';
import { isoTime, parseTime } from '../times.ts';
import type { InstallationKey } from './installation-key.ts';
import { createSignedRoots, keptLevels, type SignedRoots, shownRoot } from './signed-roots.ts';

/** The record of decisions and their deciders, by which they can be proven. */
export interface RecordOfDecisions {
  roots: SignedRoots;
  /** An export covers all that was recorded before its first page was asked for. */
  export(query: ExportQuery): Promise<ExportPage>;
  /** In the order of time: those after this one. */
  listRoots(after: number, size: number): Promise<RecordRoot[]>;
  /** Proves that the tree of one root (null: the last root) begins with the tree of an earlier root. */
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

interface ExportQuery {
  sessionId?: string;
  from?: string;
  to?: string;
  /** `next` of the page before; the other members count on the first page only. */
  cursor?: string;
}

/** A part of an export: lines without their line feeds. */
interface ExportPage {
  lines: string[];
  /** Null on the last page. */
  next: string | null;
}

/** Rows read for one page. */
const entriesInPage = 200;
const leavesInPage = 1_000;
const statesInPage = 50;
/** Each may be a document of a megabyte. */
const versionsInPage = 10;
const nothing: RecordCut = { evaluation: 0, entry: 0, call: 0 };

/** Writes exports page by page: everything a page needs of those before is in its cursor. */
function createExport(deps: {
  store: Store;
  now: () => number;
  proofs: Proofs;
}): (query: ExportQuery) => Promise<ExportPage> {
  const { store, now, proofs } = deps;
  const { record } = store;

  async function begin({ sessionId, from, to }: ExportQuery): Promise<ExportPage> {
    if (sessionId !== undefined) refuseTimes(from, to);
    const first = from === undefined ? null : await record.findRootAt(parseTime(from, '/from'));
    const last = await rootAfter(record, to);
    const chain = sessionId === undefined ? null : sessionChain(sessionId.toLowerCase());
    if (chain !== null) foundBy(await record.findOrigin(chain), 'sessionId', 'evaluation session');
    const header: ExportLine = {
      kind: 'export',
      format: 1,
      madeAt: isoTime(now()),
      from: from ?? null,
      to: to ?? null,
      chain,
      frontier: chain === null && first ? [...first.frontier] : [],
    };
    const lines: ExportLine[] = [header, ...(await keyLines(record))];
    const place = { first: first?.statement.seq ?? 0, last: last.statement.seq, line: 1 };
    if (chain !== null) return page(lines, 1, { ...place, chain, phase: 'leaves', leaf: -1 });
    if (first) lines.push(rootLine(first));
    const size = first?.statement.treeSize ?? 0;
    return page(lines, 1, { ...place, chain, phase: 'roots', root: place.first, leaf: size });
  }

  /** Pages of the leaves of one root after another, and each root behind its own. */
  async function roots(cursor: ExportCursor & { phase: 'roots' }): Promise<ExportPage> {
    const { root: done, leaf: from, last, first } = cursor;
    const root = await rootOfSeq(record, done + 1);
    if (!root || done >= last) {
      const cut = (await rootOfSeq(record, first))?.cut ?? nothing;
      return page([], cursor.line, { ...cursor, phase: 'entries', cut });
    }
    const start = await rootOfSeq(record, first);
    const until = root.statement.treeSize;
    const leaves = await record.listLeaves(from, Math.min(leavesInPage, until - from));
    const lines: ExportLine[] = [];
    for (const leaf of leaves) {
      const before = start && (await startOf(leaf, start));
      if (before) lines.push(before);
      lines.push({ kind: 'leaf', ...leaf });
    }
    const leaf = from + leaves.length;
    if (leaf < until && leaves.length > 0) return page(lines, cursor.line, { ...cursor, leaf });
    return page([...lines, rootLine(root)], cursor.line, { ...cursor, root: done + 1, leaf });
  }

  /** Where a chain stood when the export begins; null when it began later, or was named before. */
  async function startOf({ chain, index }: StoredLeaf, first: StoredRoot): Promise<ExportLine | null> {
    const before = await record.findLeaf(chain, index);
    const { treeSize } = first.statement;
    if (!before || before.index >= treeSize) return null;
    const proof = await proofs.inclusion(before.index, treeSize);
    const head = { seq: before.seq, hash: before.hash };
    return { kind: 'chain', chain, head, index: before.index, proof };
  }

  async function leavesOfSession(cursor: ExportCursor & { phase: 'leaves' }): Promise<ExportPage> {
    const { chain, leaf: after, last } = cursor;
    const root = await rootOfSeq(record, last);
    const treeSize = root?.statement.treeSize ?? 0;
    const all = await record.listLeavesOf(chain ?? '', after, leavesInPage);
    const leaves = all.filter(({ index }) => index < treeSize);
    const lines: ExportLine[] = [];
    for (const leaf of leaves) {
      lines.push({ kind: 'leaf', ...leaf, proof: await proofs.inclusion(leaf.index, treeSize) });
    }
    if (all.length === leavesInPage)
      return page(lines, cursor.line, { ...cursor, leaf: leaves.at(-1)?.index ?? after });
    if (root) lines.push(rootLine(root));
    const covered = await record.findLeaf(chain ?? '', treeSize);
    return page(lines, cursor.line, {
      ...cursor,
      phase: 'session',
      until: covered?.seq ?? 0,
      from: { evaluations: 0, seq: 0 },
    });
  }

  async function entriesOfSession(cursor: ExportCursor & { phase: 'session' }): Promise<ExportPage> {
    const id = (cursor.chain ?? '').slice('session:'.length);
    const listed = await record.listEntriesOf(id, cursor.from, entriesInPage);
    const { entries, next } = foundBy(listed, 'sessionId', 'evaluation session');
    const lines = await entryLines(entries.filter(({ seq }) => seq <= cursor.until));
    return page(lines, cursor.line, next && { ...cursor, from: next });
  }

  async function entries(cursor: ExportCursor & { phase: 'entries' }): Promise<ExportPage> {
    const until = (await rootOfSeq(record, cursor.last))?.cut ?? nothing;
    const { entries: listed, next } = await record.listEntries(cursor.cut, until, entriesInPage);
    return page(
      await entryLines(listed),
      cursor.line,
      next ? { ...cursor, cut: next } : { ...placeOf(cursor), phase: 'states', resource: 0, id: firstId },
    );
  }

  /** Pages of the deciding resources as they are now. */
  async function states(cursor: ExportCursor & { phase: 'states' }): Promise<ExportPage> {
    const resource = decidingResources[cursor.resource];
    const until = (await rootOfSeq(record, cursor.last))?.cut ?? nothing;
    if (!resource)
      return page([], cursor.line, {
        ...placeOf(cursor),
        phase: 'versions',
        resource: 0,
        id: firstId,
        version: 0,
      });
    const listed = await record.listStates(resource, until, cursor.id, statesInPage);
    const lines = listed.map((one): ExportLine => ({ kind: 'state', resource, ...one }));
    const next =
      listed.length < statesInPage
        ? { resource: cursor.resource + 1, id: firstId }
        : { id: listed.at(-1)?.resourceId ?? firstId };
    return page(lines, cursor.line, { ...cursor, ...next });
  }

  async function versions(cursor: ExportCursor & { phase: 'versions' }): Promise<ExportPage> {
    const resource = versionedResources[cursor.resource];
    if (!resource) return page([], cursor.line, null);
    const listed = await record.listVersions(resource, cursor, versionsInPage);
    const lines = listed.map((one): ExportLine => ({ kind: 'version', resource, ...one }));
    const last = listed.at(-1);
    const next =
      last === undefined || listed.length < versionsInPage
        ? { resource: cursor.resource + 1, id: firstId, version: 0 }
        : { id: last.resourceId, version: last.version };
    return page(lines, cursor.line, { ...cursor, ...next });
  }

  async function entryLines(listed: readonly StoredEntry[]): Promise<ExportLine[]> {
    const lines: ExportLine[] = [];
    const written = new Set<string>();
    for (const { chain, seq, hash, text, content, terms } of listed) {
      if (terms !== null && !written.has(terms)) {
        written.add(terms);
        lines.push({ kind: 'terms', terms });
      }
      if (seq === 1) {
        const origin = await record.findOrigin(chain);
        if (origin) lines.push({ kind: 'chain', origin });
      }
      lines.push({ kind: 'entry', hash, entry: JSON.parse(text), ...(content && { content }) });
    }
    return lines;
  }

  return async ({ cursor: text, ...query }) => {
    if (text === undefined) return begin(query);
    const cursor = readCursor(text);
    switch (cursor.phase) {
      case 'roots':
        return roots(cursor);
      case 'leaves':
        return leavesOfSession(cursor);
      case 'session':
        return entriesOfSession(cursor);
      case 'states':
        return states(cursor);
      case 'versions':
        return versions(cursor);
      default:
        return entries(cursor);
    }
  };
}

const placeOf = ({ first, last, line, chain }: ExportCursor) => ({ first, last, line, chain });

function refuseTimes(from: string | undefined, to: string | undefined): void {
  if (from === undefined && to === undefined) return;
  throw new AppError('invalid', 'a session is exported whole', {
    path: from === undefined ? '/to' : '/from',
  });
}

/** The first one signed at or after this time; the last one of all when there is none. */
async function rootAfter(record: Store['record'], to: string | undefined): Promise<StoredRoot> {
  const root =
    to === undefined ? await record.findLastRoot() : await signedFrom(record, parseTime(to, '/to'));
  if (!root)
    throw new AppError('conflict', 'nothing is signed yet: the first root is signed within a minute');
  return root;
}

async function signedFrom(record: Store['record'], at: number): Promise<StoredRoot | null> {
  const before = await record.findRootAt(at);
  if (before && Date.parse(before.statement.at) === at) return before;
  const [next] = await record.listRoots(before?.statement.seq ?? 0, 1);
  return next ?? before;
}

const keyLines = async (record: Store['record']): Promise<ExportLine[]> =>
  (await record.listKeys()).map(({ keyId, publicKey }) => ({ kind: 'key', keyId, publicKey }));

async function rootOfSeq(record: Store['record'], seq: number): Promise<StoredRoot | null> {
  const [root] = seq === 0 ? [] : await record.listRoots(seq - 1, 1);
  return root ?? null;
}

const rootLine = ({ statement, signature }: StoredRoot): ExportLine => ({
  kind: 'root',
  statement,
  signature,
});

/** `next`: where the next page begins, with the line number of this one; null ends the export. */
function page(content: readonly ExportLine[], line: number, next: ExportCursor | null): ExportPage {
  const all: readonly ExportLine[] = next ? content : [...content, { kind: 'end' }];
  return {
    lines: all.map((one, place) => lineText(line + place, one)),
    next: next && writeCursor({ ...next, line: line + all.length }),
  };
}

/** Where an export goes on. */
type ExportCursor = {
  /** The roots of its beginning and its end; the first one is 0 for the whole record. */
  first: number;
  last: number;
  /** The number of the next line. */
  line: number;
  /** The chain of the session; null for all chains. */
  chain: string | null;
} & (
  | {
      phase: 'roots';
      /** The last root that was written, and the index of the next leaf. */
      root: number;
      leaf: number;
    }
  | { phase: 'entries'; cut: RecordCut }
  /** Places in the lists of resources, and what was written last. */
  | { phase: 'states'; resource: number; id: string }
  | { phase: 'versions'; resource: number; id: string; version: number }
  /** The last leaf that was written. */
  | { phase: 'leaves'; leaf: number }
  /** Entries up to this place are covered. */
  | { phase: 'session'; from: SessionCursor; until: number }
);

/** Comes before every id. */
const firstId = '00000000-0000-0000-0000-000000000000';
const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const writeCursor = (cursor: ExportCursor): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url');

const members: Readonly<Record<ExportCursor['phase'], readonly string[]>> = {
  roots: ['first', 'last', 'line', 'root', 'leaf'],
  entries: ['first', 'last', 'line', 'cut.evaluation', 'cut.entry', 'cut.call'],
  states: ['first', 'last', 'line', 'resource'],
  versions: ['first', 'last', 'line', 'resource', 'version'],
  leaves: ['first', 'last', 'line', 'leaf'],
  session: ['first', 'last', 'line', 'from.evaluations', 'from.seq', 'until'],
};

/** Refuses a text that `writeCursor` did not write. */
function readCursor(text: string): ExportCursor {
  try {
    const cursor = JSON.parse(Buffer.from(text, 'base64url').toString()) as ExportCursor;
    const numbers = members[cursor.phase].map((name) =>
      name.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], cursor),
    );
    const isNamed = cursor.chain === null || typeof cursor.chain === 'string';
    const isId = !('id' in cursor) || isUuid.test(cursor.id);
    if (isNamed && isId && numbers.every((number) => Number.isSafeInteger(number))) return cursor;
  } catch {
    // Refused below.
  }
  throw new AppError('invalid', 'must be the `next` of an earlier page of the export', { path: '/cursor' });
}

/** Proofs about the tree of chain heads (RFC 6962), from what is stored of it. */
export interface Proofs {
  inclusion(index: number, treeSize: number): Promise<string[]>;
  consistency(first: number, second: number): Promise<string[]>;
}

/** Reads at most some hundred rows for each hash of a proof, however large the tree is. */
function createProofs(record: Pick<RecordStore, 'listLeaves' | 'listNodes'>): Proofs {
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
