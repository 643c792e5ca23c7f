import { CelError } from '../../cel/index.ts';
import type { CounterRows } from '../../schemas/counter-rows.ts';
import type { CompiledCounter } from './compile-counter.ts';
import { keyOf } from './counter-key.ts';
import { type Reading, read } from './tally.ts';

/** What a decision reads of counters. */
export interface CounterReadings {
  read(counter: CompiledCounter, key: string): Reading;
}

export const countersOf = (rows: CounterRows, now: number): CounterReadings => ({
  read: ({ identity, over, counting }, key) =>
    read({ find: (name) => rows.find(identity, over, name) }, key, counting, now),
});

const none = Object.freeze({});

/** Creates the `counters` of one evaluation; a counter is read when a rule asks for it. */
export type BindCounters = (readings: CounterReadings) => object;

export function compileBinding(counters: readonly CompiledCounter[]): BindCounters {
  if (counters.length === 0) return () => none;
  return (readings) => {
    const bound = {};
    for (const counter of counters) {
      let value: unknown;
      Object.defineProperty(bound, counter.name, {
        get: () => {
          value ??=
            counter.per === null ? numberOf(counter, '', readings) : new SplitCounter(counter, readings);
          return value;
        },
        enumerable: true,
      });
    }
    return bound;
  };
}

function numberOf(counter: CompiledCounter, key: string, readings: CounterReadings): number | CelError {
  const reading = readings.read(counter, key);
  return reading.ok ? reading.value : failureOf(counter, `cannot be read: ${reading.failure}`);
}

const failureOf = ({ name }: CompiledCounter, why: string): CelError =>
  new CelError('host_failure', `the counter "${name}" ${why}`);

/** Has a number under every key, 0 where nothing was counted. The check lets expressions do nothing but look one up. */
class SplitCounter extends Map<unknown, number | CelError> {
  readonly #counter: CompiledCounter;
  readonly #readings: CounterReadings;

  constructor(counter: CompiledCounter, readings: CounterReadings) {
    super();
    this.#counter = counter;
    this.#readings = readings;
  }
  override get(value: unknown): number | CelError {
    const key = keyOf(value);
    if (key === null) return failureOf(this.#counter, 'is split by a value that cannot be one of its keys');
    return numberOf(this.#counter, key, this.#readings);
  }
}
