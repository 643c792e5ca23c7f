import type { CounterWrite } from '../schemas/counter-cells.ts';
import type { EnforcementAction, Outcome, Severity, Violation } from '../schemas/decisions.ts';
import type { GrantOffer, OpenGrant } from '../schemas/grants.ts';
import type { ReviewTerms } from '../schemas/review-terms.ts';
import type { ReviewStatus } from '../schemas/reviews.ts';
import type { NewEvent } from './events.ts';
import type { SightingWrites } from './sightings.ts';

export interface ReviewLife {
  expiresAt: number;
  expirySeconds: number;
  /** See `WrittenReviewStatus`. */
  endsWithSession: boolean | number;
}

export interface PendingReview extends ReviewLife {
  id: string;
}

export interface NamedReview extends PendingReview {
  status: ReviewStatus;
  sessionId: string | null;
  tool: string;
  inputHash: string;
  /** Of the evaluation that the review shows: what its reviewer sees. */
  violations: readonly Violation[];
  comment: string | null;
  decidedAt: number | null;
}

/** A person's decision against an exact action (`rejectionHash`). */
export interface Rejection {
  reviewRequestId: string;
  comment: string | null;
  decidedAt: number;
}

/** Why no further review is opened. */
export interface FullQueue {
  /** Whose PENDING reviews are as many as may be. */
  scope: 'session' | 'integration';
  limit: number;
}

export interface ActionReviews {
  /** The one that the evaluation names; null when it names none. */
  named: NamedReview | null;
  /**
   * The newest PENDING review of this action: the evaluation's session, tool and `inputHash`. Null when there is none, or
   * the evaluation does not need it.
   */
  pending: PendingReview | null;
  /** The grants of the session that can be used; empty when the evaluation cannot be held. The first given first. */
  grants: readonly OpenGrant[];
  /** When the session of the action expires: no review lasts longer. Null without one. */
  sessionExpiresAt: number | null;
  /** The last rejection of this action in its session or another one of the tree; null when there is none. */
  rejection: Rejection | null;
  /** Why no review can be opened; null when one can. Counts when it is called. */
  findFullQueue(): FullQueue | null;
}

export interface HeldContent {
  /** JSON text. */
  input: string | null;
  targetKey: string | null;
  /** JSON text. */
  targetMetadata: string | null;
  /** The address itself; null when nobody is to be called. */
  callbackUrl: string | null;
  /** Whether detected values are masked in it: operators must not see more while the review is PENDING. */
  isMasked: boolean;
}

export interface Hold extends ReviewLife {
  id: string;
  /** As reads show it; null when the evaluation names none. */
  callbackUrl: string | null;
  /** The name of the tool as events show it; empty for none. */
  shownTool: string;
  content: HeldContent;
  terms: ReviewTerms;
  /** What its approval grants. */
  grants: readonly GrantOffer[];
  /** JSON text: what counters count when it is rejected (`RejectionCount`); null for nothing. */
  rejectionCounts: string | null;
}

export interface NewReview extends Hold {
  inputHash: string;
  /** What a rejection is bound to. */
  rejectionHash: string;
}

export interface Verdict {
  outcome: Outcome;
  enforcementAction: EnforcementAction;
  severity: Severity | null;
  enforcedSeverity: Severity | null;
  violations: readonly Violation[];
  /** That the session carries from now on; empty when the evaluation is not let through. */
  labels: readonly string[];
  /** The same, for policies in mode MONITOR only. */
  monitoredLabels: readonly string[];
  /** How often the action was attempted before; null when no policy asks. */
  repeats: number | null;
  /** The review to open, when the action is held and has no PENDING one. */
  review: NewReview | null;
  /**
   * The PENDING review that holds the same action already: from now on it shows this evaluation. It keeps its callback
   * when this evaluation names none.
   */
  heldAgain: Hold | null;
  /** True when the named review is used up by this evaluation. */
  consumesReview: boolean;
  /** The ids of the grants that let the action through. */
  usesGrants: readonly string[];
  /** The review that the response names: the one that holds the action, or by which a person rejected it. */
  reviewRequestId: string | null;
  /** Why it is blocked in place of opening a review; null for everything else. */
  fullQueue: FullQueue | null;
  /** What is told of it; nothing for an action that is allowed and does no more. */
  events: readonly NewEvent[];
  /** What the counters keep from now on. */
  counterWrites: readonly CounterWrite[];
  /** What is kept of the identifiers in it. */
  sightings: SightingWrites;
  /** JSON text of the response; kept beside the idempotency key. */
  response: string;
  /** Microseconds from the beginning of the evaluation to this verdict; null when they were not measured. */
  tookUs: number | null;
}
