/** Steps of one call, each 20 ns or less. */
const mostSteps = 700_000;
const mostDepth = 1_000;

/** The comparison took too many steps, or nested too deep: the answer is not known. */
export class TooManySteps extends Error {}

/** To list a key of a large object, or to keep it in a set, takes as long as so many comparisons. */
const stepsOfKey = 8;

/** The keys of an object, at their cost. */
export function keysOf(value: object, run: Spending): string[] {
  const keys = Object.keys(value);
  run.spend(2 + stepsOfKey * keys.length);
  return keys;
}

/** Where in the schema the value does not match, and what is asked for there. Nothing of the value. */
export interface Mistake {
  message: string;
  path: string;
}

/** The steps that the comparisons of one call may take together: its arguments may be in many places. */
export class StepBudget {
  #left = mostSteps;

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new TooManySteps();
  }
}

/** Counts what a comparison does, and ends it by `TooManySteps`. */
export interface Spending {
  spend(steps: number): void;
}

/** One comparison of a value with a schema, under a budget that counts everything that depends on either. */
export class Run<Scope = unknown> implements Spending {
  readonly #budget: StepBudget;
  #depth = 0;
  /** The first one, outside of alternatives. */
  mistake: Mistake | null = null;
  /** Above 0 among alternatives: that one does not match is no mistake. */
  alternatives = 0;
  /** Schemas with an id that are being applied, outermost first. */
  readonly scopes: Scope[] = [];

  constructor(budget: StepBudget) {
    this.#budget = budget;
  }

  spend(steps: number): void {
    this.#budget.spend(steps);
  }

  enter(steps: number): void {
    this.spend(steps);
    if (++this.#depth > mostDepth) throw new TooManySteps();
  }

  leave(): void {
    this.#depth--;
  }

  fail(message: string, path: string): false {
    if (this.alternatives === 0) this.mistake ??= { message, path };
    return false;
  }
}

/** The parts of one value that some subschema covered: `unevaluatedProperties` and `unevaluatedItems` ask for the rest. */
export class Covered {
  readonly #names = new Set<string>();
  readonly #places = new Set<number>();
  /** Entries from the first on. */
  #first = 0;

  name(name: string): void {
    this.#names.add(name);
  }

  place(place: number): void {
    this.#places.add(place);
  }

  places(count: number): void {
    this.#first = Math.max(this.#first, count);
  }

  hasName(name: string): boolean {
    return this.#names.has(name);
  }

  hasPlace(place: number): boolean {
    return place < this.#first || this.#places.has(place);
  }

  add(other: Covered, run: Spending): void {
    run.spend(1 + stepsOfKey * (other.#names.size + other.#places.size));
    for (const name of other.#names) this.#names.add(name);
    for (const place of other.#places) this.#places.add(place);
    this.places(other.#first);
  }
}
