import t from 'tap';
import type { PlannedCounter } from '../../src/schemas/counter-cells.ts';
import { CounterSet } from '../../src/store/counter-sets.ts';

const planned = (names: string): PlannedCounter[] =>
  [...names].map((identity) => ({ identity, over: 'session' }));
const idsOf = (set: CounterSet): string => [...'abcd'].map((name) => set.idOf(name) ?? '-').join('');

t.test('a counter keeps its number while it is there, and gets a new one when it returns', async (t) => {
  const ab = planned('ab');
  const first = CounterSet.empty().with(ab, false);
  t.equal(idsOf(first), '12--');
  t.equal(first.with(ab, false), first);
  t.equal(first.with(planned('ba'), false), first, 'their order means nothing');
  const other = first.with(planned('bc'), false);
  t.equal(idsOf(other), '-23-');
  t.strictSame(other.youngerThan('session', first.epoch, planned('bc')), ['c']);
  t.strictSame(
    other.youngerThan('session', first.epoch, planned('b')),
    [],
    'who does not have it cannot count',
  );
  const again = CounterSet.parse(other.text).with(ab, false);
  t.equal(idsOf(again), '42--');
  t.strictSame([again.identityOf(4), again.identityOf(1), again.epoch], ['a', undefined, 3]);
  t.strictSame(
    [again.isCountedAt('session', 2), again.isCountedAt('session', 3), again.isCountedAt('entity', 0)],
    [false, true, true],
  );
});

t.test('the counters of delegated sessions and of others do not push each other out', async (t) => {
  const [own, several] = [planned('a'), planned('ab')];
  const both = CounterSet.empty().with(own, false).with(several, true);
  t.equal(idsOf(both), '12--');
  t.equal(both.with(own, false), both);
  t.equal(both.with(several, true), both);
  t.equal(both.with(planned('ca'), true).with(own, false).with(several, true).idOf('b'), 2);
  const changed = both.with(planned('b'), false);
  t.equal(idsOf(changed), '-2--', 'its own now');
  t.equal(idsOf(changed.with(planned('c'), false)), '--3-');
});
