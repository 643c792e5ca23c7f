import type { Severity } from '../schemas/decisions.ts';
import type { GrantOffer } from '../schemas/grants.ts';
import { plainTerms, type ReviewTerms } from '../schemas/review-terms.ts';
import { parseList } from './parse-list.ts';
import { reviewStatusAt, type WrittenReviewStatus } from './review-status.ts';
import type { StoredApproval, StoredReview } from './reviews.ts';

/** What every backend reads of a review. */
export interface ReviewFields extends WrittenReviewStatus {
  id: string;
  integrationId: string;
  sessionId: string | null;
  evaluationRunId: string;
  tool: string;
  inputHash: string;
  shownTool: StoredReview['shownTool'];
  targetKey: string | null;
  targetMetadata: string | null;
  correlationId: string | null;
  /** JSON; null for none. */
  cost: string | null;
  severity: Severity | null;
  /** JSON lists; null for an empty one. */
  violations: string | null;
  dataTags: string | null;
  input: string | null;
  decidedBy: string | null;
  decidedByName: string | null;
  comment: string | null;
  reason: string | null;
  assignee: string | null;
  assigneeName: string | null;
  assignedAt: number | null;
  seenAt: number | null;
  createdAt: number;
  decidedAt: number | null;
  consumedAt: number | null;
  callbackUrl: string | null;
  /** JSON: `ReviewTerms`; null for one approval of anybody. */
  terms: string | null;
  /** JSON list of `StoredApproval`. */
  approvals: string;
  /** JSON list of `GrantOffer`; null for none. */
  offers: string | null;
  /** JSON list of `Granted`. */
  granted: string;
  /** Null when there is no callback. */
  attemptCount: number | null;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  lastError: string | null;
}

interface Granted {
  usedCount: number;
  expiresAt: number | null;
  offer: GrantOffer;
}

/** Spelled out: copying an object by its rest costs as much as reading the row. */
export const toStoredReview = (found: ReviewFields, now: number): StoredReview => ({
  id: found.id,
  status: reviewStatusAt(found, now),
  integrationId: found.integrationId,
  sessionId: found.sessionId,
  evaluationRunId: found.evaluationRunId,
  tool: found.tool,
  inputHash: found.inputHash,
  shownTool: found.shownTool,
  targetKey: found.targetKey,
  targetMetadata: found.targetMetadata,
  correlationId: found.correlationId,
  cost: found.cost === null ? null : (JSON.parse(found.cost) as StoredReview['cost']),
  severity: found.severity,
  violations: parseList(found.violations),
  dataTags: parseList(found.dataTags),
  input: found.input,
  whole: null,
  terms: termsOf(found),
  grants: grantsOf(found),
  approvals: JSON.parse(found.approvals) as StoredApproval[],
  decidedBy: found.decidedBy,
  decidedByName: found.decidedByName,
  comment: found.comment,
  reason: found.reason,
  assignee: found.assignee,
  assigneeName: found.assigneeName,
  assignedAt: found.assignedAt,
  seenAt: found.seenAt,
  createdAt: found.createdAt,
  expiresAt: found.expiresAt,
  decidedAt: found.decidedAt,
  consumedAt: found.consumedAt,
  callbackUrl: found.callbackUrl,
  callback: callbackOf(found),
});

export const termsOf = ({ terms }: Pick<ReviewFields, 'terms'>): ReviewTerms =>
  terms === null ? plainTerms : (JSON.parse(terms) as ReviewTerms);

/** What its approval would grant. */
export const offersOf = ({ offers }: Pick<ReviewFields, 'offers'>): GrantOffer[] => parseList(offers);

/** What the approval would grant, while nobody has decided; then what it has granted. */
function grantsOf(found: ReviewFields): StoredReview['grants'] {
  if (found.status === 'PENDING')
    return offersOf(found).map((offer) => ({ ...offer, usedCount: 0, expiresAt: null }));
  return (JSON.parse(found.granted) as Granted[]).map(({ offer, ...grant }) => ({ ...offer, ...grant }));
}

const callbackOf = ({ attemptCount, nextAttemptAt, deliveredAt, lastError }: ReviewFields) =>
  attemptCount === null ? null : { attemptCount, nextAttemptAt, deliveredAt, lastError };
