import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';
import { operator, operatorKey } from './operators.ts';

const { start } = make;

async function withOwner(store: Store) {
  const owner = operator();
  const first = operatorKey(owner.id);
  await store.operators.createFirst(owner, first);
  return { owner, first };
}

export function operatorKeys(t: Test, open: Open): void {
  t.test(
    'operator keys: a key is found with its operator, until it expires or either is out of use',
    async (t) => {
      const store = await open(t);
      const { owner } = await withOwner(store);
      const { operators, operatorKeys } = store;
      const second = operator({ roles: ['REVIEWER'] });
      await operators.create(second);
      const { keyHash, ...given } = operatorKey(second.id, {
        expiresAt: start + 10,
        ipRanges: ['::1', '10.0.0.0/8'],
      });
      const stored = { ...given, lastUsedAt: null, revokedAt: null };
      t.strictSame(await operatorKeys.create({ ...given, keyHash }, 20), stored);
      const found = await operatorKeys.find(keyHash, start + 9);
      t.strictSame(found, { key: stored, operator: { ...second, status: 'ACTIVE', updatedAt: start } });
      t.equal(await operatorKeys.find(keyHash, start + 10), null, 'expired');
      await operators.change(second.id, { status: 'DISABLED' }, start);
      t.equal(await operatorKeys.find(keyHash, start), null, 'disabled');
      await operators.change(second.id, { status: 'ACTIVE' }, start);
      t.match(await operatorKeys.revoke(given.id.toUpperCase(), start + 1), {
        ...stored,
        revokedAt: start + 1,
      });
      t.equal(await operatorKeys.find(keyHash, start), null, 'revoked');
      t.equal(await operatorKeys.find(make.newHash(), start), null, 'unknown');
      t.strictSame(await operatorKeys.listLiving(second.id), []);
      t.equal((await operatorKeys.listLiving(owner.id.toUpperCase())).length, 1);
    },
  );

  t.test('operator keys: an operator has a limited number of them, without the revoked ones', async (t) => {
    const store = await open(t);
    const { owner, first } = await withOwner(store);
    const { operatorKeys } = store;
    const second = operatorKey(owner.id);
    await operatorKeys.create(second, 2);
    t.equal(await operatorKeys.create(operatorKey(owner.id), 2), 'too_many');
    t.equal(await operatorKeys.create(operatorKey(missing), 2), 'no_operator');
    await operatorKeys.revoke(first.id, start);
    t.match(await operatorKeys.create(operatorKey(owner.id), 2), { operatorId: owner.id });
    const { items, total } = await operatorKeys.list({ page: 3, size: 1 }, { operatorId: owner.id });
    t.match([items, total], [[{ id: first.id, revokedAt: start }], 3], 'newest first');
    t.equal((await operatorKeys.list(page, { operatorId: missing })).total, 0);
    t.equal((await operatorKeys.list(page, {})).total, 3);
  });

  t.test('operator keys: the last one that lets an owner in for ever is never revoked', async (t) => {
    const store = await open(t);
    const { owner, first } = await withOwner(store);
    const { operatorKeys } = store;
    await operatorKeys.create(operatorKey(owner.id, { expiresAt: start + 1_000 }), 20);
    await operatorKeys.create(operatorKey(owner.id, { ipRanges: ['10.0.0.0/8'] }), 20);
    t.equal(await operatorKeys.revoke(first.id, start), 'last_owner');
    const second = operatorKey(owner.id);
    await operatorKeys.create(second, 20);
    const results = await Promise.all([first, second].map(({ id }) => operatorKeys.revoke(id, start)));
    t.strictSame(results.map((result) => (typeof result === 'string' ? result : 'revoked')).sort(), [
      'last_owner',
      'revoked',
    ]);
    const gone = typeof results[0] === 'string' ? second : first;
    t.equal(await operatorKeys.revoke(gone.id, start), 'already_revoked');
    t.equal(await operatorKeys.revoke(missing, start), 'no_key');
  });

  t.test('operator keys: the last use is kept, and never moves back', async (t) => {
    const store = await open(t);
    const { first } = await withOwner(store);
    const { operatorKeys } = store;
    for (const [at, kept] of [
      [5, 5],
      [3, 5],
      [9, 9],
    ] as const) {
      await operatorKeys.recordUse(first.id, start + at);
      t.equal((await operatorKeys.find(first.keyHash, start))?.key.lastUsedAt, start + kept);
    }
  });
}
