import { isPlainField } from '../../cel/compile/access.ts';
import { type Budget, CelError, createBudget, Unknown } from '../../cel/index.ts';
import type { CounterCells } from '../../schemas/counter-cells.ts';
import type { CompiledCounter } from './compile-counter.ts';
import { type ActionIds, isReserved, keyOf } from './count.ts';
import { type Reading, read, readSum } from './tally.ts';

/** The counters as a decision reads them. */
export interface CounterReadings {
  read(counter: CompiledCounter, key: string): Reading | Unknown;
  /** Whether this is the RESULT of an action whose amount the counter is to settle. */
  isReserved(counter: CompiledCounter): boolean;
}

export const countersOf = (
  cells: CounterCells,
  now: number,
  ids: ActionIds,
): Omit<CounterReadings, 'read'> & { read(counter: CompiledCounter, key: string): Reading } => ({
  isReserved: (counter) => counter.settle !== null && isReserved(counter, cells, ids),
  read: ({ identity, over, counting, isPlain }, key) =>
    isPlain
      ? readSum(cells.find(identity, over, ''), counting, now)
      : read({ find: (name) => cells.find(identity, over, name) }, key, counting, now),
});

/** Creates the `counters` of one evaluation; a counter is read when a rule asks for it, at the cost of the budget (default: no limit). */
export type BindCounters = (readings: CounterReadings, budget?: Budget) => object;

/** To hash a key, and to sum up the slices of a window. */
const stepsPerReading = 300;

const none = Object.freeze({});
const unlimited = createBudget(Number.POSITIVE_INFINITY);

export function compileBinding(counters: readonly CompiledCounter[]): BindCounters {
  if (counters.length === 0) return () => none;
  // A class with a getter for each counter: evaluations make one object of it, whose shape is known.
  class BoundCounters {
    // Private fields, because a counter may have any name.
    readonly #readings: CounterReadings;
    readonly #budget: Budget;
    constructor(readings: CounterReadings, budget: Budget) {
      this.#readings = readings;
      this.#budget = budget;
      for (const [name, getter] of hidden) Object.defineProperty(this, name, getter);
    }
    static getterOf(counter: CompiledCounter): PropertyDescriptor {
      return {
        get(this: BoundCounters) {
          return counter.per === null
            ? numberOf(counter, '', this.#readings, this.#budget)
            : new SplitCounter(counter, this.#readings, this.#budget);
        },
        enumerable: true,
      };
    }
  }
  // A name that every object inherits is read only when it is the object's own.
  const hidden: [string, PropertyDescriptor][] = [];
  for (const counter of counters) {
    const getter = BoundCounters.getterOf(counter);
    if (isPlainField(counter.name)) Object.defineProperty(BoundCounters.prototype, counter.name, getter);
    else hidden.push([counter.name, getter]);
  }
  return (readings, budget = unlimited) => new BoundCounters(readings, budget);
}

function numberOf(
  counter: CompiledCounter,
  key: string,
  readings: CounterReadings,
  budget: Budget,
): number | CelError {
  budget.left -= stepsPerReading;
  const reading = readings.read(counter, key);
  if (typeof reading === 'number' || reading instanceof Unknown) return reading;
  return failureOf(counter, `cannot be read: ${reading.failure}`);
}

const failureOf = ({ name }: CompiledCounter, why: string): CelError =>
  new CelError('host_failure', `the counter "${name}" ${why}`);

/** Has a number under every key, 0 where nothing was counted. The check lets expressions do nothing but look one up. */
class SplitCounter extends Map<unknown, number | CelError> {
  readonly #counter: CompiledCounter;
  readonly #readings: CounterReadings;
  readonly #budget: Budget;

  constructor(counter: CompiledCounter, readings: CounterReadings, budget: Budget) {
    super();
    this.#counter = counter;
    this.#readings = readings;
    this.#budget = budget;
  }
  override get(value: unknown): number | CelError {
    const key = keyOf(value);
    if (key === null) return failureOf(this.#counter, 'is split by a value that cannot be one of its keys');
    return numberOf(this.#counter, key, this.#readings, this.#budget);
  }
}
