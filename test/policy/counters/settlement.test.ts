import t from 'tap';
import type { CompiledCounter } from '../../../src/policy/counters/compile-counter.ts';
import { settlement } from '../../../src/policy/counters/count.ts';

t.test('a reservation whose counter has ended meanwhile is used up', async (t) => {
  const counter = {
    identity: 'c',
    over: 'session',
    counting: { window: { kind: 'always' }, measure: { kind: 'sum' }, mostKeys: null },
  } as CompiledCounter;
  const reserved = { slices: [0, 5], latest: 0, overflow: null, resets: 0 };
  const cells = { find: (_: string, __: string, name: string) => (name === '' ? null : reserved) };
  t.match(settlement(counter, 3, cells, 100, 'id'), [{ becomes: { slices: [] }, endsAt: 100 }]);
});
