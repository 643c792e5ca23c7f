import type { QueryConfig } from 'pg';
import { entryHash } from '../../record/entries.ts';
import { evaluationEntry } from '../../record/evaluation-entry.ts';
import type { NewEvaluation } from '../evaluation.ts';
import { newSalt, rowOfEvaluation } from '../evaluation-row.ts';
import type { Writes } from '../port.ts';
import type { WrittenPolicySet } from './policy-sets.ts';
import type { BatchChains } from './record-chains.ts';
import { inserting, WrittenRows } from './rows.ts';
import type { SessionState } from './session-state.ts';

/** The evaluations that a batch records, with their entries in the record and their violations. */
export class EvaluationWrites {
  readonly #chains: BatchChains;
  readonly #evaluations = new WrittenRows(
    'insert evaluations',
    {
      id: 'uuid',
      integration_id: 'uuid',
      session_id: 'uuid',
      seq: 'int',
      transport: 'text',
      phase: 'text',
      result_of: 'uuid',
      result_status: 'text',
      tool: 'text',
      target_key: 'text',
      target_metadata: 'text',
      correlation_id: 'text',
      outcome: 'text',
      enforcement_action: 'text',
      severity: 'text',
      enforced_severity: 'text',
      violations: 'text',
      data_tags: 'text',
      detections: 'text',
      labels: 'text',
      repeats: 'int',
      cost: 'text',
      identity: 'text',
      used_grants: 'text',
      policy_set_id: 'text',
      input: 'text',
      review_uid: 'uuid',
      named_review: 'text',
      chain_seq: 'bigint',
      entry_hash: 'text',
      content_salt: 'text',
      created_at: 'bigint',
      took_us: 'bigint',
      trace_id: 'text',
    },
    inserting('evaluations'),
  );
  readonly #violations = new WrittenRows(
    'insert violations',
    {
      id: 'uuid',
      evaluation_id: 'uuid',
      place: 'int',
      integration_id: 'uuid',
      session_id: 'uuid',
      policy_uid: 'text',
      rule_id: 'text',
      severity: 'text',
      created_at: 'bigint',
    },
    inserting('violations'),
  );

  #lastId: string | null = null;

  constructor(chains: BatchChains) {
    this.#chains = chains;
  }

  add(
    evaluation: NewEvaluation,
    writes: Writes,
    session: SessionState | null,
    policySet: WrittenPolicySet,
  ): void {
    const { verdict } = writes;
    const row = rowOfEvaluation(evaluation, writes, policySet.termsHash, newSalt);
    const link = this.#chains.next(evaluation.integrationId, session);
    const hash = entryHash(evaluationEntry(link, row));
    this.#chains.add(link, hash, session);
    this.#lastId = evaluation.id;
    const of = { integration_id: evaluation.integrationId, session_id: session?.id ?? null };
    this.#evaluations.add({
      ...of,
      id: evaluation.id,
      seq: writes.seq,
      transport: evaluation.transport,
      phase: evaluation.phase,
      result_of: evaluation.resultOf,
      result_status: evaluation.resultStatus,
      tool: evaluation.tool,
      target_key: evaluation.targetKey,
      target_metadata: evaluation.targetMetadata,
      correlation_id: evaluation.correlationId,
      outcome: verdict.outcome,
      enforcement_action: verdict.enforcementAction,
      severity: verdict.severity,
      enforced_severity: verdict.enforcedSeverity,
      violations: row.violations,
      data_tags: row.dataTags,
      detections: evaluation.detections,
      labels: row.labels,
      repeats: row.repeats,
      cost: row.cost,
      identity: row.identity,
      used_grants: row.grants,
      policy_set_id: policySet.id,
      input: evaluation.input,
      review_uid: writes.reviewRequestId,
      named_review: row.namedReview,
      chain_seq: link.seq,
      entry_hash: hash,
      content_salt: row.salt,
      created_at: evaluation.at,
      took_us: verdict.tookUs,
      trace_id: evaluation.traceId,
    });
    for (const [place, { id, policyId, ruleId, severity }] of verdict.violations.entries())
      this.#violations.add({
        ...of,
        id,
        evaluation_id: evaluation.id,
        place,
        policy_uid: policyId,
        rule_id: ruleId,
        severity,
        created_at: evaluation.at,
      });
  }

  get statement(): QueryConfig | null {
    return this.#evaluations.statement;
  }
  get violationStatement(): QueryConfig | null {
    return this.#violations.statement;
  }
  /** Finds one of them once they are committed; null when there are none. */
  get proof(): QueryConfig | null {
    if (this.#lastId === null) return null;
    return { text: 'SELECT 1 FROM evaluations WHERE id = $1', values: [this.#lastId] };
  }
}
