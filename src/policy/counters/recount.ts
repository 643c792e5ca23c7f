import { CelError, createBudget } from '../../cel/index.ts';
import type {
  CountedRecord,
  CounterCell,
  CounterCells,
  CounterScope,
  CounterWrite,
} from '../../schemas/counter-cells.ts';
import type { CompiledCounter } from './compile-counter.ts';
import { countedBy, counterWrites, settledBy } from './count.ts';
import { RecordedAction } from './recorded-action.ts';
import { isReserved } from './settlement.ts';
import { withAmount } from './slices.ts';

/** More than one action can take: records are counted in small steps. */
const stepsPerRecord = 200_000;

/**
 * Counts what was recorded before a counter was there, as if it had been: all records of one scope, in the order in which they
 * were made. A counter for which a record does not have the content keeps nothing.
 */
export class Recount {
  readonly #counters: readonly CompiledCounter[];
  readonly #integration: object;
  readonly #cells: Cells;
  readonly #unknown: Set<string>;

  /** `counters`: of one scope, with different identities. */
  constructor(counters: readonly CompiledCounter[], integration: object, before?: Recount) {
    this.#counters = counters;
    this.#integration = integration;
    this.#cells = before ? before.#cells.copy() : new Cells(new Map());
    const unknown = counters.filter(({ content }) => !content.isRecorded).map(({ identity }) => identity);
    this.#unknown = new Set(before ? before.#unknown : unknown);
  }

  count(records: readonly CountedRecord[]): void {
    for (const record of records) {
      const action = new RecordedAction(record, this.#integration);
      for (const counter of this.#counters) {
        if (this.#unknown.has(counter.identity)) continue;
        if (!countRecord(counter, action, this.#cells)) this.#unknown.add(counter.identity);
      }
    }
  }

  /** What the counters keep after these as well. Changes nothing. */
  writesAfter(records: readonly CountedRecord[]): CounterWrite[] {
    const after = new Recount(this.#counters, this.#integration, this);
    after.count(records);
    return after.#counters.flatMap(({ identity, over }) => {
      const kept = after.#unknown.has(identity) ? undefined : after.#cells.all.get(identity);
      if (kept === undefined) return [];
      const { named, endsAt } = kept;
      return [...named].map(
        ([name, cell]): CounterWrite => ({ counter: identity, scope: over, name, becomes: cell, endsAt }),
      );
    });
  }
}

const budget = createBudget();

/** False when the record does not have the content that says whether and what it counts. */
function countRecord(counter: CompiledCounter, action: RecordedAction, cells: Cells): boolean {
  const { record } = action;
  const settles = counter.on !== record.phase;
  if (settles && !isReserved(counter, cells, record)) return true;
  const isKnown = action.show(counter.content);
  budget.left = stepsPerRecord;
  const counted = (settles ? settledBy : countedBy)(counter, action, budget);
  if (counted === null) return true;
  // What failed then was not counted, and took `onError`.
  if (counted instanceof CelError) return isKnown;
  for (const write of counterWrites([counted], record.enforcementAction, cells, record.at, record))
    cells.write(write);
  return true;
}

interface Kept {
  readonly named: Map<string, CounterCell>;
  endsAt: number | null;
}

class Cells implements CounterCells {
  readonly all: Map<string, Kept>;
  constructor(all: Map<string, Kept>) {
    this.all = all;
  }
  /** Cells are replaced, never changed, so they can be shared. */
  copy(): Cells {
    return new Cells(
      new Map(
        [...this.all].map(([counter, { named, endsAt }]) => [counter, { named: new Map(named), endsAt }]),
      ),
    );
  }
  find(counter: string, _scope: CounterScope, name: string): CounterCell | null {
    return this.all.get(counter)?.named.get(name) ?? null;
  }
  write({ counter, name, becomes, endsAt }: CounterWrite): void {
    let kept = this.all.get(counter);
    if (kept === undefined) {
      kept = { named: new Map(), endsAt };
      this.all.set(counter, kept);
    }
    kept.endsAt = endsAt;
    if (!('amount' in becomes)) kept.named.set(name, becomes);
    else {
      const { slice, amount, first } = becomes;
      const before = kept.named.get(name);
      kept.named.set(name, {
        slices: withAmount(before?.slices ?? [], slice, amount, first),
        latest: Math.max(slice, before?.latest ?? slice),
        overflow: null,
        resets: 0,
      });
    }
  }
}
