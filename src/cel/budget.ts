/**
 * The steps that a caller allows the programs it runs with this budget together. A step is one node run, one element visited, one
 * character or list element built, or one instruction of a regular expression tried on one character: at most some 8 ns, because
 * what takes longer is charged as several (bench/cel-hostile.ts).
 */
export class Budget {
  /** Steps left. Negative once spent: every program then returns the error `budget_spent`. */
  left: number;
  constructor(steps: number) {
    this.left = steps;
  }
}

const DEFAULT_STEPS = 1_500_000;

export function createBudget(steps: number = DEFAULT_STEPS): Budget {
  return new Budget(steps);
}

/** Takes steps; false once the budget is spent. */
export function spend(budget: Budget, steps: number): boolean {
  budget.left -= steps;
  return budget.left >= 0;
}

/** The cost of making a list or a map beyond its elements: allocating memory and collecting it again is the slow part. */
export const ALLOCATION = 12;
/** To look up a key that is not known before running. */
export const LOOKUP = 12;
/** To make an error whose message depends on the values, or a text from a number. */
export const MESSAGE = 16;
