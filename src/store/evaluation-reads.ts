import type { PolicyReference } from '../evaluate/evaluation.ts';
import type { Cost } from '../schemas/costs.ts';
import type {
  EnforcementAction,
  Outcome,
  Phase,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';
import type { UsedGrant } from '../schemas/grants.ts';

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
  traceId: string | null;
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

export interface ListedEvaluation extends StoredEvaluation {
  /** Names of the fields that have more bytes than were asked for, and so stand for nothing here. */
  omitted: string[];
}

export interface RecordedEvaluation extends ListedEvaluation {
  integrationId: string;
}

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
  traceId?: string;
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
