import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;

export function integrations(t: Test, open: Open): void {
  t.test('integrations: found by id in any case and by the key in force only', async (t) => {
    const { integrations } = await open(t);
    const id = 'abcdefab-0000-4000-8000-000000000001';
    const first = await make.createIntegration({ integrations } as Store, { id });
    const { keyHash, ...stored } = first;
    t.strictSame(await integrations.find(id.toUpperCase()), stored);
    t.strictSame(await integrations.findByKey(keyHash, start), stored);
    t.equal(await integrations.findByKey(make.newHash(), start), null);
    t.equal(await integrations.find(missing), null);
    const next = make.key({ expiresAt: start + 5, keyPrefix: 'asz_live_next' });
    const changed = await integrations.replaceKey(id, next, start + 1);
    t.match(changed, { id, keyPrefix: 'asz_live_next', keyExpiresAt: start + 5, updatedAt: start });
    t.equal(await integrations.findByKey(keyHash, start + 1), null, 'the old key');
    t.match(await integrations.findByKey(next.keyHash, start + 4), { id });
    t.equal(await integrations.findByKey(next.keyHash, start + 5), null, 'expired at the very moment');
    t.equal(await integrations.replaceKey(missing, make.key(), start), null);
  });

  t.test('integrations: a change keeps what is absent and merges settings', async (t) => {
    const store = await open(t);
    const { id, settings } = await make.createIntegration(store, { description: 'd' });
    const { integrations } = store;
    const changed = await integrations.change(id, { settings: { requestsPerMinute: 7 } }, start + 1);
    t.match(changed, {
      name: 'n',
      description: 'd',
      settings: { ...settings, requestsPerMinute: 7 },
      updatedAt: start + 1,
    });
    t.match(await integrations.change(id, { description: null, name: 'm' }, start + 2), {
      name: 'm',
      description: null,
      settings: { requestsPerMinute: 7 },
    });
    t.equal(await integrations.change(missing, { name: 'm' }, start), null);
    t.equal(await integrations.replaceWebhookSecret(id, 'whsec_y', start), true);
    t.equal(await integrations.replaceWebhookSecret(missing, 'whsec_y', start), false);
  });

  t.test('integrations: a deleted one can be read, is in no list, and its key is dead', async (t) => {
    const store = await open(t);
    const kept = await make.createIntegration(store);
    const gone = await make.createIntegration(store);
    t.match(await store.integrations.findByKey(gone.keyHash, start), { id: gone.id });
    t.match(await store.integrations.delete(gone.id, start + 1), { id: gone.id, keyPrefix: null });
    t.match(await store.integrations.find(gone.id), { keyPrefix: null, deletedAt: start + 1 });
    t.match(await store.integrations.find(kept.id), { deletedAt: null });
    t.equal(await store.integrations.findByKey(gone.keyHash, start + 1), null);
    t.equal(await store.integrations.delete(gone.id, start + 2), null);
    t.equal(await store.integrations.change(gone.id, { name: 'm' }, start), null);
    t.equal(await store.integrations.replaceKey(gone.id, make.key(), start), null);
    const { items, total } = await store.integrations.list(page);
    t.strictSame([items.map(({ id }) => id), total], [[kept.id], 1]);
  });

  t.test('the revision differs after every change of what decides', async (t) => {
    const store = await open(t);
    const seen = new Set([store.revision()]);
    const { id } = await make.createIntegration(store);
    let policyId = '';
    const changes: (() => Promise<unknown>)[] = [
      async () => undefined,
      () => store.integrations.change(id, { name: 'm' }, start),
      () => store.integrations.replaceKey(id, make.key(), start),
      async () => {
        const created = { id: make.newId(), status: 'ACTIVE' as const, createdAt: start };
        policyId = (await store.policies.create(created, make.document('1'))).id;
      },
      () => store.policies.bind(id, policyId, start),
      () => store.policies.addVersion(policyId, make.document('2'), start),
      () => store.policies.activate(policyId, 1, start),
      () => store.policies.unbind(id, policyId),
      () => store.policies.deprecate(policyId, start),
      () => store.policies.delete(policyId),
      () => store.integrations.delete(id, start),
    ];
    for (const change of changes) {
      await change();
      seen.add(store.revision());
    }
    t.equal(seen.size, changes.length + 1);
    t.equal(store.revision(), store.revision(), 'and stays when nothing changed');
  });
}
