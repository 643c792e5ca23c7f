import type { Cost } from '../schemas/costs.ts';
import type { PlannedCounter } from '../schemas/counter-cells.ts';
import type { Phase, PolicyMode, ResultStatus } from '../schemas/decisions.ts';
import type { ReviewStatus } from '../schemas/reviews.ts';
import type { NewSession } from './evaluation-sessions.ts';
import type { Idempotency } from './idempotency.ts';
import type { Quotas, ReviewLimits } from './quotas.ts';

export interface PolicyReference {
  policyId: string;
  version: number;
}

export interface PolicyTerms extends PolicyReference {
  /** JSON text: values of params that the binding gives. */
  params: string;
  /** That of the binding; null leaves it to the document. */
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
  /** That of the session to join; null joins any. */
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

export interface NewEvaluation {
  id: string;
  integrationId: string;
  /** An existing session, one to open with this evaluation, the live one of a name or an external id, or none. */
  session: { id: string } | { open: NewSession } | NamedSession | JoinedSession | null;
  /** Whether it may open that session. */
  mayOpen: boolean;
  /** Of its integration. */
  quotas: Quotas;
  reviewLimits: ReviewLimits;
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
  /** That of the installation (`Store.salt`). */
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
  /** Of the W3C trace that the request was part of; null when it named none. */
  traceId: string | null;
  dataTags: readonly string[];
  /** Canonical JSON text of the detections; null when there are none. */
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
