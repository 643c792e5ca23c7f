import type { CounterCells, CounterScope, CounterWrite } from '../../schemas/counter-cells.ts';
import type { Counted } from './count.ts';
import { type Change, type Counting, changed } from './tally.ts';

/**
 * What a counter of rejections counts when a person rejects an action that is held now. It is plain data, kept until a person
 * decides: what the action was is not known any more by then.
 */
export interface RejectionCount {
  readonly counter: string;
  readonly over: CounterScope;
  readonly counting: Counting;
  readonly key: string;
  readonly change: number | string;
}

export function rejectionCounts(counted: readonly Counted[]): RejectionCount[] {
  const counts = new Map<string, RejectionCount>();
  for (const { counter, key, change } of counted) {
    const { identity, over, counting, counts: kind } = counter;
    if (kind !== 'REJECTED' || change === null || counts.has(identity)) continue;
    counts.set(identity, { counter: identity, over, counting, key, change });
  }
  return [...counts.values()];
}

/** What the counters keep once the action is rejected at `at`. */
export const rejectionWrites = (
  counts: readonly RejectionCount[],
  cells: CounterCells,
  at: number,
): CounterWrite[] =>
  counts.flatMap(({ counter, over, counting, key, change }) => {
    const tally = { find: (name: string) => cells.find(counter, over, name) };
    const one: Change =
      typeof change === 'string' ? { kind: 'see', at, value: change } : { kind: 'add', at, amount: change };
    return changed(tally, key, [one], counting, at).map(({ name, cell, endsAt }) => ({
      counter,
      scope: over,
      name,
      becomes: cell,
      endsAt,
    }));
  });
