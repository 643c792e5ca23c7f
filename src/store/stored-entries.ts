import { type EntryLink, sha256 } from '../record/entries.ts';
import {
  type ContentDigests,
  digestContent,
  evaluationEntry,
  messagesOf,
  noContent,
  type RecordedEvaluationRow,
} from '../record/evaluation-entry.ts';
import { type RecordedDecision, reviewEntry } from '../record/review-entry.ts';
import type { Violation } from '../schemas/decisions.ts';
import { parseList } from './parse-list.ts';
import type { StoredEntry } from './record.ts';

// Entries of the record, made again from the rows that they are of, for every backend.

/** What is kept of an evaluation, and what of its content. */
export interface EvaluationOfEntry extends Omit<RecordedEvaluationRow, 'content' | 'terms'> {
  input: string | null;
  targetMetadata: string | null;
  /** Of the digests of the content; null when none is kept. */
  contentSalt: string | null;
  /** JSON text of the digests of content that was deleted. */
  contentDigests: string | null;
  /** JSON text of the terms of the policies that decided. */
  policyTerms: string;
}

export function entryOfEvaluation(link: EntryLink, hash: string, row: EvaluationOfEntry): StoredEntry {
  const { contentSalt: salt, policyTerms: terms } = row;
  const text = evaluationEntry(link, { ...row, terms: sha256(terms), content: digestsOf(row) });
  const kept = Object.entries(contentOf(row)).filter(([, value]) => value !== null);
  const content = salt === null ? null : { salt, ...Object.fromEntries(kept) };
  return { chain: link.chain, seq: link.seq, hash, text, content, terms };
}

type KeptContent = Pick<EvaluationOfEntry, 'input' | 'targetMetadata' | 'violations'>;

const contentOf = ({ input, targetMetadata, violations }: KeptContent): ContentDigests => ({
  input,
  targetMetadata,
  messages: messagesOf(parseList(violations)),
});

/** Of what is still there, or as they were kept when that was deleted. */
function digestsOf(row: EvaluationOfEntry): ContentDigests {
  const { contentSalt, contentDigests } = row;
  if (contentSalt !== null) return digestContent(contentSalt, contentOf(row));
  return contentDigests === null ? noContent : (JSON.parse(contentDigests) as ContentDigests);
}

/** What retention leaves of an evaluation's content: its digests, and violations whose messages are the names of their rules. */
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
