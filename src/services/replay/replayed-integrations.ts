import type { DecidingTools } from '../../evaluate/catalogue.ts';
import type { IntegrationSettings } from '../../features/integrations/schema.ts';
import {
  createMemoryCounters,
  type MemoryCounters,
} from '../../features/policies/policy-tests/memory-counters.ts';
import type { ReplayIntegration, ReplaySource } from '../../store/replay.ts';
import { toolsOf } from './policies-of-record.ts';
import type { PoliciesThen } from './policies-then.ts';
import type { RecordedVerdict } from './recorded-verdict.ts';

/** An integration in a replay. */
export class ReplayedIntegration {
  readonly stored: ReplayIntegration;
  readonly tools: DecidingTools;
  readonly counters: MemoryCounters = createMemoryCounters(true);
  /** Of no session: see `ReplayedSession`. */
  readonly stopped = new Set<string>();
  readonly #settings: Record<IntegrationSettings['whenNoPolicy'], IntegrationSettings>;

  constructor(stored: ReplayIntegration) {
    this.stored = stored;
    this.tools = toolsOf(stored);
    // What messages show is not compared.
    const settings = { ...stored.settings, contentRetention: 'full' as const };
    this.#settings = {
      ALLOW: { ...settings, whenNoPolicy: 'ALLOW' },
      BLOCK: { ...settings, whenNoPolicy: 'BLOCK' },
    };
  }

  /** What happens without a policy is as it was then, where the record says so. */
  settingsFor({ hadNoPolicy }: RecordedVerdict, { wasEnforced }: PoliciesThen): IntegrationSettings {
    if (hadNoPolicy) return this.#settings.BLOCK;
    return this.#settings[wasEnforced ? this.stored.settings.whenNoPolicy : 'ALLOW'];
  }
}

export class ReplayedIntegrations {
  readonly #source: ReplaySource;
  readonly #known = new Map<number, ReplayedIntegration>();

  constructor(source: ReplaySource) {
    this.#source = source;
  }
  of(row: number): ReplayedIntegration {
    let known = this.#known.get(row);
    if (!known) {
      known = new ReplayedIntegration(this.#source.integration(row));
      this.#known.set(row, known);
    }
    return known;
  }
}
