import type { Cost } from '../schemas/costs.ts';
import type { CounterCells, CounterWrite, PlannedCounter } from '../schemas/counter-cells.ts';
import type {
  EnforcementAction,
  Outcome,
  Phase,
  PolicyMode,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';
import type { SessionStatus } from '../schemas/evaluation-sessions.ts';
import type { GrantOffer, OpenGrant, UsedGrant } from '../schemas/grants.ts';
import type { ReviewTerms } from '../schemas/review-terms.ts';
import type { ReviewStatus } from '../schemas/reviews.ts';
import type { SessionContext } from '../schemas/session-context.ts';
import type { UncountedScope } from './counters.ts';
import type { NewSession, Once, ParentRefusal } from './evaluation-sessions.ts';
import type { NewEvent } from './events.ts';
import type { Idempotency } from './idempotency.ts';
import type { Page, PageRequest } from './pages.ts';
import type { OverQuota, Quotas } from './quotas.ts';
import type { SightingRows, SightingWrites } from './sightings.ts';

export interface PolicyReference {
  policyId: string;
  version: number;
}

/** By which terms a policy decides. */
export interface PolicyTerms extends PolicyReference {
  /** JSON text: values of params that the binding gives. */
  params: string;
  /** That of the binding; null leaves it to the document. */
  mode: PolicyMode | null;
  /** The shared lists that it reads, as they are then. */
  lists: readonly { name: string; id: string; version: number }[];
}

/** The policy versions that decide together; `key` is `policyId:version` of each, joined by commas, and says the same as `terms`. */
export interface PolicySetReference {
  key: string;
  members: readonly PolicyReference[];
  terms: readonly PolicyTerms[];
}

/** The review that an evaluation named, as the evaluation found it: what a replay needs of it. */
export interface NamedThen {
  id: string;
  status: ReviewStatus;
  /** Whether it is of this very action. */
  isSame: boolean;
}

/**
 * The session that evaluations under this name share while it is ACTIVE and was used after `usedAfter`; `open` is
 * opened in its place otherwise. Finding, opening and recording are one step: parallel first uses share one session.
 */
export interface NamedSession {
  name: string;
  usedAfter: number;
  open: NewSession;
}

/**
 * The newest ACTIVE session with this external id, or `open` in its place. Finding, opening and recording are one step.
 * Looks at the 100 newest of the name: one that 100 ended ones were opened after is not found.
 */
export interface JoinedSession {
  externalSessionId: string;
  /** That of the session to join; null joins any. */
  entityId: string | null;
  open: NewSession;
}

/** What its policies need for a decision, so that no more is loaded. */
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

/** What is known of an evaluation before it is decided. */
export interface NewEvaluation {
  id: string;
  integrationId: string;
  /** An existing session, one to open with this evaluation, the live one of a name or an external id, or none. */
  session: { id: string } | { open: NewSession } | NamedSession | JoinedSession | null;
  /** Whether it may open that session. */
  mayOpen: boolean;
  /** Of its integration. */
  quotas: Quotas;
  at: number;
  transport: 'REST' | 'MCP';
  phase: Phase;
  /** The action whose result this is, which must be the integration's; null in other phases. */
  resultOf: string | null;
  /** Null in other phases than RESULT. */
  resultStatus: ResultStatus | null;
  /** As the caller states it; null when it does not. */
  cost: Cost | null;
  /** How many names of tools the session keeps, and which it keeps in any case. Others count under `(other)`. */
  toolNames: { readonly most: number; readonly mentioned: ReadonlySet<string> };
  needs: EvaluationNeeds;
  /** SHA-256 of what is done to what (`Action` of approvals), the same at every call; it reads all of the input. */
  inputHash: () => string;
  /** Empty when the action names none, and for a PROMPT. For a RESULT, that of the action. */
  tool: string;
  targetKey: string | null;
  /** JSON text. */
  targetMetadata: string | null;
  correlationId: string | null;
  dataTags: readonly string[];
  /** JSON text of the detections; null when there are none. */
  detections: string | null;
  /** JSON text of what is kept of the input; null for nothing. */
  input: string | null;
  policySet: PolicySetReference;
  /** Of the policies in force that decide (`PoliciesInForce`). */
  revision: number;
  /** Other integrations whose policies decide, too: those of the session's ancestors. */
  delegators: readonly { readonly integrationId: string; readonly revision: number }[];
  /** The review whose approval this evaluation wants to use. */
  reviewRequestId: string | null;
  idempotency: Idempotency | null;
}

/** How long a review waits, and how long its approval can be used. */
export interface ReviewLife {
  expiresAt: number;
  expirySeconds: number;
}

export interface PendingReview extends ReviewLife {
  id: string;
}

/** The review that the evaluation named, with what its approval is bound to. */
export interface NamedReview extends PendingReview {
  status: ReviewStatus;
  sessionId: string | null;
  tool: string;
  inputHash: string;
  /** Of the evaluation that the review shows: what its reviewer sees. */
  violations: readonly Violation[];
  comment: string | null;
}

/** The reviews of an evaluation's integration, read inside the step that records it. */
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
  /** Whether a person has rejected this action in its session. Only known where there are `grants`. */
  wasRejected: boolean;
}

/**
 * Content of a held action that is stored beside the evaluation: what the reviewer sees until the decision, and where
 * the decision is sent until it is delivered. A null field is as the evaluation stores it.
 */
export interface HeldContent {
  /** JSON text. */
  input: string | null;
  targetKey: string | null;
  /** JSON text. */
  targetMetadata: string | null;
  /** The address itself; null when nobody is to be called. */
  callbackUrl: string | null;
}

/** What one evaluation of a held action gives its review. */
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
}

export interface NewReview extends Hold {
  inputHash: string;
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
  /** The review that the response names: the one that holds the action. */
  reviewRequestId: string | null;
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

export type RecordResult = Once<
  | { kind: 'recorded'; response: string }
  /** What decides has changed since it was loaded: load it and decide again. */
  | { kind: 'stale' }
  | { kind: 'no_session' }
  /** It would open a session, and `mayOpen` is false. */
  | { kind: 'may_not_open' }
  | OverQuota
  | { kind: 'not_active'; status: SessionStatus }
  | { kind: 'no_review' }
  | { kind: 'no_action' }
  | { kind: 'other_entity' }
  /** The session that is joined has another parent than the one that was asked for, or none. */
  | { kind: 'other_parent' }
  /** The policies of these integrations have to decide, too. */
  | { kind: 'delegated'; integrationIds: readonly string[] }
  | ParentRefusal
  | { kind: 'has_result' }
  /** Counters are younger than the record of these scopes: count that first (`catchUp`), and record again. */
  | { kind: 'uncounted'; scopes: readonly UncountedScope[] }
>;

/** What never changes of a recorded evaluation, and what its result must know. */
export interface EvaluatedAction {
  phase: Phase;
  sessionId: string | null;
  externalSessionId: string | null;
  tool: string;
  enforcementAction: EnforcementAction;
}

export interface StoredEvaluation {
  id: string;
  sessionId: string | null;
  /** Place among the actions of its session; null without a session, and for a PROMPT and a RESULT. */
  seq: number | null;
  phase: Phase;
  resultOf: string | null;
  resultStatus: ResultStatus | null;
  cost: Cost | null;
  tool: string;
  targetKey: string | null;
  targetMetadata: string | null;
  correlationId: string | null;
  outcome: Outcome;
  enforcementAction: EnforcementAction;
  severity: Severity | null;
  violations: Violation[];
  dataTags: string[];
  /** That its rules gave the session. */
  labels: string[];
  /** JSON text. */
  detections: string;
  reviewRequestId: string | null;
  /** JSON text. */
  input: string | null;
  policies: PolicyReference[];
  createdAt: number;
}

export interface WholeEvaluation extends StoredEvaluation {
  integrationId: string;
  /** That let it through. */
  grants: readonly UsedGrant[];
}

/** In a list, wide texts are left out. */
export interface ListedEvaluation extends StoredEvaluation {
  /** Names of the fields that have more bytes than were asked for, and so stand for nothing here. */
  omitted: string[];
}

export interface RecordedEvaluation extends ListedEvaluation {
  integrationId: string;
}

/** What evaluations are searched by; all of what is given must hold. */
export interface EvaluationFilter {
  /** Made from this time on. */
  from?: number;
  /** Made before this time. */
  to?: number;
  integrationId?: string;
  tool?: string;
  enforcementAction?: EnforcementAction;
  /** The id of a rule that reported a violation. */
  ruleId?: string;
  /** Detected in this evaluation. */
  dataTag?: string;
  /** Of its session. */
  entityId?: string;
  correlationId?: string;
  /** Recorded before the evaluation with this id. */
  before?: string;
}

export interface EvaluationSearch {
  items: RecordedEvaluation[];
  /** How many match; those found so far when `isWhole` is false. */
  total: number;
  isWhole: boolean;
  /** The id to go on from, as `before`; null when there are no more. */
  next: string | null;
}

export interface EvaluationStore {
  /**
   * Reads the session's context, calls `decide`, and records the evaluation with all it changes, as one step: no other
   * evaluation of that session, or that counts in a scope of its counters, comes between. `settle` (record-evaluation.ts) says what is recorded. `decide` must be pure
   * and may be called again when a step is repeated. The
   * context changes with the next evaluation: it must not be kept.
   * Nothing is recorded unless the result is `recorded`. A PROMPT or RESULT adds data tags to its session and counts
   * as nothing. Of several results of one action, one is recorded and the others are `has_result`.
   */
  record(
    evaluation: NewEvaluation,
    decide: (
      context: SessionContext,
      reviews: ActionReviews,
      counters: CounterCells,
      sightings: SightingRows | null,
    ) => Verdict,
  ): Promise<RecordResult>;

  /** With all of its content. Null when there is none; `integrationId` null finds any integration's. */
  find(integrationId: string | null, id: string): Promise<WholeEvaluation | null>;

  /** Null when the integration has no such evaluation. */
  findAction(integrationId: string, id: string): Promise<EvaluatedAction | null>;

  /** Newest first; null when the integration has no such session. `integrationId` null reads any integration's. */
  listInSession(
    integrationId: string | null,
    sessionId: string,
    page: PageRequest,
    /** Wider texts are left out without being read. */
    mostBytes: number,
  ): Promise<Page<ListedEvaluation> | null>;

  /**
   * Of all integrations, in the order they were recorded: the next `limit` after one, or the last `limit` when `after`
   * is null. Null when there is no such evaluation to come after.
   */
  listRecorded(after: string | null, limit: number, mostBytes: number): Promise<RecordedEvaluation[] | null>;

  /**
   * Of all integrations, newest first. Null when `before` names none. A search that would hold up others is cut short, and
   * says where to go on.
   */
  search(filter: EvaluationFilter, page: PageRequest, mostBytes: number): Promise<EvaluationSearch | null>;

  /**
   * Deletes the content (`input`, `targetMetadata`) of some of the oldest evaluations made before `before` that still
   * have it, few enough not to hold up others; what was decided and why stays. False when none is left.
   */
  forgetContent(before: number): Promise<boolean>;
}
