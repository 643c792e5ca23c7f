import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The service's counts about itself, in the text format of Prometheus. */
export interface Metrics {
  decisions: DecisionMetrics;
  commits: CommitMetrics;
  /** Rejects when the figures cannot be read. */
  read(figures: Figures): Promise<{ contentType: string; text: string }>;
}

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const setGauges = addGauges(registry, version);
  return {
    decisions: addDecisionMetrics(registry),
    commits: addCommitMetrics(registry),
    async read(figures) {
      setGauges(figures);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

export interface CommitMetrics {
  /** A transaction with so many changes was committed in so many seconds, and is not synced yet. */
  committed(changes: number, seconds: number): void;
  /** The log was synced to disk in so many seconds. */
  synced(seconds: number): void;
}

/** Seconds. */
const commitBuckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

function addCommitMetrics(registry: Registry): CommitMetrics {
  const registers = [registry];
  const size = new Histogram({
    name: 'assize_commit_changes',
    help: 'changes that shared one commit',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers,
  });
  const commit = new Histogram({
    name: 'assize_commit_duration_seconds',
    help: 'time of one transaction, during which the event loop is busy',
    buckets: commitBuckets,
    registers,
  });
  const sync = new Histogram({
    name: 'assize_sync_duration_seconds',
    help: 'time of one sync of the log to disk',
    buckets: commitBuckets,
    registers,
  });
  return {
    committed(changes, seconds) {
      size.observe(changes);
      commit.observe(seconds);
    },
    synced: (seconds) => sync.observe(seconds),
  };
}

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
const decisionBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1, 5];

/** Series of each metric whose labels operators choose: policies, rules and data tags. Further ones count as `(other)`. */
const mostSeries = 2_000;

function addDecisionMetrics(registry: Registry): DecisionMetrics {
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
    buckets: decisionBuckets,
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

/** Read at the time of each collection. */
export interface Figures {
  requestsInFlight: number;
  requestBytesInFlight: number;
  /** For their turn, before anything is read of them but the headers, or when their body has arrived. */
  requestsWaiting: number;
  /** Requests in flight beyond which one caller is refused. */
  requestLimit: number;
  /** Since the start of the process. */
  requestsRefused: number;
  /** Large requests that wait for a thread. */
  scansWaiting: number;
  pendingReviews: number;
  /** 0 when none is pending. */
  oldestPendingSeconds: number;
  callbacksWaiting: number;
  deliveriesWaiting: number;
  walBytes: number;
}

const helps: Record<Exclude<keyof Figures, 'requestsRefused'>, [name: string, help: string]> = {
  requestsInFlight: ['assize_requests_in_flight', 'requests that were admitted and have no response yet'],
  requestBytesInFlight: ['assize_request_bytes_in_flight', 'bytes of their bodies'],
  requestsWaiting: ['assize_requests_waiting', 'requests that wait for their turn'],
  requestLimit: ['assize_request_limit', 'requests in flight beyond which one caller is refused'],
  scansWaiting: ['assize_scans_waiting', 'large requests that wait for a thread to scan them'],
  pendingReviews: ['assize_reviews_pending', 'reviews that wait for a decision'],
  oldestPendingSeconds: [
    'assize_review_oldest_pending_seconds',
    'age of the oldest pending review; 0 for none',
  ],
  callbacksWaiting: ['assize_callbacks_waiting', 'callbacks that are not delivered yet'],
  deliveriesWaiting: ['assize_webhook_deliveries_waiting', 'deliveries of webhooks that wait for an attempt'],
  walBytes: ['assize_wal_bytes', 'size of the write-ahead log'],
};

function addGauges(registry: Registry, version: string): (figures: Figures) => void {
  const registers = [registry];
  new Gauge({
    name: 'assize_build_info',
    help: 'the version that runs; always 1',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const gauges = Object.entries(helps).map(
    ([key, [name, help]]) => [key as keyof typeof helps, new Gauge({ name, help, registers })] as const,
  );
  const refused = new Counter({
    name: 'assize_requests_refused_total',
    help: 'requests refused with 503 because too many, or too many bytes, were in flight',
    registers,
  });
  let counted = 0;
  return (figures) => {
    for (const [key, gauge] of gauges) gauge.set(figures[key]);
    refused.inc(figures.requestsRefused - counted);
    counted = figures.requestsRefused;
  };
}
