import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;
const most = 3;

export function integrationKeys(t: Test, open: Open): void {
  t.test('integration keys: several work at once, each with its scopes, up to a limit', async (t) => {
    const store = await open(t);
    const { id, keyHash } = await make.createIntegration(store);
    const { integrationKeys } = store;
    const reader = make.key({ name: 'reader', scopes: ['read'] });
    const created = await integrationKeys.create(id.toUpperCase(), reader, start + 1, most);
    t.match(created, {
      id: reader.id,
      integrationId: id,
      name: 'reader',
      scopes: ['read'],
      createdAt: start + 1,
    });
    t.match(await integrationKeys.find(reader.keyHash, start), { key: created, integration: { id } });
    t.match(
      await integrationKeys.find(keyHash, start),
      { key: { scopes: { length: 4 } } },
      'the first one, too',
    );
    t.match(await store.integrations.find(id), { keyPrefix: reader.keyPrefix }, 'the newest one is shown');
    const short = make.key({ expiresAt: start + 5 });
    t.match(await integrationKeys.create(id, short, start + 1, most), { expiresAt: start + 5 });
    t.equal(await integrationKeys.create(id, make.key(), start + 1, most), 'too_many');
    t.match(
      await integrationKeys.create(id, make.key(), start + 5, most),
      { name: 'key' },
      'an expired one is none',
    );
    t.equal(await integrationKeys.create(missing, make.key(), start, most), 'no_integration');
    const listed = await integrationKeys.list(id, page);
    t.equal(listed?.total, 4);
    t.match(listed?.items.at(-2), created, 'newest first');
    t.equal(await integrationKeys.list(missing, page), null);
  });

  t.test(
    'integration keys: a rotated one goes on for a while, and never longer than it would have',
    async (t) => {
      const store = await open(t);
      const { id } = await make.createIntegration(store);
      const { integrationKeys } = store;
      const old = make.key({ name: 'reader', scopes: ['read'] });
      await integrationKeys.create(id, old, start, most);
      const next = make.key();
      const terms = { now: start, until: start + 10, most };
      t.match(await integrationKeys.rotate(id, old.id, next, terms), {
        created: { id: next.id, name: 'reader', scopes: ['read'], expiresAt: null },
        replaces: { id: old.id, expiresAt: start + 10 },
      });
      t.match(await integrationKeys.find(old.keyHash, start + 9), { key: { id: old.id } });
      t.equal(await integrationKeys.find(old.keyHash, start + 10), null);
      t.equal(await integrationKeys.rotate(id, next.id, make.key(), terms), 'too_many');
      t.equal(
        await integrationKeys.rotate(id, old.id, make.key(), { ...terms, now: start + 10 }),
        'not_live',
      );
      const later = { now: start + 10, until: start + 10, most };
      const last = make.key({ expiresAt: start + 20 });
      t.match(await integrationKeys.rotate(id, next.id, last, later), {
        replaces: { expiresAt: start + 10 },
      });
      t.equal(await integrationKeys.find(next.keyHash, start + 10), null, 'at once');
      const longer = { now: start + 11, until: start + 99, most };
      t.match(await integrationKeys.rotate(id, last.id, make.key(), longer), {
        replaces: { expiresAt: start + 20 },
      });
      t.equal(await integrationKeys.rotate(id, missing, make.key(), longer), 'no_key');
      t.equal(await integrationKeys.rotate(missing, last.id, make.key(), longer), 'no_integration');
    },
  );

  t.test('integration keys: one is revoked alone, and only as a key of its integration', async (t) => {
    const store = await open(t);
    const { id, keyHash } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const { integrationKeys } = store;
    const key = make.key();
    await integrationKeys.create(id, key, start, most);
    t.equal(await integrationKeys.revoke(other.id, key.id, start), 'no_key');
    t.equal(
      await integrationKeys.rotate(other.id, key.id, make.key(), { now: start, until: start + 9, most }),
      'no_key',
    );
    const before = await make.revisionOf(store, id);
    t.match(await integrationKeys.revoke(id, key.id.toUpperCase(), start + 1), { revokedAt: start + 1 });
    t.ok((await make.revisionOf(store, id)) > before, 'what it was about to record is stale');
    t.equal(await integrationKeys.revoke(id, key.id, start + 2), 'already_revoked');
    t.equal(await integrationKeys.find(key.keyHash, start), null);
    t.match(await integrationKeys.find(keyHash, start), { integration: { id } });
    t.equal(
      await integrationKeys.rotate(id, key.id, make.key(), { now: start, until: start, most }),
      'not_live',
    );
    await store.integrations.delete(id, start + 3);
    t.equal(await integrationKeys.find(keyHash, start), null);
    t.equal((await integrationKeys.list(id, page))?.total, 2, 'the record stays');
  });

  t.test('integration keys: replacing the key replaces all, as the newest one was', async (t) => {
    const store = await open(t);
    const { id, keyHash } = await make.createIntegration(store);
    const reader = make.key({ name: 'reader', scopes: ['read'] });
    await store.integrationKeys.create(id, reader, start, most);
    const next = make.key();
    await store.integrations.replaceKey(id, next, start + 1);
    t.equal(await store.integrationKeys.find(keyHash, start + 1), null);
    t.equal(await store.integrationKeys.find(reader.keyHash, start + 1), null);
    t.match(await store.integrationKeys.find(next.keyHash, start + 1), {
      key: { name: 'reader', scopes: ['read'] },
    });
  });

  t.test('integration keys: the last use never moves back', async (t) => {
    const store = await open(t);
    const { id: integrationId } = await make.createIntegration(store);
    const listed = async () => (await store.integrationKeys.list(integrationId, page))?.items[0];
    const { id = '' } = (await listed()) ?? {};
    await store.integrationKeys.recordUse(id, start + 5);
    await store.integrationKeys.recordUse(id, start + 1);
    t.match(await listed(), { lastUsedAt: start + 5 });
  });
}
