import type { NewEvent } from '../features/events/store.ts';
import type { ReviewStatus } from '../features/reviews/schema.ts';
import type { CounterWrite, PlannedCounter } from '../schemas/counter-cells.ts';
import type {
  EnforcementAction,
  Outcome,
  Phase,
  PolicyMode,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';
import type { VerifiedIdentity } from '../schemas/identities.ts';
import type { GrantOffer, OpenGrant, ReviewTerms } from '../schemas/review-terms.ts';
import type { Cost } from '../schemas/values.ts';
import type { Idempotency } from './idempotency.ts';
import type { FullQueue, Quotas, ReviewLimits } from './quotas.ts';
import type { NewSession } from './session-places.ts';
import type { SightingWrites } from './sightings.ts';

export interface PolicyReference {
  policyId: string;
  version: number;
}

export interface PolicyTerms extends PolicyReference {
  /** JSON text: values of params that the binding gives. */
  params: string;
  /** The mode of the binding; null leaves it to the document. */
  mode: PolicyMode | null;
  /** The shared lists that it reads, as they are then. */
  lists: readonly { name: string; id: string; version: number }[];
  /** Where the policies of several integrations decide: those that it decides for. */
  by?: readonly string[];
}

export interface PolicySetReference {
  key: string;
  members: readonly PolicyReference[];
  terms: readonly PolicyTerms[];
}

export interface NamedThen {
  id: string;
  status: ReviewStatus;
  /** Whether it is of this very action. */
  isSame: boolean;
}

export interface NamedSession {
  name: string;
  usedAfter: number;
  open: NewSession;
}

export interface JoinedSession {
  externalSessionId: string;
  /** The entity of the session to join; null joins any. */
  entityId: string | null;
  open: NewSession;
}

export interface EvaluationNeeds {
  /** Whether a rule can read `recentActions`. */
  readonly recentActions: boolean;
  /** Whether an action can be held: only then is its PENDING review loaded. */
  readonly pendingReview: boolean;
  /** The counters of its policies, each once; null when they have none and read no `repeats`. */
  readonly counters: readonly PlannedCounter[] | null;
  /** Whether a rule asks where a value was seen: only then is that kept. */
  readonly sightings: boolean;
  /** Whether a rule can read how often the action was attempted before. */
  readonly repeats: boolean;
}

/** A digest of content, and the salt that it was made with: that of the row in which the content is kept. */
export interface SaltedDigest {
  salt: string;
  digest: string;
}

export interface NewEvaluation {
  id: string;
  integrationId: string;
  /** An existing session, one to open with this evaluation, the live one of a name or an external id, or none. */
  session: { id: string } | { open: NewSession } | NamedSession | JoinedSession | null;
  /** Whether it may open that session. */
  mayOpen: boolean;
  /** The limits of its integration. */
  quotas: Quotas;
  reviewLimits: ReviewLimits;
  at: number;
  /** It is only decided: nothing of it is written. */
  previews?: boolean;
  transport: 'REST' | 'MCP';
  phase: Phase;
  /** The action whose result this is, which must be the integration's; null in other phases. */
  resultOf: string | null;
  /** The labels that rules gave to the action of a RESULT: values that it returned carry them as well. Empty in other phases. */
  actionLabels: readonly string[];
  /** Null in other phases than RESULT. */
  resultStatus: ResultStatus | null;
  /** As the caller states it; null when it does not. */
  cost: Cost | null;
  /** Whom its token proved; null when it had none. */
  identity: VerifiedIdentity | null;
  /** The entity that stands for the identity: its session must be about it. Null without an identity. */
  provenEntityId: string | null;
  /** How many names of tools the session keeps, and which it keeps in any case. Others count under `(other)`. */
  toolNames: { readonly most: number; readonly mentioned: ReadonlySet<string> };
  needs: EvaluationNeeds;
  /** The salt of the installation (`Store.salt`). */
  salt: string;
  /** SHA-256 of what is done to what, the same at every call; it reads all of the input, and must not be stored. */
  contentHash: () => string;
  /** The same with its cost, salted: what an approval is bound to (`Action` of approvals). */
  inputHash: () => string;
  /** Whatever its cost and its spelling, salted: what a rejection is bound to. */
  rejectionHash: () => string;
  /** Empty when the action names none, and for a PROMPT. For a RESULT, that of the action. */
  tool: string;
  targetKey: string | null;
  /** JSON text. */
  targetMetadata: string | null;
  correlationId: string | null;
  /** Id of the W3C trace that the request was part of; null when it named none. */
  traceId: string | null;
  dataTags: readonly string[];
  /** Canonical JSON text of the detections; null when there are none. */
  detections: string | null;
  /** JSON text of what is kept of the input; null for nothing. */
  input: string | null;
  /** The digest of `input`, for the record; null when it is still to be made. */
  inputDigest?: SaltedDigest | null;
  policySet: PolicySetReference;
  /** Revision of the policies in force that decide (`PoliciesInForce`). */
  revision: number;
  /** Other integrations whose policies decide, too: those of the session's ancestors. */
  delegators: readonly { readonly integrationId: string; readonly revision: number }[];
  /** The review whose approval this evaluation wants to use. */
  reviewRequestId: string | null;
  idempotency: Idempotency | null;
}

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
  /** Violations of the evaluation that the review shows, as its reviewer sees them. */
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
  /** The grants that its approval gives. */
  grants: readonly GrantOffer[];
  /** JSON text: what counters count when it is rejected (`RejectionCount`); null for nothing. */
  rejectionCounts: string | null;
}

export interface NewReview extends Hold {
  inputHash: string;
  /** The hash that a rejection is bound to. */
  rejectionHash: string;
}

export interface Verdict {
  outcome: Outcome;
  enforcementAction: EnforcementAction;
  severity: Severity | null;
  enforcedSeverity: Severity | null;
  violations: readonly Violation[];
  /** Labels that the session carries from now on; empty when the evaluation is not let through. */
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
  /** Events to append; none for an action that is only allowed. */
  events: readonly NewEvent[];
  /** Changes to the cells of counters. */
  counterWrites: readonly CounterWrite[];
  /** Changes to the sightings of the identifiers in it. */
  sightings: SightingWrites;
  /** JSON text of the response; kept beside the idempotency key. */
  response: string;
  /** Microseconds from the beginning of the evaluation to this verdict; null when they were not measured. */
  tookUs: number | null;
}
