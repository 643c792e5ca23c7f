import t from 'tap';
import { CounterSet } from '../../../src/evaluate/counters/sets.ts';
import type { PlannedCounter } from '../../../src/schemas/counter-cells.ts';

const planned = (names: string): PlannedCounter[] =>
  [...names].map((identity) => ({ identity, over: 'session' }));
const idsOf = (set: CounterSet): string => [...'abcd'].map((name) => set.idOf(name) ?? '-').join('');
const [own, above, others] = [
  [],
  [{ integrationId: 'p', revision: 0 }],
  [{ integrationId: 'q', revision: 0 }],
];
/** The set after an evaluation of `c`, in a session that these delegated. */
const after = (set: CounterSet, names: string | readonly PlannedCounter[], delegators: typeof above = own) =>
  set.with(typeof names === 'string' ? planned(names) : names, { integrationId: 'c', delegators });
const by = (names: string, ...integrations: string[]): PlannedCounter[] =>
  planned(names).map((one) => ({ ...one, by: integrations }));

t.test('a counter keeps its number while it is there, and gets a new one when it returns', async (t) => {
  const ab = planned('ab');
  const first = after(CounterSet.empty(), ab);
  t.equal(idsOf(first), '12--');
  t.equal(after(first, ab), first);
  t.equal(after(first, 'ba'), first, 'their order means nothing');
  const other = after(first, 'bc');
  t.equal(idsOf(other), '-23-');
  t.strictSame(other.youngerThan('session', first.epoch, planned('bc')), ['c']);
  t.strictSame(
    other.youngerThan('session', first.epoch, planned('b')),
    [],
    'who does not have it cannot count',
  );
  const again = after(CounterSet.parse(other.text), ab);
  t.equal(idsOf(again), '42--');
  t.strictSame([again.identityOf(4), again.identityOf(1), again.epoch], ['a', undefined, 3]);
  t.strictSame(
    [again.isCountedAt('session', 2), again.isCountedAt('session', 3), again.isCountedAt('entity', 0)],
    [false, true, true],
  );
});

t.test('the counters of delegated sessions and of others do not push each other out', async (t) => {
  const both = after(after(CounterSet.empty(), by('a', 'c')), [...by('a', 'c'), ...by('b', 'p')], above);
  t.equal(idsOf(both), '12--');
  t.equal(after(both, by('a', 'c')), both);
  t.equal(after(both, [...by('b', 'p'), ...by('a', 'c')], above), both);
  const elsewhere = after(both, [...by('a', 'c'), ...by('d', 'q')], others);
  t.equal(idsOf(elsewhere), '12-3');
  t.equal(idsOf(after(after(elsewhere, ''), 'c')), '-243');
});

t.test('a counter that one who has it again was without is a new one', async (t) => {
  const first = after(CounterSet.empty(), by('a', 'p'), above);
  const also = after(first, by('a', 'q'), others);
  t.equal(also.idOf('a'), 1, 'nothing was decided by q without it');
  t.equal(after(also, by('a', 'c')).idOf('a'), 2, 'but by c');
  const without = after(also, '', above);
  t.equal(without.idOf('a'), 1, 'q still has it');
  t.equal(after(without, by('a', 'q'), others), without);
  t.equal(after(without, by('a', 'p'), above).idOf('a'), 2);
  t.equal(after(after(first, '', above), by('a', 'p'), above).idOf('a'), 2);
});

t.test('an evaluation in the tree of another integration says nothing of its other counters', async (t) => {
  const set = after(CounterSet.empty(), [...by('a', 'c'), { identity: 'b', over: 'tree', by: ['c'] }]);
  const child = { integrationId: 'd', delegators: [{ integrationId: 'c', revision: 0 }] };
  t.equal(idsOf(set.with(planned(''), child, ['tree'])), '1---');
});

t.test('a set of an earlier version keeps its numbers', async (t) => {
  const members = [...'ab'].map((name, place) => [
    name,
    { id: place + 1, over: 'session', since: 1, delegated: name === 'b' },
  ]);
  const earlier = CounterSet.parse(JSON.stringify({ epoch: 1, nextId: 3, members }));
  const now = after(earlier, [...by('a', 'c'), ...by('b', 'p')], above);
  t.equal(idsOf(now), '12--');
  const without = after(CounterSet.parse(now.text), by('a', 'c'), above);
  t.equal(after(without, [...by('a', 'c'), ...by('b', 'p')], above).idOf('b'), 3);
});
