import { firstSlice, sliceAt, type Window } from './window.ts';

/** What a counter keeps of each action: a sum of amounts, or which values occurred. */
export type Measure =
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
  /** Beyond as many keys with something to count, reading fails. */
  readonly mostKeys: number;
}

/** One change of a counter in one scope. `key` is the value that splits the counter, `''` when nothing does. */
export type Change = { readonly key: string; readonly at: number } & (
  | { readonly kind: 'add'; readonly amount: number }
  | { readonly kind: 'see'; readonly value: string }
  | { readonly kind: 'reset' }
  /** What an action had reserved becomes what it turned out to be; `at` is the time of the action. */
  | { readonly kind: 'settle'; readonly reserved: number; readonly amount: number }
);

/** What a counter keeps for one key: amounts by slice, or the latest slice of each value. */
export interface Kept {
  readonly sums: ReadonlyMap<number, number>;
  readonly values: ReadonlyMap<string, number>;
  /** The newest slice of any change. */
  readonly latest: number;
}

/** All of one counter in one scope, by key. */
export type Tally = ReadonlyMap<string, Kept>;

export type Reading =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly failure: string };

/**
 * The tally after a change, without what the window does not reach any more. Of keys and of values one more is kept
 * than the limit, the newest: while so many are live, reading fails; as soon as one of them is not, whatever was not
 * kept is older than that one, so that nothing is missing.
 */
export function changed(tally: Tally, change: Change, counting: Counting, now: number): Tally {
  const first = firstSlice(counting.window, now);
  const before = tally.get(change.key);
  const next = new Map([...tally].filter(([, { latest }]) => latest >= first));
  next.set(change.key, applied(before, change, counting, first));
  return withoutOldest(next, counting.mostKeys + 1, ({ latest }) => latest);
}

function applied(
  before: Kept | undefined,
  change: Change,
  { window, measure }: Counting,
  first: number,
): Kept {
  const slice = sliceAt(window, change.at);
  const latest = Math.max(slice, before?.latest ?? slice);
  if (change.kind === 'reset' || before === undefined) {
    const empty: Kept = { sums: new Map(), values: new Map(), latest };
    return change.kind === 'reset' ? empty : applied(empty, change, { window, measure, mostKeys: 0 }, first);
  }
  if (change.kind === 'see') {
    const seen = Math.max(slice, before.values.get(change.value) ?? slice);
    const values = new Map(before.values).set(change.value, seen);
    const most = measure.kind === 'distinct' ? measure.cap + 1 : 0;
    return { ...before, latest, values: withoutOldest(values, most, (at) => at) };
  }
  const amount = change.kind === 'settle' ? change.amount - change.reserved : change.amount;
  const sums = new Map([...before.sums].filter(([at]) => at >= first));
  return { ...before, latest, sums: sums.set(slice, (sums.get(slice) ?? 0) + amount) };
}

/** The newest `most` entries. */
function withoutOldest<Value>(
  entries: Map<string, Value>,
  most: number,
  sliceOf: (value: Value) => number,
): Map<string, Value> {
  if (entries.size <= most) return entries;
  const oldestLast = [...entries].sort(([, left], [, right]) => sliceOf(right) - sliceOf(left));
  return new Map(oldestLast.slice(0, most));
}

/** The value of a counter for a key; a failure wherever it could be less than what was counted. */
export function read(
  tally: Tally,
  key: string,
  { window, measure, mostKeys }: Counting,
  now: number,
): Reading {
  const first = firstSlice(window, now);
  const keys = [...tally.values()].filter(({ latest }) => latest >= first).length;
  if (keys > mostKeys) return { ok: false, failure: `it is split by more than ${mostKeys} values` };
  const kept = tally.get(key);
  if (kept === undefined) return { ok: true, value: 0 };
  if (measure.kind === 'distinct') {
    const values = [...kept.values.values()].filter((slice) => slice >= first).length;
    if (values > measure.cap)
      return { ok: false, failure: `it has more than ${measure.cap} distinct values` };
    return { ok: true, value: values };
  }
  let value = 0;
  for (const [slice, amount] of kept.sums) if (slice >= first) value += amount;
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, failure: 'its sum is not a number' };
}
