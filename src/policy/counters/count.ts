import { type Budget, CelError, type Program } from '../../cel/index.ts';
import type { CounterCell, CounterCells, CounterScope, CounterWrite } from '../../schemas/counter-cells.ts';
import { type EnforcementAction, letsThrough } from '../../schemas/decisions.ts';
import type { CompiledCounter } from './compile-counter.ts';
import { addedNow, type Change, type Counting, changed, endOf, withAmount } from './tally.ts';
import { firstSlice, sliceAt } from './window.ts';

/** The change of an action to a counter, once the action is decided. */
export interface Counted {
  readonly counter: CompiledCounter;
  readonly key: string;
  readonly resets: boolean;
  /** An amount to add, or a value that occurred (its key); null when only a reset matched. */
  readonly change: number | string | null;
  /** The amount of a RESULT, which replaces the one that its action added; else null. */
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

/** Settles by the RESULT of an action for which the counter has reserved an amount (`isReserved`). */
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

/** The writes of the counters when the action ends like this. Counters with one definition are one counter. */
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

// Reserve, then settle: what an action added is kept under the action's id until its RESULT replaces it.

const reservationName = (id: string): string => JSON.stringify(['reserved', id]);

/** Records the amount that the action added, and when. `cell` is the counter's cell after that. */
const reservation = (
  { identity, over, counting }: CompiledCounter,
  cell: CounterCell,
  amount: number,
  at: number,
  { id }: ActionIds,
): CounterWrite => ({
  counter: identity,
  scope: over,
  name: reservationName(id),
  becomes: {
    slices: [sliceAt(counting.window, at), amount],
    latest: cell.latest,
    overflow: null,
    resets: cell.resets,
  },
  endsAt: endOf(counting, at),
});

/** Whether the action of a RESULT has reserved something that is not settled yet. */
export const isReserved = (counter: CompiledCounter, cells: CounterCells, { resultOf }: ActionIds): boolean =>
  resultOf !== null &&
  (cells.find(counter.identity, counter.over, reservationName(resultOf))?.slices.length ?? 0) > 0;

/** The amount takes the place of the reserved one, in its slice of time; what a reset has set to 0 stays there. */
export function settlement(
  { identity, over, counting }: CompiledCounter,
  amount: number,
  cells: CounterCells,
  at: number,
  resultOf: string,
): CounterWrite[] {
  const name = reservationName(resultOf);
  const reserved = cells.find(identity, over, name) as CounterCell;
  const cell = cells.find(identity, over, '');
  const [slice = 0, before = 0] = reserved.slices;
  const written = { counter: identity, scope: over };
  const used = { ...written, name, becomes: { ...reserved, slices: [] }, endsAt: at };
  const first = firstSlice(counting.window, at);
  // Its window may have ended, and the cell with it.
  if (cell === null || reserved.resets !== cell.resets || slice < first) return [used];
  const slices = withAmount(cell.slices, slice, amount - before, first);
  return [used, { ...written, name: '', becomes: { ...cell, slices }, endsAt: endOf(counting, at) }];
}

const longestText = 1_000;

/**
 * The key of a value that splits a counter, or that it counts among its distinct ones: equal values have one, different
 * ones never the same. Null for what cannot be one: a list, a map, null, NaN, a text of more than 1,000 characters.
 */
export function keyOf(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value.length > longestText ? null : `s${value}`;
    case 'number':
      return Number.isNaN(value) ? null : `n${value}`;
    case 'bigint':
      return `n${value}`;
    case 'boolean':
      return `b${value}`;
    default:
      return null;
  }
}

/**
 * The count of a counter of rejections in case a person rejects an action that is held now. It is plain data, kept until a person
 * decides: the action itself is not known any more by then.
 */
export interface RejectionCount {
  readonly counter: string;
  readonly over: CounterScope;
  readonly counting: Counting;
  readonly key: string;
  readonly change: number | string;
}

export function rejectionCounts(counted: readonly Counted[]): RejectionCount[] {
  const counts = new Map<string, RejectionCount>();
  for (const { counter, key, change } of counted) {
    const { identity, over, counting, counts: kind } = counter;
    if (kind !== 'REJECTED' || change === null || counts.has(identity)) continue;
    counts.set(identity, { counter: identity, over, counting, key, change });
  }
  return [...counts.values()];
}

/** The writes of the counters when the action is rejected at `at`. */
export const rejectionWrites = (
  counts: readonly RejectionCount[],
  cells: CounterCells,
  at: number,
): CounterWrite[] =>
  counts.flatMap(({ counter, over, counting, key, change }) => {
    const tally = { find: (name: string) => cells.find(counter, over, name) };
    const one: Change =
      typeof change === 'string' ? { kind: 'see', at, value: change } : { kind: 'add', at, amount: change };
    return changed(tally, key, [one], counting, at).map(({ name, cell, endsAt }) => ({
      counter,
      scope: over,
      name,
      becomes: cell,
      endsAt,
    }));
  });

/** By which a RESULT finds what its action reserved. */
export interface ActionIds {
  readonly id: string;
  readonly resultOf: string | null;
}
