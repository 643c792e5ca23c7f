import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;

export function integrations(t: Test, open: Open): void {
  t.test('integrations: found by id in any case and by a live key only', async (t) => {
    const { integrations, integrationKeys } = await open(t);
    const id = 'abcdefab-0000-4000-8000-000000000001';
    const first = await make.createIntegration({ integrations } as Store, { id });
    const { keyHash, ...stored } = first;
    t.strictSame(await integrations.find(id.toUpperCase()), stored);
    t.match(await integrationKeys.find(keyHash, start), {
      integration: stored,
      key: { name: 'key', lastUsedAt: null },
    });
    t.equal(await integrationKeys.find(make.newHash(), start), null);
    t.equal(await integrations.find(missing), null);
    const next = make.key({ expiresAt: start + 5, keyPrefix: 'asz_live_next' });
    const changed = await integrations.replaceKey(id, next, start + 1);
    t.match(changed, { id, keyPrefix: 'asz_live_next', keyExpiresAt: start + 5, updatedAt: start });
    t.equal(await integrationKeys.find(keyHash, start + 1), null, 'the old key');
    t.match(await integrationKeys.find(next.keyHash, start + 4), { integration: { id } });
    t.equal(await integrationKeys.find(next.keyHash, start + 5), null, 'expired at the very moment');
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
    t.match(await store.integrationKeys.find(gone.keyHash, start), { integration: { id: gone.id } });
    t.match(await store.integrations.delete(gone.id, start + 1), { id: gone.id, keyPrefix: null });
    t.match(await store.integrations.find(gone.id), { keyPrefix: null, deletedAt: start + 1 });
    t.match(await store.integrations.find(kept.id), { deletedAt: null });
    t.equal(await store.integrationKeys.find(gone.keyHash, start + 1), null);
    t.equal(await store.integrations.delete(gone.id, start + 2), null);
    t.equal(await store.integrations.change(gone.id, { name: 'm' }, start), null);
    t.equal(await store.integrations.replaceKey(gone.id, make.key(), start), null);
    const { items, total } = await store.integrations.list(page);
    t.strictSame([items.map(({ id }) => id), total], [[kept.id], 1]);
    t.match(await store.integrations.list(page, { name: kept.name }), { items: [{ id: kept.id }], total: 1 });
    t.match(await store.integrations.list(page, { name: 'unknown' }), { items: [], total: 0 });
  });

  t.test('integrations: every change of what decides raises the revision, and is seen at once', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const theirs = await store.policies.findInForce(other.id);
    const first = await store.policies.findInForce(id);
    t.match(first, { policies: [], integration: { name: 'n' } });
    let seen = first?.revision ?? 0;
    let policyId = '';
    const raises = async (change: () => Promise<unknown>, expected: object | null) => {
      await change();
      const inForce = await store.policies.findInForce(id);
      t.match(inForce, expected);
      t.ok(inForce === null || inForce.revision > seen, change.toString());
      seen = inForce?.revision ?? seen;
    };
    const { policies, integrations, toolCatalogues } = store;
    await raises(() => integrations.change(id, { name: 'm' }, start), { integration: { name: 'm' } });
    await raises(() => integrations.change(id, { settings: { whenNoPolicy: 'BLOCK' } }, start), {
      integration: { settings: { whenNoPolicy: 'BLOCK' } },
    });
    await raises(() => toolCatalogues.replace(id, '[]', start), { tools: '[]' });
    await raises(() => toolCatalogues.replace(id, '[1]', start + 1), { tools: '[1]' });
    t.strictSame(await toolCatalogues.find(id), { tools: '[1]', updatedAt: start + 1 });
    t.strictSame(await toolCatalogues.find(other.id), { tools: null, updatedAt: null });
    t.equal(await toolCatalogues.find(missing), null);
    t.equal(await toolCatalogues.replace(missing, '[]', start), 'no_integration');
    await raises(() => integrations.replaceKey(id, make.key({ keyPrefix: 'p' }), start), {
      integration: { keyPrefix: 'p' },
    });
    const created = { id: make.newId(), status: 'ACTIVE' as const, createdAt: start };
    policyId = (await policies.create(created, make.document('1'))).id;
    await raises(() => policies.bind(id, policyId, null, start), { policies: [{ version: 1 }] });
    await raises(() => policies.addVersion(policyId, make.document('2'), start), {
      policies: [{ version: 2 }],
    });
    await raises(() => policies.activate(policyId, 1, start), { policies: [{ version: 1 }] });
    await raises(() => policies.deprecate(policyId, start), { policies: [] });
    await raises(() => policies.unbind(id, policyId), { policies: [] });
    await policies.bind(id, policyId, null, start);
    await raises(() => policies.delete(policyId), { policies: [] });
    await raises(() => integrations.delete(id, start), null);
    t.equal(
      (await store.policies.findInForce(other.id))?.revision,
      theirs?.revision,
      'nobody else decides again',
    );
  });

  t.test('integrations: an evaluation that was decided before a change is stale', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const revision = await make.revisionOf(store, id);
    const record = (more: object) =>
      store.evaluations.record(make.evaluation(id, { revision, ...more }), () => make.verdict());
    await store.integrations.change(other.id, { name: 'm' }, start);
    t.match(await record({}), { kind: 'recorded' });
    t.ok(await store.integrations.change(id, { settings: { whenNoPolicy: 'BLOCK' } }, start));
    t.strictSame(await record({}), { kind: 'stale' });
    t.match(await record({ revision: await make.revisionOf(store, id) }), { kind: 'recorded' });
    await store.integrations.delete(id, start);
    t.strictSame(await record({ revision: revision + 1 }), { kind: 'stale' });
  });
}
