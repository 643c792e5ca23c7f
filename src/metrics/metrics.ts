import { collectDefaultMetrics, Registry } from 'prom-client';
import { addCommitMetrics, type CommitMetrics } from './commits.ts';
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
