import type { NewEvent } from '../features/events/store.ts';
import type { ReviewStatus } from '../features/reviews/schema.ts';
import type { CounterCells, CounterWrite } from '../schemas/counter-cells.ts';
import type { Severity, Violation } from '../schemas/decisions.ts';
import type { VerifiedIdentity } from '../schemas/identities.ts';
import type { GrantOffer, OpenGrant, ReviewTerms } from '../schemas/review-terms.ts';
import type { Cost } from '../schemas/values.ts';
import type { Page, PageRequest } from './pages.ts';

export interface StoredCallback {
  attemptCount: number;
  /** Null once delivered or given up. */
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  lastError: string | null;
}

export interface StoredReview {
  id: string;
  /** As of the moment that was asked for: EXPIRED is derived from the clock, never written. */
  status: ReviewStatus;
  integrationId: string;
  sessionId: string | null;
  evaluationRunId: string;
  tool: string;
  /** The `inputHash` of `NewEvaluation`: its approval is bound to it. */
  inputHash: string;
  /** The name of the tool as events show it, empty for none. */
  shownTool: string;
  targetKey: string | null;
  /** JSON text. */
  targetMetadata: string | null;
  correlationId: string | null;
  /** The cost of the evaluation that it shows. */
  cost: Cost | null;
  /** Whom the token of the action proved. */
  identity: VerifiedIdentity | null;
  severity: Severity | null;
  violations: Violation[];
  dataTags: string[];
  /** JSON text of what is kept of the input. */
  input: string | null;
  /** The content that operators see in place of the fields above. Only on the read of one review, and while it is PENDING. */
  whole: WholeContent | null;
  terms: ReviewTerms;
  /** The grants that its approval would give while it is PENDING; then those that it has given. */
  grants: readonly StoredGrant[];
  /** Oldest first. */
  approvals: readonly StoredApproval[];
  /** The id of the operator who decided. */
  decidedBy: string | null;
  /** Null for an id that no operator has. */
  decidedByName: string | null;
  comment: string | null;
  /** The preset reason of the decision. */
  reason: string | null;
  /** The id of the operator who claimed it. */
  assignee: string | null;
  assigneeName: string | null;
  assignedAt: number | null;
  /** When somebody who may decide it read it first. */
  seenAt: number | null;
  createdAt: number;
  expiresAt: number;
  decidedAt: number | null;
  consumedAt: number | null;
  /** As reads show it. */
  callbackUrl: string | null;
  callback: StoredCallback | null;
}

export interface StoredApproval {
  operatorId: string;
  /** Null for an id that no operator has. */
  operatorName: string | null;
  comment: string | null;
  createdAt: number;
}

export interface WholeContent extends Pick<StoredReview, 'input' | 'targetKey' | 'targetMetadata'> {
  /** Whether detected values are masked in it: then no operator may see more of the action. */
  isMasked: boolean;
}

/** In a list, wide texts are left out. */
export interface ListedReview extends StoredReview {
  /** Names of the fields that were left out. */
  omitted: string[];
}

export interface ReviewFilter {
  status?: ReviewStatus;
  sessionId?: string;
  integrationId?: string;
  tool?: string;
  severity?: Severity;
  /** The id of an operator; null for those that nobody claimed. */
  assignee?: string | null;
  /** First held from this time on. */
  from?: number;
  /** First held before this time. */
  to?: number;
}

export interface ReviewDecision {
  status: 'APPROVED' | 'REJECTED';
  /** The id of the operator who decided. */
  decidedBy: string;
  /** The groups of the operator who decided. */
  groups?: readonly string[];
  /** Who decides, as a requester; null for who can be none. */
  requester?: Requester | null;
  comment: string | null;
  /** Approves this action alone, without the grants. Of several approvals, one such is enough. */
  once?: boolean;
  /** One of the preset reasons. */
  reason?: string | null;
  /** The evaluation that the operator saw; null when they do not say. */
  evaluationRunId?: string | null;
  /** Whether an approval is refused when they may have requested the action, whatever the terms of the review say. */
  fourEyes?: boolean;
  now: number;
}

export type CountRejection = (
  rejectionCounts: string,
  cells: CounterCells,
  at: number,
) => readonly CounterWrite[];

/** Who may have requested an action: has seen a key of its integration, or is the entity of its session. */
export interface Requester {
  /** The ids of all operators that are this person. */
  operatorIds: readonly string[];
  entityId: string | null;
}

/** The event and callback of a review that nobody can decide any more, because its session is over. Pure. */
export interface ReviewCancelling {
  event(cancelled: StoredReview): NewEvent;
  /** To post to its `callbackUrl`. */
  callback(cancelled: StoredReview): { id: string; body: string };
}

export interface ReviewStore {
  /** `integrationId` null asks for any integration's (an operator's right). */
  find(integrationId: string | null, id: string, now: number): Promise<StoredReview | null>;
  /** Newest first. `total` is counted up to `mostCounted`. */
  list(
    filter: ReviewFilter,
    page: PageRequest,
    now: number,
    /** Wider texts are left out without being read. */
    mostBytes: number,
  ): Promise<Page<ListedReview>>;

  /** The refusal that `decide` would answer with because of who decides; null when it would not, or the review is not PENDING. */
  refusalOf(
    id: string,
    decision: ReviewDecision,
  ): Promise<'own_request' | 'not_in_group' | 'already_approved' | null>;
  /**
   * Decides a review that is PENDING at `now`; of two racing decisions one succeeds. An approval may be used for as
   * long again as the review could wait. When the review has a `callbackUrl`, the callback is written in the same step
   * with the body that `callback` makes, which must be pure. What was stored for the reviewer alone is deleted. 'other_evaluation': the review
   * shows another evaluation than the one that the operator saw. An approval that is not enough by the terms of the review is
   * kept, and the review stays PENDING. Kept approvals of operators who are not ACTIVE now do not count. The approval that is
   * enough gives the grants; a rejection takes back those of the session that would have let this action pass. `notPending` is
   * the review as it stands. A rejection counts in its session, and in the counters that `count` writes for the `rejectionCounts`
   * of the hold; it must be pure.
   */
  decide(
    id: string,
    decision: ReviewDecision,
    callback: (decided: StoredReview) => { id: string; body: string },
    more?: { event?: (decided: StoredReview) => NewEvent; count?: CountRejection },
  ): Promise<
    | StoredReview
    | 'no_review'
    | 'other_evaluation'
    | 'own_request'
    | 'not_in_group'
    | 'already_approved'
    | { notPending: StoredReview }
  >;

  /**
   * Deletes what was stored for the reviewers of reviews that have expired undecided at `now`, and writes an event for each,
   * once. Those whose session has expired with them are cancelled.
   */
  forgetExpired(
    now: number,
    event?: (expired: StoredReview) => NewEvent,
    cancelling?: ReviewCancelling,
  ): Promise<void>;
}

/** The status of a review as it is written; EXPIRED is derived from the clock, and so is CANCELLED when its session expires. */
export interface WrittenReviewStatus {
  status: Exclude<ReviewStatus, 'EXPIRED'>;
  /** Never later than that of its session. */
  expiresAt: number;
  /** Whether `expiresAt` is that of its session. SQLite has 1 and 0. */
  endsWithSession: boolean | number;
}

/** An undecided review and an unused approval both end with `expiresAt`, which itself is already too late. */
export function reviewStatusAt(
  { status, expiresAt, endsWithSession }: WrittenReviewStatus,
  now: number,
): ReviewStatus {
  if ((status !== 'PENDING' && status !== 'APPROVED') || expiresAt > now) return status;
  return status === 'PENDING' && endsWithSession ? 'CANCELLED' : 'EXPIRED';
}

export interface StoredReviewComment {
  id: string;
  /** The id of an operator. */
  author: string;
  /** Null for an id that no operator has. */
  authorName: string | null;
  text: string;
  createdAt: number;
}

/** Counts of the newest reviews of a time. Times are in milliseconds. */
export interface ReviewStats {
  /** How many reviews were looked at: at most `most`. */
  reviewCount: number;
  pendingCount: number;
  approvedCount: number;
  rejectedCount: number;
  /** Nobody decided before its session was over. */
  cancelledCount: number;
  /** Nobody decided in time. */
  expiredCount: number;
  /** How many of these no operator who may decide had read. */
  expiredUnseenCount: number;
  /** Each from the first hold to the decision, in no order. */
  decisionTimesMs: number[];
}

export type QueueEvent = (review: StoredReview) => NewEvent;
export type Queued = StoredReview | 'no_review' | { notPending: StoredReview } | { assignedTo: StoredReview };

/** The changes that operators make to a PENDING review before they decide it. Each change is one step, with its event. */
export interface ReviewQueueStore {
  /** Refused when it is assigned to another operator; again by the same one changes nothing. */
  claim(id: string, operatorId: string, now: number, event: QueueEvent): Promise<Queued>;
  /** Refused when it is assigned to another operator, unless `anybodys`. */
  release(
    id: string,
    by: { operatorId: string; anybodys: boolean },
    now: number,
    event: QueueEvent,
  ): Promise<Queued>;
  /** Comments on a review in any state. */
  comment(
    id: string,
    comment: { id: string; author: string; text: string; createdAt: number },
    event: QueueEvent,
  ): Promise<StoredReview | 'no_review'>;
  /** Oldest first; null when there is no such review. */
  listComments(id: string, page: PageRequest): Promise<Page<StoredReviewComment> | null>;
  /**
   * Puts off the expiry by `ms`, at most until `longestMs` after its first hold ('too_long') and the expiry of its session
   * ('outlasts_session'). It is announced anew.
   */
  extend(
    id: string,
    by: { ms: number; longestMs: number },
    now: number,
    event: QueueEvent,
  ): Promise<Queued | 'too_long' | 'outlasts_session'>;
  /** Keeps when somebody who may decide it read it first. */
  recordSeen(id: string, now: number): Promise<void>;
  /**
   * Writes an event, once, for each PENDING review that expires within `withinMs`, or within half of its life where that is
   * shorter.
   */
  remindExpiring(now: number, withinMs: number, event: QueueEvent): Promise<void>;
  /** Statistics of the newest `most` reviews that were opened from `from` on. `integrationId` null: of all. */
  stats(integrationId: string | null, from: number, now: number, most: number): Promise<ReviewStats>;
}

/** A grant as its review shows it. */
export interface StoredGrant extends GrantOffer {
  usedCount: number;
  /** Milliseconds since 1970; null for as long as the session. */
  expiresAt: number | null;
}

interface GrantRow extends Omit<OpenGrant, 'dataTags' | 'key' | 'policyId' | 'ruleId' | 'severity'> {
  /** JSON: `GrantOffer`. */
  offer: string;
  /** JSON list. */
  dataTags: string;
}

/** A grant that may still be used, from its row. */
export function toOpenGrant<Row extends GrantRow>({ offer, dataTags, ...row }: Row) {
  const { key, policyId, ruleId, severity } = JSON.parse(offer) as GrantOffer;
  return { ...row, key, policyId, ruleId, severity, dataTags: JSON.parse(dataTags) as string[] };
}

/** A grant that let an evaluation through, from its row. */
export function toUsedGrant<Row extends { offer: string }>({ offer, ...row }: Row) {
  const { policyId, ruleId } = JSON.parse(offer) as GrantOffer;
  return { ...row, policyId, ruleId };
}

/** Whether a grant can be used then. */
export const isOpenAt =
  (at: number) =>
  ({ usesLeft, expiresAt }: Pick<OpenGrant, 'usesLeft' | 'expiresAt'>): boolean =>
    usesLeft !== 0 && (expiresAt === null || expiresAt > at);
