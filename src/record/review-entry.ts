import { canonicalJson } from '../json/stringify.ts';
import { createEntryWriter, type EntryLink } from './entries.ts';

/** By one of the rules that held the action. */
interface RecordedGrant {
  id: string;
  /** The digest of the rule and of all that a later action must have in common with the approved one. */
  key: string;
  policyId: string;
  ruleId: string;
  /** Paths whose values have to be the same; null for the very same action. */
  same: readonly string[] | null;
  /** From the approval on; null for as long as the session. */
  seconds: number | null;
  /** Null for any number. */
  uses: number | null;
  severity: string;
}

/** The end of a held action: a person decided, or its session ended before. */
export interface RecordedDecision {
  /** The id of the review. */
  id: string;
  at: number;
  status: string;
  /** The evaluation that the review showed when it was decided. */
  evaluationId: string;
  /** Empty when nobody did. */
  decidedBy: string;
  comment: string | null;
  /** Until when an approval can be used. */
  expiresAt: number;
  /** The later actions that an approval covers. */
  grants?: readonly RecordedGrant[];
  /** The ids of the grants that a rejection takes back. */
  grantsTakenBack?: readonly string[];
}

const write = createEntryWriter(
  ['at', 'comment', 'decidedBy', 'evaluationId', 'expiresAt', 'id', 'kind', 'status'],
  ['grants', 'grantsTakenBack'],
);

export const reviewEntry = (link: EntryLink, decision: RecordedDecision): string =>
  write(link, {
    ...decision,
    kind: 'review',
    at: new Date(decision.at).toISOString(),
    expiresAt: new Date(decision.expiresAt).toISOString(),
    grants: listText(decision.grants),
    grantsTakenBack: listText(decision.grantsTakenBack),
  });

/** An empty list is left out, as it is in the entries from before there were grants. */
const listText = (list: readonly unknown[] = []): string | null =>
  list.length === 0 ? null : canonicalJson(list);
