import { placeOf } from '../../evaluate/counters/counters.ts';
import type { LoadedCounters } from '../../evaluate/port.ts';
import { newContext } from '../../evaluate/session.ts';
import { sessionless } from '../../evaluate/settle.ts';
import type { MemoryCounters } from '../../features/policies/policy-tests/memory-counters.ts';
import { Recount } from '../../policy/counters/recount.ts';
import type { Unknowns } from '../../policy/subject.ts';
import type { ReplayRow, ReplaySource } from '../../store/replay.ts';
import type { CounterCells, CounterScope, NewEvaluation, UncountedScope } from '../../store/store.ts';
import type { PoliciesThen } from './policies-then.ts';
import type { ReplayedOf } from './replayed-evaluation.ts';

/** Where an evaluation is counted, and what was recorded before. */
export interface CountedIn {
  counters: MemoryCounters;
  source: ReplaySource;
  /** Nothing is replayed that was recorded up to this row. */
  after: number;
}

const mostRecounts = 3;

/** What counters keep; those that came later have counted what was recorded before. */
export function loadCounters(
  row: ReplayRow,
  then: PoliciesThen,
  evaluation: NewEvaluation,
  of: ReplayedOf & CountedIn,
): LoadedCounters | null {
  const { integration, session, counters } = of;
  let loaded = counters.load(evaluation, session);
  for (let recounts = 0; recounts < mostRecounts; recounts++) {
    const uncounted = loaded?.uncounted ?? [];
    if (uncounted.length === 0) break;
    const context = session ?? newContext(sessionless(row.createdAt));
    for (const { scope, counters: younger } of uncounted) {
      const place = placeOf(scope, integration.stored.id, context);
      recount({ place, counters: younger }, row, then, evaluation, of);
    }
    loaded = counters.load(evaluation, session);
  }
  return loaded;
}

/** Counts what was recorded before, as the service does when policies get a counter. */
function recount(
  { place, counters: younger }: UncountedScope,
  { row }: ReplayRow,
  { policies }: PoliciesThen,
  evaluation: NewEvaluation,
  { integration, session, counters: kept, source, after }: ReplayedOf & CountedIn,
): void {
  const named = policies.flatMap(({ counters }) => counters.map((one) => [one.identity, one] as const));
  const counters = [...new Map(named).values()].filter(({ identity }) => younger.includes(identity));
  const { id, name, kind } = integration.stored;
  const counting = new Recount(counters, { id, name, kind });
  const records = counters.some(({ content }) => content.isRecorded) ? source.counted(place, after, row) : [];
  kept.begin(evaluation, session, place.scope, counting.writesAfter(records));
}

/** `unknowns` learns when a counter is read that could not count something. */
export const knownCells = (
  loaded: LoadedCounters | null,
  evaluation: NewEvaluation,
  { session, counters }: Pick<ReplayedOf & CountedIn, 'session' | 'counters'>,
  unknowns: Unknowns,
): CounterCells => ({
  find: (counter, scope, name) => loaded?.of(scope)?.find(counter, name) ?? null,
  isUnknown(counter: string, scope: CounterScope) {
    const is = counters.isForgotten(evaluation, session, counter, scope);
    if (is) unknowns.found = true;
    return is;
  },
});
