import t from 'tap';
import { keyOf } from '../../../src/policy/counters/count.ts';

t.test('equal values have one key, different ones never the same', async (t) => {
  t.equal(keyOf(7n), keyOf(7));
  t.equal(new Set(['7', 7, '', 'true', true, false, 'n7'].map(keyOf)).size, 7);
});

t.test('what cannot split a counter has none', async (t) => {
  for (const value of [Number.NaN, null, undefined, [], {}, 'x'.repeat(1_001)]) t.equal(keyOf(value), null);
  t.equal(keyOf('x'.repeat(1_000))?.length, 1_001);
});
