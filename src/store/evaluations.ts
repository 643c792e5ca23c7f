import type { NewEvaluation, PolicyReference, PolicyTerms } from '../evaluate/evaluation.ts';
import type { Decide, RecordResult } from '../evaluate/port.ts';
import type {
  EnforcementAction,
  Outcome,
  Phase,
  ResultStatus,
  Severity,
  Violation,
} from '../schemas/decisions.ts';
import type { VerifiedIdentity } from '../schemas/identities.ts';
import type { UsedGrant } from '../schemas/review-terms.ts';
import type { Cost } from '../schemas/values.ts';
import type { Page, PageRequest } from './pages.ts';
import { parseList } from './rows.ts';

export interface EvaluatedAction {
  phase: Phase;
  sessionId: string | null;
  externalSessionId: string | null;
  tool: string;
  enforcementAction: EnforcementAction;
  /** Labels that rules gave to the action. */
  labels: readonly string[];
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
  identity: VerifiedIdentity | null;
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
  /** The entity of its session. */
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

export interface RemovedLabel {
  label: string;
  /** The id of the first evaluation of the session after that. */
  before: string;
}

export interface EvaluationStore {
  /**
   * Reads the session's context, calls `decide`, and records the evaluation with all it changes, as one step: no other
   * evaluation of that session, or that counts in a scope of its counters, comes between. `settle` (evaluate/settle.ts)
   * says what is recorded. `decide` must be pure, and may be called again when a step is repeated. The context changes with
   * the next evaluation: it must not be kept.
   * Nothing is recorded unless the result is `recorded`. A PROMPT or RESULT adds data tags to its session and counts
   * as nothing. Of several results of one action, one is recorded and the others are `has_result`.
   */
  record(evaluation: NewEvaluation, decide: Decide): Promise<RecordResult>;

  /** With all of its content. Null when there is none; `integrationId` null finds any integration's. */
  find(integrationId: string | null, id: string): Promise<WholeEvaluation | null>;

  /** The terms by which the policies of an evaluation decided; empty when there is no such evaluation. */
  findTerms(id: string): Promise<readonly PolicyTerms[]>;

  /** The labels that operators took from its session before the evaluation, in that order. */
  listRemovedLabels(id: string): Promise<RemovedLabel[]>;
  /** How many held actions of its session people had rejected before the evaluation. */
  countRejections(id: string): Promise<number>;

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
   * Evaluations of all integrations, in the order they were recorded: the next `limit` after one, or the last `limit` when `after`
   * is null. Null when there is no such evaluation to come after.
   */
  listRecorded(after: string | null, limit: number, mostBytes: number): Promise<RecordedEvaluation[] | null>;

  /**
   * Evaluations of all integrations, newest first. Null when `before` names none. A search that would hold up others is cut short, and
   * says where to go on.
   */
  search(filter: EvaluationFilter, page: PageRequest, mostBytes: number): Promise<EvaluationSearch | null>;

  /** Deletes some of the responses stored under idempotency keys before `before`. False when none is left. */
  forgetResponses(before: number): Promise<boolean>;

  /**
   * Deletes the content (`input`, `targetMetadata`, messages of violations) of some of the oldest evaluations made before `before` that still
   * have it, few enough not to hold up others; what was decided and why stays. False when none is left.
   */
  forgetContent(before: number): Promise<boolean>;
}

/** The columns of an evaluation that every backend reads. JSON is text; lists are null when they are empty. */
export interface EvaluationFields
  extends Pick<
    StoredEvaluation,
    | 'seq'
    | 'phase'
    | 'resultOf'
    | 'resultStatus'
    | 'tool'
    | 'targetKey'
    | 'targetMetadata'
    | 'correlationId'
    | 'traceId'
    | 'outcome'
    | 'enforcementAction'
    | 'severity'
    | 'input'
    | 'createdAt'
  > {
  cost: string | null;
  identity: string | null;
  reviewUid: string | null;
  violations: string | null;
  dataTags: string | null;
  labels: string | null;
  detections: string | null;
}

export const toStoredEvaluation = (
  row: EvaluationFields,
  { id, sessionId, policies }: Pick<StoredEvaluation, 'id' | 'sessionId' | 'policies'>,
): StoredEvaluation => ({
  id,
  sessionId,
  seq: row.seq,
  phase: row.phase,
  resultOf: row.resultOf,
  resultStatus: row.resultStatus,
  cost: row.cost === null ? null : (JSON.parse(row.cost) as StoredEvaluation['cost']),
  identity: row.identity === null ? null : (JSON.parse(row.identity) as StoredEvaluation['identity']),
  tool: row.tool,
  targetKey: row.targetKey,
  targetMetadata: row.targetMetadata,
  correlationId: row.correlationId,
  traceId: row.traceId,
  outcome: row.outcome,
  enforcementAction: row.enforcementAction,
  severity: row.severity,
  violations: parseList(row.violations),
  dataTags: parseList(row.dataTags),
  labels: parseList(row.labels),
  detections: row.detections ?? '[]',
  reviewRequestId: row.reviewUid,
  input: row.input,
  policies,
  createdAt: row.createdAt,
});

/** The members of a policy set, of its key (`PolicySetReference`). */
export function policiesOfKey(key: string): PolicyReference[] {
  const members = new Map<string, PolicyReference>();
  for (const member of key.split(',')) {
    const [policyId = '', version = ''] = member.split(':');
    // A house policy that is bound as well, on other terms, is there twice.
    if (policyId !== '') members.set(policyId, { policyId, version: Number(version) });
  }
  return [...members.values()];
}
