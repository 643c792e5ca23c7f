import type { EntryLink } from '../record/entries.ts';
import {
  type ContentDigests,
  digestContent,
  evaluationEntry,
  noContent,
  type RecordedEvaluationRow,
} from '../record/evaluation-entry.ts';
import { type RecordedDecision, reviewEntry } from '../record/review-entry.ts';
import type { StoredEntry } from './record.ts';

// Entries of the record, made again from the rows that they are of, for every backend.

/** What is kept of an evaluation, and what of its content. */
export interface EvaluationOfEntry extends Omit<RecordedEvaluationRow, 'content'> {
  input: string | null;
  targetMetadata: string | null;
  /** Of the digests of the content; null when none is kept. */
  contentSalt: string | null;
  /** JSON text of the digests of content that was deleted. */
  contentDigests: string | null;
}

export function entryOfEvaluation(link: EntryLink, hash: string, row: EvaluationOfEntry): StoredEntry {
  const { input, targetMetadata, contentSalt: salt } = row;
  const content =
    salt === null
      ? null
      : { salt, ...(input !== null && { input }), ...(targetMetadata !== null && { targetMetadata }) };
  const text = evaluationEntry(link, { ...row, content: digestsOf(row) });
  return { chain: link.chain, seq: link.seq, hash, text, content };
}

/** Of what is still there, or as they were kept when that was deleted. */
function digestsOf({ contentSalt, contentDigests, ...content }: EvaluationOfEntry): ContentDigests {
  if (contentSalt !== null) return digestContent(contentSalt, content);
  return contentDigests === null ? noContent : (JSON.parse(contentDigests) as ContentDigests);
}

/** `members`: JSON text. */
export const entryOfReview = (link: EntryLink, hash: string, members: string): StoredEntry => ({
  chain: link.chain,
  seq: link.seq,
  hash,
  text: reviewEntry(link, JSON.parse(members) as RecordedDecision),
  content: null,
});
