import t from 'tap';
import { idempotencyAt, unlessReused } from '../../src/services/once.ts';

t.test('a key is remembered for a day', async (t) => {
  const once = { key: 'k', requestHash: 'h' };
  t.strictSame(idempotencyAt(once, 100_000_000), { ...once, notBefore: 100_000_000 - 86_400_000 });
  t.equal(idempotencyAt(null, 0), null);
});

t.test('a key of another request is a conflict, every other result passes', async (t) => {
  t.throws(() => unlessReused({ kind: 'key_reused' }), { code: 'conflict' });
  for (const result of [{ kind: 'created' }, { kind: 'replayed', answer: 'a' }]) {
    t.equal(unlessReused(result), result);
  }
});
