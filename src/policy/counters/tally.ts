import type { AddedAmount, CounterCell } from '../../schemas/counter-cells.ts';
import { firstSlice, reachMs, sliceAt, type Window } from './window.ts';

/** Pairs of slice and amount, as `CounterCell` has them. */
type Slices = readonly number[];

/** Where those begin that still count. */
function liveStart(slices: Slices, first: number): number {
  let place = 0;
  while (place < slices.length && (slices[place] as number) < first) place += 2;
  return place;
}

/** With so much more in one slice, and without those before `first`. A slice that comes to 0 is left out. */
export function withAmount(slices: Slices, slice: number, amount: number, first: number): number[] {
  const live = slices.slice(liveStart(slices, first));
  let after = live.length;
  while (after > 0 && (live[after - 2] as number) > slice) after -= 2;
  if (after === 0 || live[after - 2] !== slice) {
    if (after === live.length) live.push(slice, amount);
    else live.splice(after, 0, slice, amount);
    return live;
  }
  const sum = (live[after - 1] as number) + amount;
  if (sum === 0) live.splice(after - 2, 2);
  else live[after - 1] = sum;
  return live;
}

/** The sum of those that still count. */
function total(slices: Slices, first: number): number {
  let sum = 0;
  for (let place = 0; place < slices.length; place += 2)
    if ((slices[place] as number) >= first) sum += slices[place + 1] as number;
  return sum;
}

/** How a counter measures actions: by a sum of amounts, or by the values that occurred. */
type Measure =
  | { readonly kind: 'sum' }
  | {
      readonly kind: 'distinct';
      /** Beyond as many values, reading fails: the counter would say too little. */
      readonly cap: number;
    };

/** How a counter counts, apart from which actions. */
export interface Counting {
  readonly window: Window;
  readonly measure: Measure;
  /** Beyond as many keys, reading fails; null when nothing splits the counter. */
  readonly mostKeys: number | null;
}

/** One change of a counter in one scope. */
export type Change = { readonly at: number } & (
  | { readonly kind: 'add'; readonly amount: number }
  | { readonly kind: 'see'; readonly value: string }
  | { readonly kind: 'reset' }
);

/** A number, or why there is none. */
export type Reading = number | { readonly failure: string };

/**
 * The stored state of one counter in one scope: cells by name. Every reading and change takes a few of them, however many there
 * are. The cell without a name is the counter itself, or how many keys it has when a value splits it.
 */
interface TallyCells {
  find(name: string): CounterCell | null;
}
interface TallyWrite {
  readonly name: string;
  readonly cell: CounterCell;
  /** From when on it says nothing any more; null for never. */
  readonly endsAt: number | null;
}

const coarseMs = 600_000;

const cellName = (key: string, { mostKeys }: Counting): string =>
  mostKeys === null ? '' : JSON.stringify(['cell', key]);
const valueName = (key: string, resets: number, value: string): string =>
  JSON.stringify(['value', key, resets, value]);

/** The cells after the changes of one action. `key` is the value that splits the counter, `''` when nothing does. */
export function changed(
  cells: TallyCells,
  key: string,
  changes: readonly Change[],
  counting: Counting,
  now: number,
): TallyWrite[] {
  const written = new Map<string, CounterCell>();
  const tally: Writable = {
    find: (name) => written.get(name) ?? cells.find(name),
    write: (name, cell) => void written.set(name, cell),
  };
  for (const change of changes) applyChange(tally, key, change, counting, now);
  const endsAt = endOf(counting, now);
  return [...written].map(([name, cell]) => ({ name, cell, endsAt }));
}

/** A coarse moment: it is indexed, and one that changes with every action would be written again with each. */
export function endOf({ window }: Counting, now: number): number | null {
  const reach = reachMs(window);
  return reach === null ? null : Math.ceil((now + reach) / coarseMs) * coarseMs;
}

/** The same for the most frequent change: an amount for a counter that nothing splits. */
export const addedNow = (amount: number, { window }: Counting, now: number): AddedAmount => ({
  slice: sliceAt(window, now),
  amount,
  first: firstSlice(window, now),
});

interface Writable extends TallyCells {
  write(name: string, cell: CounterCell): void;
}

function applyChange(tally: Writable, key: string, change: Change, counting: Counting, now: number): void {
  const { window, measure, mostKeys } = counting;
  const first = firstSlice(window, now);
  const slice = sliceAt(window, change.at);
  const name = cellName(key, counting);
  const found = tally.find(name);
  if (change.kind === 'reset' && found === null) return;
  if (mostKeys !== null) {
    const keys = tally.find('') ?? emptyAt(slice);
    const seen = seenIn(keys, found?.latest ?? null, slice, first, mostKeys);
    tally.write('', seen.cell);
    if (!seen.kept) return;
  }
  const cell = found ?? emptyAt(slice);
  const latest = Math.max(slice, cell.latest);
  if (change.kind === 'reset') {
    tally.write(name, { slices: [], latest, overflow: null, resets: cell.resets + 1 });
  } else if (change.kind === 'add') {
    tally.write(name, { ...cell, slices: withAmount(cell.slices, slice, change.amount, first), latest });
  } else {
    const value = valueName(key, cell.resets, change.value);
    const before = tally.find(value)?.latest ?? null;
    const most = measure.kind === 'distinct' ? measure.cap : 0;
    const seen = seenIn(cell, before, slice, first, most);
    tally.write(name, { ...seen.cell, latest });
    if (seen.kept) tally.write(value, emptyAt(Math.max(slice, before ?? slice)));
  }
}

/** The cell after one of what it counts was seen, which was seen last in slice `before`; not kept when there are `most`. */
function seenIn(
  cell: CounterCell,
  before: number | null,
  slice: number,
  first: number,
  most: number,
): { cell: CounterCell; kept: boolean } {
  const latest = Math.max(slice, cell.latest);
  const isKnown = before !== null && before >= first;
  if (!isKnown && total(cell.slices, first) >= most)
    return { cell: { ...cell, latest, overflow: Math.max(slice, cell.overflow ?? slice) }, kept: false };
  const others = isKnown ? withAmount(cell.slices, before, -1, first) : cell.slices;
  const to = Math.max(slice, before ?? slice);
  return { cell: { ...cell, slices: withAmount(others, to, 1, first), latest }, kept: true };
}

/** The value of a counter that adds amounts, and that nothing splits. */
export function readSum(cell: CounterCell | null, { window }: Counting, now: number): Reading {
  if (cell === null) return 0;
  const value = total(cell.slices, firstSlice(window, now));
  return Number.isFinite(value) ? value : { failure: 'its sum is not a number' };
}

/** The value of a counter for a key; a failure wherever it could be less than what was counted. */
export function read(cells: TallyCells, key: string, counting: Counting, now: number): Reading {
  if (counting.mostKeys !== null) {
    const keys = readKeyCount(cells.find(''), counting, now);
    if (typeof keys !== 'number') return keys;
  }
  return readCell(cells.find(cellName(key, counting)), counting, now);
}

/** The value of a counter that nothing splits, or of one key. */
export function readCell(cell: CounterCell | null, counting: Counting, now: number): Reading {
  const { window, measure } = counting;
  if (measure.kind === 'distinct' && overflows(cell, firstSlice(window, now)))
    return { failure: `it has more than ${measure.cap} distinct values` };
  return readSum(cell, counting, now);
}

/** How many values split the counter; `cell` is the one without a name. */
export function readKeyCount(cell: CounterCell | null, counting: Counting, now: number): Reading {
  if (overflows(cell, firstSlice(counting.window, now)))
    return { failure: `it is split by more than ${counting.mostKeys} values` };
  return readSum(cell, counting, now);
}

const overflows = (cell: CounterCell | null, first: number): boolean =>
  cell !== null && cell.overflow !== null && cell.overflow >= first;

const emptyAt = (latest: number): CounterCell => ({ slices: [], latest, overflow: null, resets: 0 });
