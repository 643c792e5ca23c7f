import { Counter, Histogram, type Registry } from 'prom-client';

/** A recorded decision, as the metrics see it. */
export interface CountedDecision {
  enforcementAction: string;
  phase: string;
  transport: string;
  /** The origin of each violation. */
  violations: readonly { policyId: string; ruleId: string; mode: string; enforcementAction: string }[];
  /** Found in this action. */
  dataTags: readonly string[];
  /** From the parsed request to the durable record, in seconds. */
  seconds: number;
}

export interface DecisionMetrics {
  decided(decision: CountedDecision): void;
}

/** Seconds. A decision takes about a millisecond; 0.03 is the limit that one caller's load may push others to. */
const buckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Series of each metric whose labels operators choose: policies, rules and data tags. Further ones count as `(other)`. */
const mostSeries = 2_000;

export function addDecisionMetrics(registry: Registry): DecisionMetrics {
  const registers = [registry];
  const decisions = new Counter({
    name: 'assize_decisions_total',
    help: 'recorded decisions',
    labelNames: ['enforcement_action', 'phase', 'transport'],
    registers,
  });
  const duration = new Histogram({
    name: 'assize_decision_duration_seconds',
    help: 'time from the parsed request to the durable decision',
    labelNames: ['enforcement_action'],
    buckets,
    registers,
  });
  const matches = new Counter({
    name: 'assize_rule_matches_total',
    help: 'violations by policy (its id) and rule',
    labelNames: ['policy', 'rule', 'mode', 'enforcement_action'],
    registers,
  });
  const detections = new Counter({
    name: 'assize_detections_total',
    help: 'actions in which a data tag was found',
    labelNames: ['tag'],
    registers,
  });
  const matchLabels = boundedLabels(['policy', 'rule', 'mode', 'enforcement_action'], mostSeries);
  const tagLabels = boundedLabels(['tag'], mostSeries);
  return {
    decided({ enforcementAction, phase, transport, violations, dataTags, seconds }) {
      decisions.inc({ enforcement_action: enforcementAction, phase, transport });
      duration.observe({ enforcement_action: enforcementAction }, seconds);
      for (const { policyId, ruleId, mode, enforcementAction } of violations)
        matches.inc(matchLabels([policyId, ruleId, mode, enforcementAction]));
      for (const tag of dataTags) detections.inc(tagLabels([tag]));
    },
  };
}

/**
 * Labels for the values of one series, at most `most` different ones: each series takes memory here and in whatever
 * collects them, for as long as the process runs. All further ones share the value `(other)`.
 */
export function boundedLabels<Name extends string>(
  names: readonly Name[],
  most: number,
): (values: readonly string[]) => Record<Name, string> {
  const seen = new Map<string, Record<Name, string>>();
  const labelsOf = (values: readonly string[]) =>
    Object.fromEntries(names.map((name, place) => [name, values[place]])) as Record<Name, string>;
  const other = labelsOf(names.map(() => '(other)'));
  return (values) => {
    const key = values.join('\0');
    const known = seen.get(key);
    if (known) return known;
    if (seen.size >= most) return other;
    const labels = labelsOf(values);
    seen.set(key, labels);
    return labels;
  };
}
