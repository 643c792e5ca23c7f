import { type Budget, CelError, type Program } from '../../cel/index.ts';
import type { CounterCell, CounterCells, CounterWrite } from '../../schemas/counter-cells.ts';
import { type EnforcementAction, letsThrough } from '../../schemas/decisions.ts';
import type { ActionIds } from './action-ids.ts';
import type { CompiledCounter } from './compile-counter.ts';
import { keyOf } from './counter-key.ts';
import { reservation, settlement } from './settlement.ts';
import { addedNow, type Change, changed, endOf } from './tally.ts';

/** What an action changes in a counter once it is known what becomes of the action. */
export interface Counted {
  readonly counter: CompiledCounter;
  readonly key: string;
  readonly resets: boolean;
  /** An amount to add, or a value that occurred (its key); null when only a reset matched. */
  readonly change: number | string | null;
  /** Of a RESULT: what replaces the amount that its action added; else null. */
  readonly settles: number | null;
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
  return change instanceof CelError ? change : { counter, key, resets, change, settles: null };
}

function changeOf(
  { add, distinct }: CompiledCounter,
  activation: object,
  budget: Budget,
): Counted['change'] | CelError {
  if (distinct !== null) {
    return textOf(distinct.run(activation, budget), 'counts');
  }
  if (add === null) return 1;
  return amountOf(add.run(activation, budget), 'adds');
}

/** Of the RESULT of an action for which the counter has reserved something (`isReserved`). */
export function settledBy(counter: CompiledCounter, activation: object, budget: Budget): Counted | CelError {
  const settles = amountOf((counter.settle as Program).run(activation, budget), 'settles with');
  return settles instanceof CelError ? settles : { counter, key: '', resets: false, change: null, settles };
}

function amountOf(found: unknown, does: string): number | CelError {
  const amount = typeof found === 'bigint' ? Number(found) : found;
  if (typeof amount === 'number' && amount >= 0 && amount <= mostAmount) return amount;
  return errorOf(found, `it ${does} something other than a number from 0 to 1e15`);
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
  cells: CounterCells,
  at: number,
  ids: ActionIds,
): CounterWrite[] {
  const writes: CounterWrite[] = [];
  const done = new Set<string>();
  // Whatever is counted, an action that was stopped happened for nobody: it resets nothing.
  const letThrough = letsThrough(action);
  for (const { counter, key, resets, change, settles } of counted) {
    const { identity, over, counting, counts, isPlain } = counter;
    if (settles !== null) {
      if (!done.has(identity))
        writes.push(...settlement(counter, settles, cells, at, ids.resultOf as string));
      done.add(identity);
      continue;
    }
    const isCountedNow = change !== null && isCounted(counts, action);
    const isReset = resets && letThrough;
    if ((!isCountedNow && !isReset) || done.has(identity)) continue;
    done.add(identity);
    if (isPlain) {
      const becomes = addedNow(change as number, counting, at);
      writes.push({ counter: identity, scope: over, name: '', becomes, endsAt: endOf(counting, at) });
      continue;
    }
    const changes: Change[] = [];
    if (isReset) changes.push({ kind: 'reset', at });
    if (isCountedNow)
      changes.push(
        typeof change === 'string' ? { kind: 'see', at, value: change } : { kind: 'add', at, amount: change },
      );
    const tally = { find: (name: string) => cells.find(identity, over, name) };
    for (const { name, cell, endsAt } of changed(tally, key, changes, counting, at))
      writes.push({ counter: identity, scope: over, name, becomes: cell, endsAt });
    if (counter.settle !== null && isCountedNow)
      writes.push(reservation(counter, writes.at(-1)?.becomes as CounterCell, change as number, at, ids));
  }
  return writes;
}

function isCounted(counts: CompiledCounter['counts'], action: EnforcementAction): boolean {
  switch (counts) {
    case 'ALLOWED':
      return letsThrough(action);
    case 'HELD':
      return action === 'APPROVAL_REQUIRED';
    case 'REJECTED':
      // A person decides later: see `rejectionCounts`.
      return false;
    case 'BLOCKED':
      return action === 'BLOCK';
    case 'ATTEMPTED':
      return true;
  }
}
