import type { NewEvent } from '../features/events/store.ts';
import type { DecidingResource, VersionedResource } from '../record/deciding-state.ts';
import { type ChainOrigin, type EntryLink, sha256 } from '../record/entries.ts';
import {
  type ContentDigests,
  digestContent,
  emptyEntry,
  evaluationEntry,
  messagesOf,
  noContent,
  type RecordedEvaluationRow,
} from '../record/evaluation-entry.ts';
import type { StateLine, VersionLine } from '../record/export-lines.ts';
import { type RecordedDecision, reviewEntry } from '../record/review-entry.ts';
import type { LeafData, RootStatement } from '../record/roots.ts';
import type { Violation } from '../schemas/decisions.ts';
import { parseList } from './rows.ts';

/** Up to which rows a root covers: of evaluations, of other entries, and of management calls. 0 for none. */
export interface RecordCut {
  evaluation: number;
  entry: number;
  call: number;
}

export interface StoredRoot {
  statement: RootStatement;
  /** Ed25519, in base64. */
  signature: string;
  /** The heads of the complete subtrees of its tree, largest first. */
  frontier: readonly string[];
  cut: RecordCut;
}

export interface StoredLeaf extends LeafData {
  /** From 0. */
  index: number;
}

/** A complete subtree of 2^level leaves. */
export interface StoredNode {
  level: number;
  place: number;
  hash: string;
}

export interface RecordKey {
  keyId: string;
  /** DER (SubjectPublicKeyInfo) in base64. */
  publicKey: string;
  addedAt: number;
}

/** One entry as it stands. */
export interface StoredEntry {
  chain: string;
  seq: number;
  hash: string;
  /** The canonical text, made again from what is stored: it has this hash unless something was changed. */
  text: string;
  /** The texts that the entry has digests of and that are still kept, with their salt; null when none is. */
  content: Readonly<Record<string, string>> | null;
  /** For an evaluation: JSON text of the terms that decided, of which the entry has the SHA-256; null when it has none. */
  terms: string | null;
}

/** A resource that decides, as `StateLine` has it. */
export type RecordedState = Pick<StateLine, 'resourceId' | 'state' | 'text'>;
/** The document of a version of a policy, or the change that made a version of a list. */
export type RecordedVersion = Pick<VersionLine, 'resourceId' | 'version' | 'text'>;

/** Where a list of the entries of a session goes on: how many evaluations came before, and the place of the last one. */
export interface SessionCursor {
  evaluations: number;
  seq: number;
}

/** The record as it can be proven: what is written of entries themselves is written with what they are of. */
export interface RecordStore {
  /**
   * The heads of the chains that have entries beyond `after`, of at most some 2,000 rows, as of the cut that is returned;
   * null when there is nothing beyond.
   */
  findUncovered(after: RecordCut): Promise<{ cut: RecordCut; heads: LeafData[]; isLast: boolean } | null>;
  findLastRoot(): Promise<StoredRoot | null>;
  /** In the order of time: those after `seq`, at most `limit`. */
  listRoots(after: number, limit: number): Promise<StoredRoot[]>;
  /** The last one signed at or before this time; null for none. */
  findRootAt(at: number): Promise<StoredRoot | null>;
  /** False, and nothing is done, when another root has followed the last one meanwhile. `event`: written with the root. */
  addRoot(
    root: StoredRoot,
    leaves: readonly LeafData[],
    nodes: readonly StoredNode[],
    event: NewEvent,
  ): Promise<boolean>;
  /** In the order of the tree, from `start` on. */
  listLeaves(start: number, count: number): Promise<StoredLeaf[]>;
  /** The last one of the chain in the tree of `treeSize` leaves. */
  findLeaf(chain: string, treeSize: number): Promise<StoredLeaf | null>;
  /** In the order of the tree: of one chain, those after `index`. */
  listLeavesOf(chain: string, after: number, limit: number): Promise<StoredLeaf[]>;
  /** The nodes of a level, from `place` on. */
  listNodes(level: number, place: number, count: number): Promise<StoredNode[]>;
  /** Kept once. */
  addKey(key: RecordKey): Promise<void>;
  listKeys(): Promise<RecordKey[]>;
  /**
   * Entries between two cuts, in an order in which each chain is in its own, after the row `from`; at most `limit`. `next` is
   * where the following ones begin; null when there are none.
   */
  listEntries(
    from: RecordCut,
    until: RecordCut,
    limit: number,
  ): Promise<{ entries: StoredEntry[]; next: RecordCut | null }>;
  /** The entries of one session, in their order; `from` is the `next` of the call before. Null when there is no such session. */
  listEntriesOf(
    sessionId: string,
    from: SessionCursor,
    limit: number,
  ): Promise<{ entries: StoredEntry[]; next: SessionCursor | null } | null>;
  /**
   * The deciding resources as they are now, in the order of ids, after this one. A resource that was changed by management calls beyond the cut
   * is null.
   */
  listStates(
    resource: DecidingResource,
    cut: RecordCut,
    after: string,
    limit: number,
  ): Promise<RecordedState[]>;
  /** In the order of ids and versions, after this one. */
  listVersions(
    resource: VersionedResource,
    after: { id: string; version: number },
    limit: number,
  ): Promise<RecordedVersion[]>;
  /** The unchanging facts of a chain; null when there is none of this name. */
  findOrigin(chain: string): Promise<ChainOrigin | null>;
}

// Entries of the record, made again from the rows that they are of, for every backend.

/** The kept parts of an evaluation, and of its content. */
export interface EvaluationOfEntry extends Omit<RecordedEvaluationRow, 'content' | 'terms'> {
  input: string | null;
  targetMetadata: string | null;
  /** The salt in the digests of the content; null when none is kept. */
  contentSalt: string | null;
  /** JSON text of the digests of content that was deleted. */
  contentDigests: string | null;
  /** JSON text of the terms of the policies that decided. */
  policyTerms: string;
}

/**
 * A row that no evaluation can have written, such as one with broken JSON, gets `emptyEntry`: a check of the record then reports
 * it as changed.
 */
export function entryOfEvaluation(link: EntryLink, hash: string, row: EvaluationOfEntry): StoredEntry {
  const stored = { chain: link.chain, seq: link.seq, hash, terms: row.policyTerms };
  try {
    return { ...stored, text: textOf(link, row), content: sentContent(row) };
  } catch {
    return { ...stored, text: emptyEntry(link), content: null };
  }
}

function textOf(link: EntryLink, row: EvaluationOfEntry): string {
  // The entry contains these texts unchanged, so text after the end of the JSON would become further members of the entry.
  for (const json of [row.dataTags, row.detections, row.labels, row.grants])
    if (json !== null) JSON.parse(json);
  return evaluationEntry(link, { ...row, terms: sha256(row.policyTerms), content: digestsOf(row) });
}

function sentContent(row: EvaluationOfEntry): StoredEntry['content'] {
  const { contentSalt: salt } = row;
  const kept = Object.entries(contentOf(row)).filter(([, value]) => value !== null);
  return salt === null ? null : { salt, ...Object.fromEntries(kept) };
}

type KeptContent = Pick<EvaluationOfEntry, 'input' | 'targetMetadata' | 'violations'>;

const contentOf = ({ input, targetMetadata, violations }: KeptContent): ContentDigests => ({
  input,
  targetMetadata,
  messages: messagesOf(parseList(violations)),
});

/** The digests of texts that are still there, or as they were kept when the texts were deleted. */
function digestsOf(row: EvaluationOfEntry): ContentDigests {
  const { contentSalt, contentDigests } = row;
  if (contentSalt !== null) return digestContent(contentSalt, contentOf(row));
  return contentDigests === null ? noContent : (JSON.parse(contentDigests) as ContentDigests);
}

/** The part of an evaluation's content that retention leaves: its digests, and violations whose messages are the names of their rules. */
export function erasedContent({
  contentSalt,
  ...content
}: KeptContent & Pick<EvaluationOfEntry, 'contentSalt'>): {
  contentDigests: string | null;
  violations: string | null;
} {
  const violations = parseList<Violation>(content.violations);
  return {
    contentDigests:
      contentSalt === null ? null : JSON.stringify(digestContent(contentSalt, contentOf(content))),
    violations:
      content.violations && JSON.stringify(violations.map((one) => ({ ...one, message: one.ruleName }))),
  };
}

/** `members`: JSON text. */
export const entryOfReview = (link: EntryLink, hash: string, members: string): StoredEntry => ({
  chain: link.chain,
  seq: link.seq,
  hash,
  text: reviewEntry(link, JSON.parse(members) as RecordedDecision),
  content: null,
  terms: null,
});
