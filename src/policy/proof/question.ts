import type { Model } from './decision-model.ts';
import type { Formula } from './formula.ts';
import type { Answer, Steps } from './solve.ts';
import { solve } from './solve.ts';
import type { Symbols } from './symbols.ts';

/** Whether formulas can all be true. */
export interface Question {
  readonly formulas: readonly Formula[];
  readonly symbols: Symbols;
}

/** A proof asks questions; intervals and sets answer them at once, a solver of the command line later. */
export type Proof<Result> = Generator<Question, Result, Answer>;

/** The answer, with the facts that hold for every action and session. */
export function* ask({ symbols }: Model, formula: Formula): Proof<Answer> {
  return yield { formulas: [formula, ...symbols.factsAbout([formula])], symbols };
}

/** Answers by intervals and finite sets alone. `mostEach`: for one question, so that a hard one leaves something for the others. */
export function proveByIntervals<Result>(proof: Proof<Result>, steps: Steps, mostEach: number): Result {
  let found = proof.next();
  while (!found.done) {
    const { formulas, symbols } = found.value;
    const given = Math.max(0, Math.min(mostEach, steps.left));
    const each = { left: given };
    const answer = solve(formulas, symbols, each);
    steps.left -= given - Math.max(0, each.left);
    found = proof.next(answer);
  }
  return found.value;
}
