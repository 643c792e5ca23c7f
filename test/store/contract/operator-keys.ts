import type { Test } from 'tap';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;

export function operatorKeys(t: Test, open: Open): void {
  t.test('operator keys: of two racing first keys one is kept', async (t) => {
    const { operatorKeys } = await open(t);
    t.equal(await operatorKeys.exist(), false);
    const keys = [make.newHash(), make.newHash()].map((keyHash) => ({
      id: make.newId(),
      keyHash,
      createdAt: start,
    }));
    const made = await Promise.all(keys.map((key) => operatorKeys.createFirst(key)));
    t.strictSame([...made].sort(), [false, true]);
    t.equal(await operatorKeys.exist(), true);
    const found = await Promise.all(keys.map(({ keyHash }) => operatorKeys.find(keyHash)));
    t.strictSame(
      found,
      keys.map(({ id }, place) => (made[place] ? id : null)),
    );
  });

  t.test('operator keys: a revoked one is found no more, and the last one is never revoked', async (t) => {
    const { operatorKeys } = await open(t);
    const keys = [make.newHash(), make.newHash()].map((keyHash) => ({
      id: make.newId(),
      keyHash,
      createdAt: start,
    }));
    for (const key of keys) {
      t.strictSame(await operatorKeys.create(key), { id: key.id, createdAt: start, revokedAt: null });
      t.equal(await operatorKeys.find(key.keyHash), key.id);
    }
    const [first = keys[0], second] = keys;
    if (!first || !second) throw new Error('there are two');
    const revoked = { id: first.id, createdAt: start, revokedAt: start + 1 };
    t.strictSame(await operatorKeys.revoke(first.id.toUpperCase(), start + 1), revoked);
    t.equal(await operatorKeys.find(first.keyHash), null);
    t.equal(await operatorKeys.revoke(first.id, start + 2), 'already_revoked');
    t.equal(await operatorKeys.revoke(second.id, start + 2), 'last_key');
    t.equal(await operatorKeys.revoke(make.newId(), start + 2), 'no_key');
    t.equal(await operatorKeys.find(second.keyHash), second.id);
    const { items, total } = await operatorKeys.list({ page: 1, size: 1 });
    t.strictSame(items, [{ id: second.id, createdAt: start, revokedAt: null }], 'newest first');
    t.equal(total, 2);
    t.strictSame((await operatorKeys.list({ page: 2, size: 1 })).items, [revoked]);
  });

  t.test('operator keys: of two racing revocations of the last two one is refused', async (t) => {
    const { operatorKeys } = await open(t);
    const keys = [make.newHash(), make.newHash()].map((keyHash) => ({
      id: make.newId(),
      keyHash,
      createdAt: start,
    }));
    for (const key of keys) await operatorKeys.create(key);
    const results = await Promise.all(keys.map(({ id }) => operatorKeys.revoke(id, start)));
    t.strictSame(results.map((result) => (typeof result === 'string' ? result : 'revoked')).sort(), [
      'last_key',
      'revoked',
    ]);
  });
}
