import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { addDecisionMetrics, type DecisionMetrics } from './decisions.ts';
import { addGauges, type Figures } from './gauges.ts';

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
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1];

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
    buckets,
    registers,
  });
  const sync = new Histogram({
    name: 'assize_sync_duration_seconds',
    help: 'time of one sync of the log to disk',
    buckets,
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
