import type { CompiledPolicy } from '../engine/index.ts';
import type { PlannedCounter } from '../store/store.ts';

/** A policy that decides; `by`: the integrations that it decides for, undefined for the one whose evaluation it is. */
interface PlannedPolicy {
  readonly policy: Pick<CompiledPolicy, 'counters'>;
  readonly by?: readonly string[] | undefined;
}

/** The counters of all policies: equal definitions are one counter. */
export function plannedCounters(policies: readonly PlannedPolicy[]): PlannedCounter[] {
  const found = new Map<string, PlannedCounter>();
  for (const { policy, by } of policies)
    for (const { identity, over } of policy.counters) {
      const all = new Set([...(found.get(identity)?.by ?? []), ...(by ?? [])]);
      found.set(identity, { identity, over, ...(all.size > 0 && { by: [...all] }) });
    }
  return [...found.values()];
}
