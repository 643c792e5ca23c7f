import { join } from 'node:path';
import t, { type Test } from 'tap';
import { cached } from '../../src/store/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { migrations, temporaryFolder } from '../helpers/app.ts';
import * as make from './samples.ts';

const { start } = make;

/** A store and its cache, which learns of changes when the test says so, as from another process. */
function open(t: Test) {
  const file = join(temporaryFolder(t), 'assize.db');
  const store = openSqliteStore({ file, migrations, onSyncFailure: (error) => t.fail(error.message) });
  t.teardown(() => store.close());
  let count = 0;
  return { store, known: cached(store, () => count), tell: () => void count++ };
}

t.test('callers and policies are read once until a change is told', async (t) => {
  const { store, known, tell } = open(t);
  const { id, keyHash } = await make.createIntegration(store);
  const read = async () => [
    await known.integrationKeys.find(keyHash, start),
    await known.policies.findInForce(id),
  ];
  const [caller, inForce] = await read();
  t.match([caller, inForce], [{ integration: { id, name: 'n' } }, { integration: { name: 'n' } }]);
  await store.integrations.change(id, { name: 'm' }, start);
  t.strictSame(
    (await read()).map((value, place) => value === [caller, inForce][place]),
    [true, true],
  );
  tell();
  t.match(await read(), [{ integration: { name: 'm' } }, { integration: { name: 'm' } }]);
});

t.test('policies in force are the same object until their revision is another one', async (t) => {
  const { store, known, tell } = open(t);
  const { id } = await make.createIntegration(store);
  const inForce = await known.policies.findInForce(id);
  tell();
  t.equal(await known.policies.findInForce(id), inForce, 'what is compiled of it stays');
  await store.integrations.change(id, { name: 'm' }, start);
  tell();
  const changed = await known.policies.findInForce(id);
  t.match(changed, { integration: { name: 'm' } });
  tell();
  t.equal(await known.policies.findInForce(id), changed);
});

t.test(
  'a caller and policies of different revisions are both read again, though no change was told',
  async (t) => {
    const { store, known } = open(t);
    const { id, keyHash } = await make.createIntegration(store);
    t.match(await known.policies.findInForce(id), { revision: 0 });
    await store.integrations.change(id, { name: 'm' }, start);
    t.match(await known.integrationKeys.find(keyHash, start), { revision: 1 });
    t.match(await known.policies.findInForce(id), { revision: 1 }, 'the caller was read later');

    const other = await make.createIntegration(store);
    t.match(await known.integrationKeys.find(other.keyHash, start), { revision: 0 });
    await store.integrations.replaceKey(other.id, make.key(), start);
    t.match(await known.policies.findInForce(other.id), { revision: 1 });
    t.equal(await known.integrationKeys.find(other.keyHash, start), null, 'the policies were read later');
  },
);

t.test('what was not found is looked for again, and a key ends when it expires', async (t) => {
  const { store, known } = open(t);
  const stored = make.key({ expiresAt: start + 10 });
  t.equal(await known.integrationKeys.find(stored.keyHash, start), null);
  const { id } = await make.createIntegration(store, {}, stored);
  t.match(await known.integrationKeys.find(stored.keyHash, start + 9), { integration: { id } });
  t.equal(await known.integrationKeys.find(stored.keyHash, start + 10), null);
});

t.test('what was being read when a change came is not kept', async (t) => {
  const { store, known, tell } = open(t);
  const { id, keyHash } = await make.createIntegration(store);
  const reading = [known.integrationKeys.find(keyHash, start), known.policies.findInForce(id)];
  const replaced = store.integrations.replaceKey(id, make.key(), start);
  tell();
  const current = [known.integrationKeys.find(make.newHash(), start), known.policies.findInForce(id)];
  await Promise.all([...reading, ...current, replaced]);
  tell();
  t.equal(await known.integrationKeys.find(keyHash, start), null);
  t.match(await known.policies.findInForce(id), { revision: 1 });
});

t.test('requests with one key that arrive together read it once', async (t) => {
  const { store } = open(t);
  const { id, keyHash } = await make.createIntegration(store, {}, make.key({ expiresAt: start + 10 }));
  let reads = 0;
  const find = (hash: string, now: number) => {
    reads++;
    return store.integrationKeys.find(hash, now);
  };
  const known = cached({ ...store, integrationKeys: { ...store.integrationKeys, find } }, () => 0);
  const found = await Promise.all([0, 5, 10].map((ms) => known.integrationKeys.find(keyHash, start + ms)));
  t.match(found, [{ integration: { id } }, { integration: { id } }, null]);
  t.equal(reads, 1);
  await Promise.all([0, 0].map(() => known.integrationKeys.find('none', start)));
  await known.integrationKeys.find('none', start);
  t.equal(reads, 3, 'what was not found is looked for again');
});

t.test('a failed read is not kept', async (t) => {
  const { store } = open(t);
  const { id } = await make.createIntegration(store);
  let fails = true;
  const failing = {
    ...store,
    policies: {
      ...store.policies,
      findInForce: (of: string) =>
        fails ? Promise.reject(new Error('unavailable')) : store.policies.findInForce(of),
    },
  };
  const known = cached(failing, () => 0);
  await t.rejects(async () => known.policies.findInForce(id), { message: 'unavailable' });
  fails = false;
  t.match(await known.policies.findInForce(id), { revision: 0 });
});
