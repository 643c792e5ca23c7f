import type { RecordedDecision } from '../record/review-entry.ts';
import type { Violation } from '../schemas/decisions.ts';
import type { GrantOffer, ReviewTerms } from '../schemas/review-terms.ts';
import {
  type ReviewDecision,
  reviewStatusAt,
  type StoredApproval,
  type StoredReview,
  type WrittenReviewStatus,
} from './reviews.ts';
import { parseList } from './rows.ts';

/** The columns of a review that every backend reads. */
interface ReviewFields
  extends WrittenReviewStatus,
    Omit<
      StoredReview,
      | keyof WrittenReviewStatus
      | 'cost'
      | 'identity'
      | 'violations'
      | 'dataTags'
      | 'whole'
      | 'terms'
      | 'grants'
      | 'approvals'
      | 'callback'
    > {
  /** JSON; null for none. */
  cost: string | null;
  /** JSON text (`VerifiedIdentity`); null for none. */
  identity: string | null;
  /** JSON lists; null for an empty one. */
  violations: string | null;
  dataTags: string | null;
  /** JSON: `ReviewTerms`. */
  terms: string;
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
  /** JSON: `GrantOffer`. */
  offer: string;
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
  identity: found.identity === null ? null : (JSON.parse(found.identity) as StoredReview['identity']),
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

const termsOf = ({ terms }: Pick<ReviewFields, 'terms'>): ReviewTerms => JSON.parse(terms) as ReviewTerms;

/** The grants that its approval would give. */
const offersOf = ({ offers }: Pick<ReviewFields, 'offers'>): GrantOffer[] => parseList(offers);

/** While nobody has decided, the grants that the approval would give; then the grants that it gave. */
function grantsOf(found: ReviewFields): StoredReview['grants'] {
  if (found.status === 'PENDING')
    return offersOf(found).map((offer) => ({ ...offer, usedCount: 0, expiresAt: null }));
  return (JSON.parse(found.granted) as Granted[]).map(({ offer, ...grant }) => ({
    ...(JSON.parse(offer) as GrantOffer),
    ...grant,
  }));
}

const callbackOf = ({ attemptCount, nextAttemptAt, deliveredAt, lastError }: ReviewFields) =>
  attemptCount === null ? null : { attemptCount, nextAttemptAt, deliveredAt, lastError };

/** An operator's approval of a review. */
export interface GivenApproval {
  readonly operatorId: string;
  /** The entity of the operator now: two operators with one entity are one person. */
  readonly entityId: string | null;
  /** The groups of the operator then. */
  readonly groups: readonly string[];
  /** The findings that the operator saw: `findingsOf` the review then. */
  readonly findings: string;
  /** Whether the decision is for this action alone, without the grants. */
  readonly once: boolean;
}

/** The findings that hold an action, as a text: approvals of different findings do not count together. */
const findingsHolding = (violations: readonly Violation[]): string =>
  JSON.stringify(
    violations
      .filter(
        ({ mode, enforcementAction }) => mode === 'ENFORCE' && enforcementAction === 'APPROVAL_REQUIRED',
      )
      .map(({ policyId, policyVersion, ruleId, reason, severity }) =>
        [policyId, policyVersion, ruleId, reason, severity].join(' '),
      )
      .sort(),
  );

/** Counts one more approval; pure, for every backend. */
function withApproval(
  { requires }: ReviewTerms,
  given: readonly GivenApproval[],
  one: GivenApproval,
): 'approved' | 'approved_once' | 'more_needed' | 'not_in_group' | 'already_approved' {
  const fits = (from: readonly string[], { groups }: GivenApproval): boolean =>
    from.length === 0 || groups.some((group) => from.includes(group));
  if (!requires.some(({ from }) => fits(from, one))) return 'not_in_group';
  const valid = given.filter(({ findings }) => findings === one.findings);
  const isSamePerson = ({ operatorId, entityId }: GivenApproval): boolean =>
    operatorId === one.operatorId || (entityId !== null && entityId === one.entityId);
  if (valid.some(isSamePerson)) return 'already_approved';
  const all = [...valid, one];
  const isMet = requires.every(({ quorum, from }) => all.filter((each) => fits(from, each)).length >= quorum);
  if (!isMet) return 'more_needed';
  return all.some(({ once }) => once) ? 'approved_once' : 'approved';
}

// The effects of a decision about a review, for every backend. Pure: a store loads, calls `settleDecision`, and applies the result,
// all in one step.

export interface LoadedReview extends ReviewFields {
  expirySeconds: number;
  /** Null without a session. */
  sessionExpiresAt: number | null;
}

type RefusedDecision =
  | 'other_evaluation'
  | 'own_request'
  | 'not_in_group'
  | 'already_approved'
  | { notPending: StoredReview };

export type SettledDecision =
  | { kind: 'refused'; result: RefusedDecision }
  | {
      kind: 'kept' | 'decided';
      /** To keep in place of one that the operator gave before; null for a rejection. */
      approval: GivenApproval | null;
      /** The entry of the record, without what a rejection takes back; its `expiresAt` is when the review ends from now on. */
      entry: RecordedDecision;
      /** The grants of the approval from now on; for a rejection, those that are taken back. */
      offers: readonly GrantOffer[];
    };

/** Whether it matters that who decides may have requested the action. */
export const asksForRequester = (
  review: Pick<ReviewFields, 'terms'>,
  { status, requester, fourEyes }: ReviewDecision,
): boolean => status === 'APPROVED' && !!requester && (!!fourEyes || termsOf(review).notRequester);

export function settleDecision(
  review: LoadedReview,
  given: readonly GivenApproval[],
  mayHaveRequested: boolean,
  decision: ReviewDecision,
): SettledDecision {
  const { status, decidedBy, comment, now, groups = [], once = false } = decision;
  const refused = (result: RefusedDecision): SettledDecision => ({ kind: 'refused', result });
  if (reviewStatusAt(review, now) !== 'PENDING') return refused({ notPending: toStoredReview(review, now) });
  const seen = decision.evaluationRunId?.toLowerCase() ?? review.evaluationRunId;
  if (seen !== review.evaluationRunId) return refused('other_evaluation');
  const entry = { id: review.id, at: now, evaluationId: review.evaluationRunId, decidedBy, comment };
  const expiresAt = Math.min(
    now + review.expirySeconds * 1_000,
    review.sessionExpiresAt ?? Number.POSITIVE_INFINITY,
  );
  const offers = offersOf(review);
  if (status === 'REJECTED')
    return { kind: 'decided', approval: null, entry: { ...entry, status, expiresAt }, offers };
  if (mayHaveRequested && asksForRequester(review, decision)) return refused('own_request');
  const { violations } = toStoredReview(review, now);
  const entityId = decision.requester?.entityId ?? null;
  const approval = { operatorId: decidedBy, entityId, groups, findings: findingsHolding(violations), once };
  const result = withApproval(termsOf(review), given, approval);
  if (result === 'not_in_group' || result === 'already_approved') return refused(result);
  if (result === 'more_needed') {
    const part = { ...entry, status: 'APPROVED_IN_PART' as const, expiresAt: review.expiresAt };
    return { kind: 'kept', approval, entry: part, offers: [] };
  }
  const granted = result === 'approved_once' || review.sessionId === null ? [] : offers;
  return {
    kind: 'decided',
    approval,
    entry: { ...entry, status, expiresAt, grants: granted },
    offers: granted,
  };
}

/** The entry of the record. Nobody decided. */
export const cancellationEntry = (
  { id, evaluationRunId, expiresAt }: Pick<StoredReview, 'id' | 'evaluationRunId' | 'expiresAt'>,
  at: number,
): RecordedDecision => ({
  id,
  at,
  status: 'CANCELLED',
  evaluationId: evaluationRunId,
  decidedBy: '',
  comment: null,
  expiresAt,
});
