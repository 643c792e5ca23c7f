import t from 'tap';
import { idempotencyAt, replayedResponse, unlessRefused } from '../../src/evaluate/idempotency.ts';

t.test('a key is remembered for as long as is set', async (t) => {
  const sent = { key: 'hash of the key', requestHash: 'h' };
  t.strictSame(idempotencyAt(sent, 100_000_000, 900_000), {
    ...sent,
    notBefore: 99_100_000,
    blocksAll: false,
  });
  t.equal(idempotencyAt(null, 0, 900_000), null);
});

t.test('keys that are turned off are refused, and no key is not', async (t) => {
  t.throws(() => idempotencyAt({ key: 'k', requestHash: 'h' }, 0, 0), { code: 'invalid' });
  t.equal(idempotencyAt(null, 0, 0), null);
});

t.test('a key of another request and an answer that lapsed are conflicts, all else passes', async (t) => {
  t.throws(() => unlessRefused({ kind: 'key_reused' }), { code: 'conflict' });
  t.throws(() => unlessRefused({ kind: 'lapsed', why: 'not_active', status: 'EXPIRED' }), {
    code: 'conflict',
    message: /EXPIRED/,
  });
  t.throws(() => unlessRefused({ kind: 'lapsed', why: 'policies_changed' }), {
    code: 'conflict',
    message: /policies/,
  });
  for (const result of [{ kind: 'created' }, { kind: 'replayed', response: 'a' }]) {
    t.equal(unlessRefused(result), result);
  }
});

t.test('a repeated answer says so', async (t) => {
  t.match(replayedResponse('{"a":12345678901234567890}'), {
    data: { a: 12345678901234567890n, replayed: true },
    text: '{"a":12345678901234567890,"replayed":true}',
    replayed: true,
  });
});
