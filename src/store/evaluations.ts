import type { NewEvaluation, PolicyTerms } from '../evaluate/evaluation.ts';
import type { Decide, RecordResult } from '../evaluate/port.ts';
import type {
  EvaluatedAction,
  EvaluationFilter,
  EvaluationSearch,
  ListedEvaluation,
  RecordedEvaluation,
  WholeEvaluation,
} from './evaluation-reads.ts';
import type { Page, PageRequest } from './pages.ts';

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
   * Of all integrations, in the order they were recorded: the next `limit` after one, or the last `limit` when `after`
   * is null. Null when there is no such evaluation to come after.
   */
  listRecorded(after: string | null, limit: number, mostBytes: number): Promise<RecordedEvaluation[] | null>;

  /**
   * Of all integrations, newest first. Null when `before` names none. A search that would hold up others is cut short, and
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
