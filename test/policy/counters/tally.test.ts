import t from 'tap';
import {
  type Change as Changed,
  type Counting,
  changed as changes,
  read as readRows,
} from '../../../src/policy/counters/tally.ts';
import { type CalendarUnit, firstSlice, sliceAt, type Window } from '../../../src/policy/counters/window.ts';
import type { CounterCell } from '../../../src/schemas/counter-cells.ts';
import { Random } from '../../cel/fuzz/random.ts';

const minute = 60_000;
/** An hour before Europe/Berlin changes to summer time. */
const start = Date.UTC(2026, 2, 29, 0);
const sliding = (ms: number): Window => ({ kind: 'sliding', ms });
const calendar = (unit: CalendarUnit, zone: string): Window => ({ kind: 'calendar', unit, zone });
const sums = (window: Window, mostKeys = 100): Counting => ({ window, measure: { kind: 'sum' }, mostKeys });

type Change = Changed & { readonly key: string };
type Tally = ReadonlyMap<string, CounterCell>;
const rowsOf = (tally: Tally) => ({ find: (name: string) => tally.get(name) ?? null });
const read = (tally: Tally, key: string, counting: Counting, now: number) =>
  readRows(rowsOf(tally), key, counting, now);
function changed(tally: Tally, { key, ...change }: Change, counting: Counting, now: number): Tally {
  const writes = changes(rowsOf(tally), key, [change], counting, now);
  return new Map([...tally, ...writes.map(({ name, cell }) => [name, cell] as const)]);
}
const after = (counting: Counting, changes: readonly Change[], now = changes.at(-1)?.at ?? start): Tally =>
  changes.reduce<Tally>((tally, change) => changed(tally, change, counting, now), new Map());
const add = (at: number, amount = 1, key = ''): Change => ({ kind: 'add', key, at, amount });

/** An oracle that keeps everything. Counts what is younger than `age`, or in the same unit of the calendar. */
function recount(
  history: readonly Change[],
  key: string,
  isLive: (at: number) => boolean,
): { sum: number; distinct: number } {
  let sum = 0;
  let values = new Set<string>();
  for (const change of history) {
    if (change.key !== key) continue;
    if (change.kind === 'reset') {
      sum = 0;
      values = new Set();
    } else if (!isLive(change.at)) continue;
    else if (change.kind === 'see') values.add(change.value);
    else sum += change.amount;
  }
  return { sum, distinct: values.size };
}

const formatters = new Map<string, Intl.DateTimeFormat>();
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  formatters.set(timeZone, made);
  return made;
}

/** The unit of the calendar as Intl writes it. */
function unitText(unit: CalendarUnit, zone: string, at: number): string {
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const [year, month, day, hour] = ['year', 'month', 'day', 'hour'].map(
    (one) => parts.get(one as 'day') ?? '',
  );
  if (unit === 'month') return `${year}-${month}`;
  if (unit === 'day') return `${year}-${month}-${day}`;
  if (unit === 'hour') return `${year}-${month}-${day} ${hour}`;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return date.toISOString().slice(0, 10);
}

function randomHistory(random: Random, span: number, keys: number): Change[] {
  let at = start;
  return Array.from({ length: 20 + random.below(120) }, (): Change => {
    // Now and then the clock is set back.
    at += random.below(12) === 0 ? -random.below(span) : random.below(Math.ceil(span / 8));
    const key = String(random.below(keys));
    const kind = random.below(10);
    if (kind === 0) return { kind: 'reset', key, at };
    return kind < 5
      ? { kind: 'add', key, at, amount: random.below(9) }
      : { kind: 'see', key, at, value: String(random.below(8)) };
  });
}

/** A counter either adds amounts or sees values. */
const changesOf = (history: readonly Change[], measure: Counting['measure']): Change[] =>
  history.filter(({ kind }) => kind !== (measure.kind === 'sum' ? 'see' : 'add'));

t.test(
  'a sliding window never says less than a recount, and at most a sixtieth of the window more',
  async (t) => {
    const random = new Random(7);
    let checked = 0;
    for (let round = 0; round < 400; round += 1) {
      const ms = random.pick([minute, 10 * minute, 90 * minute, 1_234_567]);
      const all = randomHistory(random, ms, 3);
      for (const measure of [{ kind: 'sum' }, { kind: 'distinct', cap: 100 }] as const) {
        const history = changesOf(all, measure);
        const counting: Counting = { window: sliding(ms), measure, mostKeys: 100 };
        let tally: Tally = new Map();
        let now = start;
        for (const [index, change] of history.entries()) {
          // As the service's clock does, which never goes back.
          now = Math.max(now, change.at);
          tally = changed(tally, change, counting, now);
          const past = history.slice(0, index + 1);
          for (const later of [now, now + random.below(2 * ms)]) {
            const reading = read(tally, change.key, counting, later);
            const of = (age: number) => recount(past, change.key, (at) => at > later - age);
            const field = measure.kind === 'sum' ? 'sum' : 'distinct';
            const least = of(ms)[field];
            const most = recount(past, change.key, (at) => at >= later - ms - ms / 60)[field];
            if (typeof reading !== 'number' || reading < least || reading > most)
              t.fail(
                `${JSON.stringify(reading)} is not from ${least} to ${most}, in round ${round}, at ${index}`,
              );
            checked += 1;
          }
          const slices = (tally.get(JSON.stringify(['cell', change.key]))?.slices.length ?? 0) / 2;
          if (slices > 61) t.fail(`${slices} slices`);
        }
      }
    }
    t.ok(checked > 20_000, `${checked} readings`);
  },
);

t.test('the edges of a sliding window are exact', async (t) => {
  const counting = sums(sliding(60 * minute));
  const tally = after(counting, [add(start)]);
  const value = (now: number) => read(tally, '', counting, now);
  t.equal(value(start), 1);
  t.equal(value(start + 60 * minute), 1, 'as old as the window');
  t.strictSame(value(start + 61 * minute - 1), 1, 'a sixtieth later');
  t.strictSame(value(start + 61 * minute), 0);
  t.equal(value(start - 5 * minute), 1, 'a clock that was set back empties nothing');
});

t.test('a unit of the calendar counts exactly what a recount by local time counts', async (t) => {
  const random = new Random(11);
  let checked = 0;
  for (const zone of 'UTC Europe/Berlin America/New_York Asia/Kathmandu Pacific/Apia Australia/Lord_Howe'.split(
    ' ',
  ))
    for (const unit of ['hour', 'day', 'week', 'month'] as const) {
      const span = { hour: 60, day: 24 * 60, week: 7 * 24 * 60, month: 31 * 24 * 60 }[unit] * minute;
      const counting = sums(calendar(unit, zone));
      for (let round = 0; round < 6; round += 1) {
        const history: Change[] = [];
        let tally: Tally = new Map();
        let at = start + random.below(200) * 24 * 60 * minute;
        for (let step = 0; step < 25; step += 1) {
          at += random.below(span);
          const change = add(at, 1 + random.below(5));
          history.push(change);
          tally = changed(tally, change, counting, at);
          const present = unitText(unit, zone, at);
          const { sum } = recount(history, '', (then) => unitText(unit, zone, then) === present);
          const reading = read(tally, '', counting, at);
          if (reading !== sum) t.fail(`${zone} ${unit}: ${JSON.stringify(reading)}, expected ${sum}`);
          checked += 1;
        }
      }
    }
  t.equal(checked, 3600);
});

t.test('any number of zones can be asked for', async (t) => {
  for (let minutes = 1; minutes < 1_200; minutes += 1) {
    const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
    const zone = `+${two(minutes / 60)}:${two(minutes % 60)}`;
    const days = Math.floor((start + minutes * 60_000) / 86_400_000);
    if (sliceAt(calendar('day', zone), start) !== days) t.fail(zone);
  }
});

t.test('later moments never have a smaller slice', async (t) => {
  for (const window of [
    sliding(minute),
    sliding(1_234_567),
    calendar('hour', 'Europe/Berlin'),
    calendar('hour', 'Australia/Lord_Howe'),
    calendar('day', 'America/New_York'),
    calendar('week', 'UTC'),
    calendar('month', 'Asia/Kathmandu'),
  ] as const) {
    let last = Number.NEGATIVE_INFINITY;
    for (let at = Date.UTC(2026, 9, 24); at < Date.UTC(2026, 10, 3); at += 7 * minute) {
      const slice = sliceAt(window, at);
      if (slice < last) t.fail(`${JSON.stringify(window)} at ${new Date(at).toISOString()}`);
      last = slice;
    }
  }
  t.equal(sliceAt({ kind: 'always' }, start), firstSlice({ kind: 'always' }, start + 1e12));
  t.equal(sliceAt(calendar('day', 'No/Where'), start), sliceAt(calendar('day', 'UTC'), start));
  t.equal(
    sliceAt(calendar('day', 'Europe/Berlin'), 1e17),
    sliceAt(calendar('day', 'UTC'), 1e17),
    'beyond the year 9999',
  );
});

t.test('more distinct values, or more keys, than are kept fail to read and never read too low', async (t) => {
  const random = new Random(3);
  const ms = 60 * minute;
  let failures = 0;
  for (let round = 0; round < 150; round += 1) {
    const counting: Counting = { window: sliding(ms), measure: { kind: 'distinct', cap: 2 }, mostKeys: 3 };
    const history = changesOf(randomHistory(random, ms, 6), counting.measure);
    let tally: Tally = new Map();
    let now = start;
    for (const [index, change] of history.entries()) {
      now = Math.max(now, change.at);
      tally = changed(tally, change, counting, now);
      const past = history.slice(0, index + 1);
      const later = now + random.below(ms);
      for (const key of ['0', '1', '2', '3', '4', '5']) {
        const reading = read(tally, key, counting, later);
        const { distinct } = recount(past, key, (at) => at > later - ms);
        if (typeof reading !== 'number') failures += 1;
        else if (reading < distinct) t.fail(`${reading} is less than ${distinct}`);
      }
      // A failure must have its reason: too many keys or too many values, at most two windows ago.
      const recent = ({ at }: Change) => at >= later - 2 * (ms + ms / 60);
      const touched = new Set(past.filter(recent).map(({ key }) => key));
      const values = past.filter((one) => recent(one) && one.key === change.key && one.kind === 'see');
      const most = new Set(values.map((one) => one.kind === 'see' && one.value)).size;
      if (touched.size <= 3 && most <= 2 && typeof read(tally, change.key, counting, later) !== 'number')
        t.fail('fails without a reason');
    }
  }
  t.ok(failures > 1000, `${failures} failures to read`);
});

t.test('values in turn keep few rows, and one too many is over with its window', async (t) => {
  const counting: Counting = { window: sliding(minute), measure: { kind: 'distinct', cap: 5 }, mostKeys: 3 };
  const see = (key: string, value: string, at = start): Change => ({ kind: 'see', key, value, at });
  const many = Array.from({ length: 500 }, (_, index) => see('', String(index)));
  const full = after(counting, many);
  t.equal(full.size, 7, 'the keys, the counter and five values');
  t.match(read(full, '', counting, start), { failure: 'it has more than 5 distinct values' });
  t.strictSame(read(full, '', counting, start + 2 * minute), 0);
  const keys = after(
    counting,
    Array.from({ length: 500 }, (_, index) => see(String(index), 'x')),
  );
  t.equal(keys.size, 7, 'the keys, three of them and their values');
  t.match(read(keys, '0', counting, start), { failure: 'it is split by more than 3 values' });
  t.match(read(keys, 'new', counting, start), { failure: String });
  t.equal(read(keys, '0', counting, start + 2 * minute), 0);
  const exact = after(counting, [...many.slice(0, 5), ...many.slice(0, 5)]);
  t.equal(read(exact, '', counting, start), 5);
});

t.test('a reset begins anew, and sums stay numbers', async (t) => {
  const counting = sums({ kind: 'always' });
  const value = (...changes: Change[]) => read(after(counting, changes), '', counting, start);
  t.equal(value(add(start, 5), add(start, 3)), 8);
  t.equal(value(add(start, 5), { kind: 'reset', key: '', at: start }), 0);
  t.equal(value(add(start, 5), { kind: 'reset', key: '', at: start }, add(start, 1)), 1);
  t.strictSame(value(add(start, 1, 'other')), 0);
  t.equal(value(), 0);
  for (const amounts of [[1e308, 1e308], [Number.NaN], [Number.POSITIVE_INFINITY]])
    t.match(value(...amounts.map((amount) => add(start, amount))), {
      failure: 'its sum is not a number',
    });
});

t.test('a reset also begins the distinct values anew, and one of nothing keeps nothing', async (t) => {
  const counting: Counting = {
    window: { kind: 'always' },
    measure: { kind: 'distinct', cap: 2 },
    mostKeys: null,
  };
  const see = (value: string): Change => ({ kind: 'see', key: '', value, at: start });
  const reset: Change = { kind: 'reset', key: '', at: start };
  const value = (...list: Change[]) => read(after(counting, list), '', counting, start);
  t.equal(value(see('a'), see('b'), reset, see('a')), 1);
  t.match(value(see('a'), see('b'), see('c')), { failure: String });
  t.equal(value(see('a'), see('b'), see('c'), reset), 0);
  t.equal(after(counting, [reset]).size, 0);
});

t.test('a row is over when nothing in it counts any more', async (t) => {
  for (const window of [
    sliding(minute),
    sliding(1_234_567),
    ...(['hour', 'day', 'week', 'month'] as const).map((unit) => calendar(unit, 'Europe/Berlin')),
  ]) {
    const counting = sums(window);
    const [first] = changes(rowsOf(new Map()), '', [{ kind: 'add', amount: 1, at: start }], counting, start);
    const endsAt = first?.endsAt ?? Number.NaN;
    t.equal(read(after(counting, [add(start)]), '', counting, endsAt), 0);
  }
  const [kept] = changes(
    rowsOf(new Map()),
    '',
    [{ kind: 'reset', at: start }],
    sums({ kind: 'always' }),
    start,
  );
  t.equal(kept, undefined);
  const [always] = changes(
    rowsOf(new Map()),
    '',
    [{ kind: 'add', amount: 1, at: start }],
    sums({ kind: 'always' }),
    start,
  );
  t.equal(always?.endsAt, null);
});

t.test('a change leaves the tally before it as it was', async (t) => {
  const counting = sums(sliding(minute));
  const before = after(counting, [add(start)]);
  changed(before, add(start, 5), counting, start);
  changed(before, { kind: 'reset', key: '', at: start }, counting, start);
  t.equal(read(before, '', counting, start), 1);
});
