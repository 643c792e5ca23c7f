import { fullQueueReason } from '../../evaluate/approval.ts';
import type { Decision } from '../../policy/subject.ts';
import type { Violation } from '../../schemas/decisions.ts';
import { plainTerms } from '../../schemas/review-terms.ts';
import type { ReplayRow } from '../../store/replay.ts';

/** The decision of then. */
export interface RecordedVerdict extends Pick<ReplayRow, 'outcome' | 'enforcementAction' | 'severity'> {
  violations: readonly Violation[];
  labels: readonly string[];
  dataTags: readonly string[];
  /** The findings of the integration's settings then, beside its policies. */
  found: Decision['violations'];
  /** Why no review was opened then; null when one was, or none was needed. */
  fullQueue: Decision['violations'][number] | null;
  /** Whether it was stopped because no policy was enforced. */
  hadNoPolicy: boolean;
  /** The same as a decision. */
  decision: Omit<Decision, 'counted' | 'afterwards' | 'unevaluated' | 'reviewExpirySeconds'>;
}

const none: readonly never[] = [];
const withoutId = ({ id: _, ...violation }: Violation): Omit<Violation, 'id'> => violation;
const parse = <One>(text: string | null): readonly One[] =>
  text === null ? none : (JSON.parse(text) as One[]);

export function recordedVerdict(row: ReplayRow): RecordedVerdict {
  const { outcome, enforcementAction, severity, enforcedSeverity } = row;
  const violations = parse<Violation>(row.violations);
  const labels = parse<string>(row.labels);
  const ofSettings = violations.length === 0 ? none : violations.filter(({ policyId }) => policyId === '');
  return {
    outcome,
    enforcementAction,
    severity,
    violations,
    labels,
    dataTags: parse<string>(row.dataTags),
    found: ofSettings
      .filter(({ reason }) => reason !== 'no_policy' && reason !== fullQueueReason)
      .map(withoutId),
    fullQueue: ofSettings.filter(({ reason }) => reason === fullQueueReason).map(withoutId)[0] ?? null,
    hadNoPolicy: ofSettings.some(({ reason }) => reason === 'no_policy'),
    decision: {
      outcome,
      enforcementAction,
      severity,
      enforcedSeverity,
      violations: violations.map(withoutId),
      labels,
      monitoredLabels: none,
      terms: plainTerms,
      grantable: none,
    },
  };
}
