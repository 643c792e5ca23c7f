import { CountedScope } from './counted-scope.ts';
import { CounterSet } from './counter-sets.ts';
import type { EntityCells } from './counters.ts';

/** As the rows of `counter_sets` and `counter_scopes` have them. */
export function entityCells(row: { integrationId: string; set: string; cells: Buffer }): EntityCells {
  const scope = new CountedScope(CounterSet.parse(row.set), noRows, row.cells);
  return {
    integrationId: row.integrationId,
    find: (counter) => scope.find(counter, ''),
    isCounted: (counter) => scope.hasCounted(counter),
  };
}

/** Only cells with a name have rows of their own. */
const noRows = { salt: '', find: () => null };
