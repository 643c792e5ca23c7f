import type { PolicyReference } from '../evaluate/evaluation.ts';
import type { StoredEvaluation } from './evaluation-reads.ts';
import { parseList } from './parse-list.ts';

/** What every backend reads of an evaluation. JSON is text; lists are null when they are empty. */
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
