/**
 * Steps that all enforced policies of one evaluation may take together, and all monitored ones again. About 40 ns a
 * step at the slowest kind (bench/cel-hostile.ts): 160 ms for an input made to spend all of it.
 */
const totalSteps = 4_000_000;
/** More than one policy can need: what the checker accepts as the worst case of one expression. */
const mostSteps = 2_000_000;
/** Enough for hundreds of rules that go through the 50 recent actions. */
const leastSteps = 10_000;

/**
 * What each of `count` policies may spend. The shares are equal and fixed before any policy runs, never a rest that
 * another one left: with a shared budget, an input that makes one policy expensive makes the others fail, and one
 * that fails with `onError: WARN` no longer blocks.
 */
export const stepsPerPolicy = (count: number): number =>
  Math.min(mostSteps, Math.max(leastSteps, Math.floor(totalSteps / count)));
