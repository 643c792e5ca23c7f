/**
 * What a caller allows the programs it runs with this budget to spend together. A step is one node run, one element visited, one
 * character or list element built, or one instruction of a regular expression tried on one character.
 */
export class Budget {
  /** Steps left. Negative once spent: every program then returns the error `budget_spent`. */
  left: number;
  constructor(steps: number) {
    this.left = steps;
  }
}

// Measured: about 100 ms at the slowest kind of step, see bench/cel-hostile.ts.
const DEFAULT_STEPS = 2_000_000;

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
