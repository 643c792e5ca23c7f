import type { CompiledPolicy } from '../engine/index.ts';
import type { PlannedCounter } from '../store/store.ts';

/** Those of all policies: equal definitions are one counter. */
export const plannedCounters = (policies: readonly CompiledPolicy[]): PlannedCounter[] => [
  ...new Map(
    policies.flatMap(({ counters }) =>
      counters.map(({ identity, over }) => [identity, { identity, over }] as const),
    ),
  ).values(),
];
