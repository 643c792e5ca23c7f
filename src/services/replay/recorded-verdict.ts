import type { Decision } from '../../engine/index.ts';
import type { Violation } from '../../schemas/decisions.ts';
import { plainTerms } from '../../schemas/review-terms.ts';
import type { ReplayRow } from '../../store/replay.ts';

/** What was decided then. */
export interface RecordedVerdict extends Pick<ReplayRow, 'outcome' | 'enforcementAction' | 'severity'> {
  violations: readonly Violation[];
  labels: readonly string[];
  dataTags: readonly string[];
  /** What the settings of the integration found then, beside its policies. */
  found: Decision['violations'];
  /** Whether it was stopped because no policy was enforced. */
  hadNoPolicy: boolean;
  /** The same as a decision. */
  decision: Omit<Decision, 'counted' | 'afterwards' | 'unevaluated' | 'reviewExpirySeconds'>;
}

const none: readonly never[] = [];
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
    found: ofSettings.filter(({ reason }) => reason !== 'no_policy').map(({ id: _, ...found }) => found),
    hadNoPolicy: ofSettings.some(({ reason }) => reason === 'no_policy'),
    decision: {
      outcome,
      enforcementAction,
      severity,
      enforcedSeverity,
      violations: violations.map(({ id: _, ...violation }) => violation),
      labels,
      monitoredLabels: none,
      terms: plainTerms,
      grantable: none,
    },
  };
}
