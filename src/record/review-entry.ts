import { createEntryWriter, type EntryLink } from './entries.ts';

/** What a person decided about a held action. */
export interface RecordedDecision {
  /** Of the review. */
  id: string;
  at: number;
  status: string;
  /** The evaluation that the review showed when it was decided. */
  evaluationId: string;
  decidedBy: string;
  comment: string | null;
  /** Until when an approval can be used. */
  expiresAt: number;
}

const write = createEntryWriter([
  'at',
  'comment',
  'decidedBy',
  'evaluationId',
  'expiresAt',
  'id',
  'kind',
  'status',
]);

export const reviewEntry = (link: EntryLink, decision: RecordedDecision): string =>
  write(link, {
    ...decision,
    kind: 'review',
    at: new Date(decision.at).toISOString(),
    expiresAt: new Date(decision.expiresAt).toISOString(),
  });
