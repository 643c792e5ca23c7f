import { Recount } from '../../engine/index.ts';
import type { ReplayRow, ReplaySource } from '../../store/replay.ts';
import type { CounterCells, NewEvaluation, UncountedScope } from '../../store/store.ts';
import type { MemoryCounters } from '../policy-tests/memory-counters.ts';
import { repeatsCounter } from '../repeats.ts';
import type { PoliciesThen } from './policies-then.ts';
import type { ReplayedOf } from './replayed-evaluation.ts';

/** Counts what was recorded after a row, as the service does when policies get a counter. */
export function recount(
  { place, counters: younger }: UncountedScope,
  { row, after, source }: { row: ReplayRow; after: number; source: ReplaySource },
  { policies }: PoliciesThen,
  evaluation: NewEvaluation,
  { integration, session, counters: kept }: ReplayedOf & { counters: MemoryCounters },
): void {
  const named = policies.flatMap(({ counters }) => counters.map((one) => [one.identity, one] as const));
  const counters = [...new Map(named).values()].filter(({ identity }) => younger.includes(identity));
  const { id, name, kind } = integration.stored;
  const counting = new Recount(counters, { id, name, kind });
  const records = counters.some(({ content }) => content.isRecorded)
    ? source.counted(place, after, row.row)
    : [];
  kept.begin(evaluation, session, place.scope, counting.writesAfter(records));
}

/** How often an action was repeated is in the record, where a policy asked: it depends on no decision. */
export const findCell =
  ({ repeats }: ReplayRow, cells: CounterCells): CounterCells['find'] =>
  (counter, scope, name) =>
    counter === repeatsCounter && repeats !== null
      ? { slices: [0, repeats], latest: 0, overflow: null, resets: 0 }
      : cells.find(counter, scope, name);
