import type { Test } from 'tap';
import type { Store, VersionInUse } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;
const create = (store: Store, text: string, status: 'ACTIVE' | 'DRAFT' = 'ACTIVE') =>
  store.policies.create({ id: make.newId(), status, createdAt: start }, make.document(text, text));
const terms = (params: object, mode: 'ENFORCE' | 'MONITOR' | null = null) => ({
  params: JSON.stringify(params),
  mode,
});
const refuse = () => {
  throw new Error('refused');
};

export function bindings(t: Test, open: Open): void {
  t.test('bindings: have terms, which stay until they are given anew', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const { id: policyId } = await create(store, 'a');
    const bound = { integrationId: id, policyId, createdAt: start, updatedAt: start };
    t.strictSame(await store.policies.bind(id, policyId, null, start), { ...bound, ...terms({}) });
    const given = { ...bound, ...terms({ x: 1 }, 'MONITOR'), updatedAt: start + 1 };
    t.strictSame(
      await store.policies.bind(id.toUpperCase(), policyId, terms({ x: 1 }, 'MONITOR'), start + 1),
      given,
    );
    t.strictSame(await store.policies.bind(id, policyId.toUpperCase(), null, start + 2), given);
    t.match(await store.policies.listBound(id, page), { items: [{ id: policyId, binding: given }] });
    t.match((await store.policies.findInForce(id))?.policies, [{ policyId, ...terms({ x: 1 }, 'MONITOR') }]);
    await t.rejects(store.policies.bind(id, policyId, terms({ x: 2 }), start, { accepts: refuse }));
    t.strictSame(await store.policies.unbind(id, policyId), given, 'what was refused changed nothing');
    t.equal(await store.policies.unbind(id, policyId), null);
  });

  t.test('bindings: a version is accepted with every binding it would decide for', async (t) => {
    const store = await open(t);
    const [a, b, gone] = await Promise.all([1, 2, 3].map(() => make.createIntegration(store)));
    if (!a || !b || !gone) throw new Error('there are three');
    const { id } = await create(store, 'v1');
    await store.policies.bind(a.id, id, terms({ n: 1 }), start);
    await store.policies.bind(gone.id, id, terms({ n: 9 }), start);
    await store.integrations.delete(gone.id, start);
    await store.policies.bindHouse(id, terms({ n: 2 }), start);
    const asked: VersionInUse[] = [];
    const accepts = (version: VersionInUse) => void asked.push(version);
    const all = [
      { integrationId: null, params: '{"n":2}' },
      { integrationId: a.id, params: '{"n":1}' },
    ];
    await store.policies.addVersion(id, make.document('v2'), start, { accepts });
    t.strictSame(asked.splice(0), [{ version: 2, document: 'v2', bindings: all, missingLists: [] }]);
    await store.policies.addVersion(id, make.document('v3'), start, { accepts, activates: false });
    t.strictSame(asked.splice(0), [], 'it decides nothing yet');
    await store.policies.schedule(id, 3, start + 10, start, { accepts });
    await store.policies.activate(id, 1, start, { accepts });
    await store.policies.activate(id, 2, start);
    await store.policies.rollBack(id, null, start, { accepts });
    t.strictSame(
      asked.splice(0).map(({ version, bindings }) => [version, bindings]),
      [
        [3, all],
        [1, all],
        [1, all],
      ],
    );
    for (const change of [
      () => store.policies.addVersion(id, make.document('v4'), start, { accepts: refuse }),
      () => store.policies.activate(id, 2, start, { accepts: refuse }),
      () => store.policies.schedule(id, 2, start + 1, start, { accepts: refuse }),
    ])
      await t.rejects(change());
    t.match(await store.policies.find(id), { version: 1, latestVersion: 3, scheduledAt: null });

    await store.policies.schedule(id, 3, start + 10, start);
    await store.policies.bind(b.id, id, terms({ n: 3 }), start, { accepts });
    const own = [{ integrationId: b.id, params: '{"n":3}' }];
    t.strictSame(
      asked.splice(0).map(({ version, bindings }) => [version, bindings]),
      [
        [1, own],
        [3, own],
      ],
      'with the scheduled version as well',
    );
    await store.policies.bindHouse(id, terms({ n: 4 }), start, { accepts });
    t.strictSame(asked.splice(0)[0]?.bindings, [{ integrationId: null, params: '{"n":4}' }]);
  });

  t.test('house policies: decide for every integration, in addition to what is bound', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const [house, own, draft] = [
      await create(store, 'house'),
      await create(store, 'own'),
      await create(store, 'draft', 'DRAFT'),
    ];
    await store.policies.bind(id, own.id, null, start);
    const revision = await make.revisionOf(store, id);
    const bound = { policyId: house.id, ...terms({ n: 1 }), createdAt: start, updatedAt: start };
    t.strictSame(await store.policies.bindHouse(house.id.toUpperCase(), terms({ n: 1 }), start), bound);
    await store.policies.bindHouse(draft.id, null, start);
    t.ok((await make.revisionOf(store, id)) > revision);
    const inForce = async () =>
      (await store.policies.findInForce(id))?.policies.map(({ document, params, mode }) => [
        document,
        params,
        mode,
      ]);
    const [first, second] = [
      ['house', '{"n":1}', null],
      ['own', '{}', null],
    ];
    t.strictSame(await inForce(), [first, second]);
    const later = await make.createIntegration(store);
    t.match((await store.policies.findInForce(later.id))?.policies, [{ document: 'house' }]);

    await store.policies.bind(id, house.id, terms({ n: 1 }), start);
    t.strictSame(await inForce(), [first, second], 'the same on the same terms runs once');
    await store.policies.bind(id, house.id, terms({ n: 9 }, 'MONITOR'), start);
    t.strictSame(await inForce(), [first, ['house', '{"n":9}', 'MONITOR'], second]);
    t.strictSame(await store.policies.listIntegrationsOf(house.id), [id, later.id]);
    t.strictSame(await store.policies.listIntegrationsOf(own.id), [id]);
    t.strictSame(await store.policies.listIntegrationsOf(missing), []);

    t.strictSame(await store.policies.bindHouse(house.id, null, start + 5), bound, 'it stays as it is');
    t.match(await store.policies.bindHouse(house.id, terms({ n: 2 }), start + 5), {
      params: '{"n":2}',
      createdAt: start,
      updatedAt: start + 5,
    });
    t.match(await store.policies.listHouse(page), {
      items: [{ policyId: draft.id }, { policyId: house.id, policy: { name: 'house' } }],
      total: 2,
    });
    t.match(await store.policies.findHouse(house.id), { params: '{"n":2}' });
    t.equal(await store.policies.findHouse(own.id), null);
    t.equal(await store.policies.findHouse(missing), null);
    const uses = await store.policies.usesOf([house.id, draft.id, own.id, missing]);
    t.match(uses.get(house.id), {
      mayMonitor: false,
      house: { mode: null },
      bound: [{ mode: 'MONITOR', total: 1 }],
    });
    t.match(uses.get(draft.id), { house: { mode: null }, bound: [] });
    t.match(uses.get(own.id), { house: null, bound: [{ mode: null, total: 1 }] });
    t.equal(uses.size, 3);
    t.equal((await store.policies.usesOf([])).size, 0);
    t.equal(await store.policies.bindHouse(missing, null, start), null);
    t.match(await store.policies.unbindHouse(house.id), { policyId: house.id });
    t.equal(await store.policies.unbindHouse(house.id), null);
    t.equal(await store.policies.unbindHouse(missing), null);
    t.strictSame(await inForce(), [['house', '{"n":9}', 'MONITOR'], second], 'its own binding stays');
    t.strictSame(await store.policies.listIntegrationsOf(house.id), [id]);
    await store.policies.addVersion(own.id, make.document('mode: MONITOR'), start);
    await store.policies.addVersion(draft.id, make.document('an escape: \\x4d'), start);
    const changed = await store.policies.usesOf([own.id, draft.id]);
    t.strictSame(
      [...changed.values()].map(({ mayMonitor }) => mayMonitor),
      [true, true],
    );
    t.match(await store.policies.delete(draft.id), { id: draft.id });
    t.equal((await store.policies.listHouse(page)).total, 0);
  });
}
