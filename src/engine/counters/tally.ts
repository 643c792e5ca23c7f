import { firstSlice, reachMs, sliceAt, type Window } from './window.ts';

/** What a counter keeps of each action: a sum of amounts, or which values occurred. */
type Measure =
  | { readonly kind: 'sum' }
  | {
      readonly kind: 'distinct';
      /** Beyond as many values, reading fails: the counter would say too little. */
      readonly cap: number;
    };

/** What a counter counts, apart from which actions. */
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

export type Reading =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly failure: string };

/** What is kept of one counter in one scope: texts by name. Every reading and change takes a few of them, however many there are. */
interface TallyRows {
  find(name: string): string | null;
}
interface TallyWrite {
  readonly name: string;
  readonly data: string;
  /** From when on it says nothing any more; null for never. */
  readonly endsAt: number | null;
}

/**
 * Amounts by slice; or, for distinct values and for the keys of a counter, how many of them were seen last in that slice.
 */
interface Row {
  readonly slices: Map<number, number>;
  /** The newest slice of any change. */
  readonly latest: number;
  /** The newest slice in which one was not kept, because there were too many: until it is over, reading fails. */
  readonly overflow: number | null;
  /** Values that were seen before the last reset have names of their own. */
  readonly resets: number;
}

const coarseMs = 600_000;

const keysName = '["keys"]';
const cellName = (key: string): string => JSON.stringify(['cell', key]);
const valueName = (key: string, resets: number, value: string): string =>
  JSON.stringify(['value', key, resets, value]);

/** What the changes of one action write. `key` is the value that splits the counter, `''` when nothing does. */
export function changed(
  rows: TallyRows,
  key: string,
  changes: readonly Change[],
  counting: Counting,
  now: number,
): TallyWrite[] {
  const written = new Map<string, string>();
  const tally: Writable = {
    find: (name) => written.get(name) ?? rows.find(name),
    write: (name, data) => void written.set(name, data),
  };
  for (const change of changes) apply(tally, key, change, counting, now);
  const reach = reachMs(counting.window);
  // A coarse moment: it is indexed, and one that changes with every action would be written again with each.
  const endsAt = reach === null ? null : Math.ceil((now + reach) / coarseMs) * coarseMs;
  return [...written].map(([name, data]) => ({ name, data, endsAt }));
}

interface Writable extends TallyRows {
  write(name: string, data: string): void;
}

function apply(tally: Writable, key: string, change: Change, counting: Counting, now: number): void {
  const { window, measure, mostKeys } = counting;
  const first = firstSlice(window, now);
  const slice = sliceAt(window, change.at);
  const name = cellName(key);
  const found = readRow(tally, name);
  if (change.kind === 'reset' && found === null) return;
  if (mostKeys !== null) {
    const keys = readRow(tally, keysName) ?? emptyAt(slice);
    const seen = seenIn(keys, found?.latest ?? null, slice, first, mostKeys);
    tally.write(keysName, rowText(seen.row));
    if (!seen.kept) return;
  }
  const row = found ?? emptyAt(slice);
  const latest = Math.max(slice, row.latest);
  if (change.kind === 'reset') {
    tally.write(name, rowText({ slices: new Map(), latest, overflow: null, resets: row.resets + 1 }));
  } else if (change.kind === 'add') {
    const slices = liveSlices(row, first);
    slices.set(slice, (slices.get(slice) ?? 0) + change.amount);
    tally.write(name, rowText({ ...row, slices, latest }));
  } else {
    const value = valueName(key, row.resets, change.value);
    const before = tally.find(value);
    const most = measure.kind === 'distinct' ? measure.cap : 0;
    const seen = seenIn(row, before === null ? null : Number(before), slice, first, most);
    tally.write(name, rowText({ ...seen.row, latest }));
    if (seen.kept) tally.write(value, String(Math.max(slice, Number(before ?? slice))));
  }
}

/** The row after one of what it counts was seen, which was seen last in slice `before`; not kept when there are `most`. */
function seenIn(
  row: Row,
  before: number | null,
  slice: number,
  first: number,
  most: number,
): { row: Row; kept: boolean } {
  const slices = liveSlices(row, first);
  const latest = Math.max(slice, row.latest);
  if (before !== null && before >= first) {
    const from = slices.get(before) ?? 0;
    if (from > 1) slices.set(before, from - 1);
    else slices.delete(before);
  } else if (total(slices) >= most) {
    return { row: { ...row, slices, latest, overflow: Math.max(slice, row.overflow ?? slice) }, kept: false };
  }
  const to = Math.max(slice, before ?? slice);
  return { row: { ...row, slices: slices.set(to, (slices.get(to) ?? 0) + 1), latest }, kept: true };
}

/** The value of a counter for a key; a failure wherever it could be less than what was counted. */
export function read(rows: TallyRows, key: string, counting: Counting, now: number): Reading {
  const { window, measure, mostKeys } = counting;
  const first = firstSlice(window, now);
  if (mostKeys !== null && overflows(readRow(rows, keysName), first))
    return { ok: false, failure: `it is split by more than ${mostKeys} values` };
  const row = readRow(rows, cellName(key));
  if (row === null) return { ok: true, value: 0 };
  if (measure.kind === 'distinct' && overflows(row, first))
    return { ok: false, failure: `it has more than ${measure.cap} distinct values` };
  const value = total(liveSlices(row, first));
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, failure: 'its sum is not a number' };
}

const overflows = (row: Row | null, first: number): boolean =>
  row !== null && row.overflow !== null && row.overflow >= first;

const emptyAt = (latest: number): Row => ({ slices: new Map(), latest, overflow: null, resets: 0 });

function liveSlices({ slices }: Row, first: number): Map<number, number> {
  const live = new Map<number, number>();
  for (const [slice, amount] of slices) if (slice >= first) live.set(slice, amount);
  return live;
}

function total(slices: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const amount of slices.values()) sum += amount;
  return sum;
}

/** JSON has no word for a sum that is not finite: it is written as null, and read as one that is not a number. */
type RowText = [number, number | null, number, ...[number, number | null][]];

const rowText = ({ slices, latest, overflow, resets }: Row): string =>
  JSON.stringify([latest, overflow, resets, ...slices] satisfies RowText);

function readRow(rows: TallyRows, name: string): Row | null {
  const text = rows.find(name);
  if (text === null) return null;
  const [latest, overflow, resets, ...slices] = JSON.parse(text) as RowText;
  return {
    slices: new Map(slices.map(([slice, amount]) => [slice, amount ?? Number.NaN])),
    latest,
    overflow,
    resets,
  };
}
