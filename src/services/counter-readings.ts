import type { ScopeReadings } from '../evaluate/counters/counters.ts';
import type { DecidingPolicies } from '../evaluate/in-force.ts';
import type { CompiledCounter } from '../policy/counters/compile-counter.ts';
import { readCell, readKeyCount } from '../policy/counters/tally.ts';
import type { CounterReading, CounterScope } from '../schemas/counter-cells.ts';

/** The counters over such scopes of the policies in force, as `cells` has them at a moment; null when nothing was ever counted there. */
export const counterReadings = (
  { policies }: Pick<DecidingPolicies, 'policies'>,
  over: CounterScope,
  cells: ScopeReadings | null,
  at: number,
): CounterReading[] =>
  policies.flatMap(({ policyId, policyName, mode, counters, counterLimits }) =>
    counters
      .filter((counter) => counter.over === over)
      .map((counter) => ({
        policyId,
        policyName,
        mode,
        name: counter.name,
        window: counter.windowText,
        splitBy: counter.splitBy,
        ...numberOf(counter, cells, at),
        limits: counterLimits
          .filter((limit) => limit.counter === counter.name)
          .map(({ counter: _, ...limit }) => limit),
      })),
  );

function numberOf(
  { identity, counting, splitBy }: CompiledCounter,
  cells: ScopeReadings | null,
  at: number,
): Pick<CounterReading, 'value' | 'keyCount' | 'why'> {
  const none = { value: null, keyCount: null, why: null };
  if (!cells?.isCounted(identity))
    return { ...none, why: 'it has not counted yet: the next action counts the record first' };
  const cell = cells.find(identity);
  const reading = splitBy === null ? readCell(cell, counting, at) : readKeyCount(cell, counting, at);
  if (typeof reading !== 'number') return { ...none, why: reading.failure };
  return splitBy === null ? { ...none, value: reading } : { ...none, keyCount: reading };
}
