import t from 'tap';
import type { CompiledCounter } from '../../../src/policy/counters/compile-counter.ts';
import { type Counted, rejectionCounts, rejectionWrites } from '../../../src/policy/counters/count.ts';
import type { CounterCell } from '../../../src/schemas/counter-cells.ts';

const counted = (more: Partial<CompiledCounter>, of: Partial<Counted> = {}): Counted => ({
  counter: {
    identity: 'c',
    over: 'entity',
    counts: 'REJECTED',
    counting: { window: { kind: 'always' }, measure: { kind: 'sum' }, mostKeys: null },
    ...more,
  } as CompiledCounter,
  key: '',
  resets: false,
  change: 1,
  settles: null,
  ...of,
});

t.test(
  'what is counted at a rejection: what counters of rejections select, each definition once',
  async (t) => {
    t.strictSame(rejectionCounts([]), []);
    const counts = rejectionCounts([
      counted({ identity: 'held', counts: 'HELD' }),
      counted({ identity: 'reset' }, { change: null, resets: true }),
      counted({ identity: 'sum' }, { change: 7 }),
      counted({ identity: 'sum' }, { change: 7 }),
      counted({ identity: 'seen' }, { change: '"a"', key: '"k"' }),
    ]);
    t.match(counts, [
      { counter: 'sum', over: 'entity', key: '', change: 7 },
      { counter: 'seen', over: 'entity', key: '"k"', change: '"a"' },
    ]);
    t.equal(counts.length, 2);
    t.strictSame(JSON.parse(JSON.stringify(counts)), counts, 'it can be kept as text');
  },
);

t.test('a rejection adds to what the counters keep by then', async (t) => {
  const cells = new Map<string, CounterCell>();
  const find = (counter: string, scope: string, name: string) =>
    cells.get(`${counter} ${scope} ${name}`) ?? null;
  const reject = (counts: ReturnType<typeof rejectionCounts>, at: number): void => {
    for (const { counter, scope, name, becomes } of rejectionWrites(counts, { find }, at))
      cells.set(`${counter} ${scope} ${name}`, becomes as CounterCell);
  };
  const sum = rejectionCounts([counted({ identity: 'sum' }, { change: 7 })]);
  reject(sum, 1);
  reject(sum, 2);
  t.match(cells.get('sum entity '), { slices: [0, 14] });
  const distinct = (value: string) =>
    rejectionCounts([
      counted(
        {
          identity: 'seen',
          counting: { window: { kind: 'always' }, measure: { kind: 'distinct', cap: 5 }, mostKeys: null },
        },
        { change: value },
      ),
    ]);
  for (const value of ['"a"', '"b"', '"a"']) reject(distinct(value), 3);
  t.match(cells.get('seen entity '), { slices: [0, 2] });
});
