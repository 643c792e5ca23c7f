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

/** The same, with the integrations whose policies they are. */
export function plannedBy(
  each: readonly { readonly integrationId: string; readonly policies: readonly CompiledPolicy[] }[],
): PlannedCounter[] {
  const found = new Map<string, PlannedCounter & { readonly by: string[] }>();
  for (const { integrationId, policies } of each)
    for (const one of plannedCounters(policies)) {
      const known = found.get(one.identity);
      if (known) known.by.push(integrationId);
      else found.set(one.identity, { ...one, by: [integrationId] });
    }
  return [...found.values()];
}
