import t from 'tap';
import { CellWriter } from '../../../src/evaluate/counters/encoding.ts';
import type { KeptCell } from '../../../src/evaluate/counters/named-cells.ts';
import { type CellRows, CountedScope } from '../../../src/evaluate/counters/scope.ts';
import { CounterSet } from '../../../src/evaluate/counters/sets.ts';
import { Random } from '../../cel/fuzz/random.ts';

const set = CounterSet.empty();
const repeats = 'repeats';

/** The rows of a scope, and how often one was looked for. */
class Rows implements CellRows {
  readonly salt = 'salt';
  readonly rows = new Map<string, KeptCell>();
  looks = 0;
  find(key: string): KeptCell | null {
    this.looks++;
    return this.rows.get(key) ?? null;
  }
  /** As a transaction does at its end. Returns the scope as it is read anew. */
  write(scope: CountedScope): CountedScope {
    const bytes = scope.bytes;
    for (const [key, kept] of scope.changedRows) this.rows.set(key, structuredClone(kept));
    scope.forgetRows();
    return new CountedScope(set, this, bytes && Buffer.from(bytes));
  }
}

function count(scope: CountedScope, name: string): number {
  const before = scope.find(repeats, name)?.slices[1] ?? 0;
  const becomes = { slices: [0, before + 1], latest: 0, overflow: null, resets: 0 };
  scope.write({ counter: repeats, scope: 'session', name, becomes, endsAt: null }, null, 1_000);
  return before;
}

t.test('a key that cannot have a row is not looked for', (t) => {
  const rows = new Rows();
  const scope = new CountedScope(set, rows, null);
  for (let place = 0; place < 200; place++) t.equal(count(scope, `action ${place}`), 0);
  const again = rows.write(scope);
  t.equal(rows.rows.size, 152);
  t.equal(rows.looks, 0);
  t.equal(count(scope, 'action 199'), 1);
  t.equal(rows.looks, 0, 'it was written by this process');
  t.equal(count(again, 'new'), 0);
  t.equal(count(again, 'action 199'), 1);
  t.equal(count(again, 'action 3'), 1, 'it is in the bytes');
  t.equal(rows.looks, 2);
  t.end();
});

t.test('rows that nobody counted are looked for', (t) => {
  const rows = new Rows();
  const scope = new CountedScope(set, rows, null);
  for (let place = 0; place < 50; place++) count(scope, `action ${place}`);
  rows.write(scope);
  const writer = new CellWriter();
  // As version 0.2 wrote a scope with rows: whether there are any, and not how many.
  for (const number of [1, 0, 1, 0, 0]) writer.number(number);
  const old = new CountedScope(set, rows, Buffer.from(writer.view()));
  t.equal(count(old, 'action 49'), 1);
  t.equal(count(old, 'new'), 0);
  t.equal(rows.looks, 2);
  const bytes = Buffer.from(old.bytes as Buffer);
  t.equal(bytes[0], 1, 'and are not counted from then on either');
  t.end();
});

t.test('counts are exact, whatever is forgotten and read again', (t) => {
  const random = new Random(7);
  for (let round = 0; round < 20; round++) {
    const rows = new Rows();
    let scope = new CountedScope(set, rows, null);
    const counted = new Map<string, number>();
    for (let step = 0; step < 3_000; step++) {
      const name = `action ${random.below(round % 2 ? 90 : 2_500)}`;
      const before = counted.get(name) ?? 0;
      const found = count(scope, name);
      if (found !== before) t.equal(found, before, name);
      counted.set(name, before + 1);
      if (random.below(10) > 0) continue;
      const anew = rows.write(scope);
      if (random.below(5) === 0) scope = anew;
    }
  }
  t.end();
});
