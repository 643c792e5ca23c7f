import { CountedScope } from './counted-scope.ts';
import { CounterSet } from './counter-sets.ts';
import type { EntityCells } from './counters.ts';

/** As the rows of `counter_sets` and `counter_scopes` have them. */
export function entityCells(row: { integrationId: string; set: string; cells: Buffer }): EntityCells {
  const set = CounterSet.parse(row.set);
  const scope = new CountedScope(set, noRows, row.cells);
  return {
    integrationId: row.integrationId,
    find: (counter) => scope.find(counter, ''),
    isCounted: (counter) => set.isCountedFor(counter, scope.epoch),
  };
}

/** Only cells with a name have rows of their own. */
const noRows = { find: () => null };
