import { type Budget, CelError } from '../../cel/index.ts';
import type { CounterRows, CounterWrite } from '../../schemas/counter-rows.ts';
import { type EnforcementAction, letsThrough } from '../../schemas/decisions.ts';
import type { CompiledCounter } from './compile-counter.ts';
import { keyOf } from './counter-key.ts';
import { type Change, changed } from './tally.ts';

/** What an action changes in a counter once it is known what becomes of the action. */
export interface Counted {
  readonly counter: CompiledCounter;
  readonly key: string;
  readonly resets: boolean;
  /** An amount to add, or a value that occurred; null when only a reset matched. */
  readonly change: { readonly amount: number } | { readonly value: string } | null;
}

/** Beyond this, sums would not be exact to a cent for long. */
const mostAmount = 1e15;

/** Null when the counter has nothing to do with the action; an error when it cannot say. Never skips an action it selects. */
export function countedBy(
  counter: CompiledCounter,
  activation: object,
  budget: Budget,
): Counted | CelError | null {
  const resets = counter.reset === null ? false : counter.reset.run(activation, budget);
  if (typeof resets !== 'boolean') return errorOf(resets, 'whether it is reset is neither true nor false');
  const selects = counter.where === null ? true : counter.where.run(activation, budget);
  if (typeof selects !== 'boolean') return errorOf(selects, 'its condition is neither true nor false');
  if (!resets && !selects) return null;
  const key = counter.per === null ? '' : textOf(counter.per.run(activation, budget), 'is split by');
  if (key instanceof CelError) return key;
  const change = selects ? changeOf(counter, activation, budget) : null;
  return change instanceof CelError ? change : { counter, key, resets, change };
}

function changeOf(
  { add, distinct }: CompiledCounter,
  activation: object,
  budget: Budget,
): Counted['change'] | CelError {
  if (distinct !== null) {
    const value = textOf(distinct.run(activation, budget), 'counts');
    return value instanceof CelError ? value : { value };
  }
  if (add === null) return { amount: 1 };
  const found = add.run(activation, budget);
  const amount = typeof found === 'bigint' ? Number(found) : found;
  if (typeof amount === 'number' && amount >= 0 && amount <= mostAmount) return { amount };
  return errorOf(found, 'it adds something other than a number from 0 to 1e15');
}

function textOf(value: unknown, does: string): string | CelError {
  return (
    keyOf(value) ??
    errorOf(value, `it ${does} something other than a text of at most 1,000 characters, a number or a bool`)
  );
}

const errorOf = (found: unknown, message: string): CelError =>
  found instanceof CelError ? found : new CelError('invalid_argument', message);

/** What the counters write when the action ends like this. Counters with one definition are one counter. */
export function counterWrites(
  counted: readonly Counted[],
  action: EnforcementAction,
  rows: CounterRows,
  at: number,
): CounterWrite[] {
  const done = new Set<string>();
  return counted.flatMap(({ counter, key, resets, change }) => {
    const { identity, over, counting, counts } = counter;
    const changes: Change[] = [];
    // Whatever is counted, an action that was stopped happened for nobody: it resets nothing.
    if (resets && letsThrough(action)) changes.push({ kind: 'reset', at });
    if (change !== null && isCounted(counts, action))
      changes.push('value' in change ? { kind: 'see', at, ...change } : { kind: 'add', at, ...change });
    if (changes.length === 0 || done.has(identity)) return [];
    done.add(identity);
    const tally = { find: (name: string) => rows.find(identity, over, name) };
    return changed(tally, key, changes, counting, at).map((write) => ({
      counter: identity,
      scope: over,
      ...write,
    }));
  });
}

function isCounted(counts: CompiledCounter['counts'], action: EnforcementAction): boolean {
  switch (counts) {
    case 'ALLOWED':
      return letsThrough(action);
    case 'HELD':
      return action === 'APPROVAL_REQUIRED';
    case 'BLOCKED':
      return action === 'BLOCK';
    case 'ATTEMPTED':
      return true;
  }
}
