import type { Test } from 'tap';
import * as make from '../samples.ts';
import { type Open, page } from './open.ts';
import { operator } from './operators.ts';

const { start } = make;
const terms = (params: object) => ({ params: JSON.stringify(params), mode: null });
const callback = () => ({ id: make.newId(), body: '{}' });

/** What a second operator agreed to is made only of what it was based upon; and who counts as a second operator. */
export function fourEyes(t: Test, open: Open): void {
  t.test('four eyes: a binding is changed or removed only as it is expected to be', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const policy = { id: make.newId(), status: 'ACTIVE' as const, createdAt: start };
    await store.policies.create(policy, make.document('a'));
    const { policies } = store;
    const bind = (n: number, expected: ReturnType<typeof terms> | null) =>
      policies.bind(id, policy.id, terms({ n }), start, { expected });
    t.equal(await bind(1, terms({})), 'outdated', 'there is none');
    t.match(await bind(1, null), terms({ n: 1 }));
    t.equal(await bind(2, null), 'outdated', 'there is one');
    t.equal(await bind(3, terms({ n: 2 })), 'outdated');
    t.match(await bind(2, terms({ n: 1 })), terms({ n: 2 }));
    const unbind = (n: number) => policies.unbind(id, policy.id, { expected: terms({ n }) });
    t.equal(await unbind(1), 'outdated');
    const both = await Promise.all([unbind(2), bind(3, terms({ n: 2 }))]);
    t.equal(both.filter((result) => result === 'outdated' || result === null).length, 1, 'one of two wins');

    const house = (n: number, expected: ReturnType<typeof terms> | null) =>
      policies.bindHouse(policy.id, terms({ n }), start, { expected });
    t.equal(await house(1, terms({})), 'outdated');
    t.match(await house(1, null), terms({ n: 1 }));
    t.equal(await house(2, null), 'outdated');
    t.equal(await policies.unbindHouse(policy.id, { expected: terms({ n: 2 }) }), 'outdated');
    t.match(await policies.unbindHouse(policy.id, { expected: terms({ n: 1 }) }), terms({ n: 1 }));
  });

  t.test(
    'four eyes: settings, catalogues and operators change only as they are expected to be',
    async (t) => {
      const store = await open(t);
      const { id } = await make.createIntegration(store);
      const { integrations, operators, toolCatalogues } = store;
      const set = (whenNoPolicy: 'ALLOW' | 'BLOCK', expected: 'ALLOW' | 'BLOCK') =>
        integrations.change(id, { settings: { whenNoPolicy }, name: 'm' }, start, {
          name: 'n',
          settings: { whenNoPolicy: expected, delegatesTo: [] },
        });
      t.equal(await set('BLOCK', 'BLOCK'), 'outdated');
      t.match(await set('BLOCK', 'ALLOW'), { name: 'm', settings: { whenNoPolicy: 'BLOCK' } });
      t.equal(await set('ALLOW', 'BLOCK'), 'outdated', 'its name is another one');
      const revision = (await store.policies.findInForce(id))?.revision;

      t.equal(await toolCatalogues.replace(id, '[1]', start, '[]'), 'outdated', 'none was stored');
      t.equal((await store.policies.findInForce(id))?.revision, revision, 'nothing was changed');
      t.equal(await toolCatalogues.replace(id, '[1]', start, null), 'replaced');
      t.equal(await toolCatalogues.replace(id, '[2]', start, null), 'outdated');
      t.equal(await toolCatalogues.replace(id, '[2]', start, '[1]'), 'replaced');
      t.match(await toolCatalogues.find(id), { tools: '[2]' });

      const entityId = make.newId();
      const ann = operator({ roles: ['REVIEWER'], groups: ['a'] });
      await operators.create(ann);
      const change = (groups: string[]) =>
        operators.change(ann.id, { entityId }, start, { entityId: null, groups });
      t.equal(await change([]), 'outdated');
      t.match(await change(['a']), { entityId });
      t.equal(await change(['a']), 'outdated');
    },
  );

  t.test('four eyes: operators with one entityId are one person', async (t) => {
    const store = await open(t);
    const entityId = make.newId();
    const reviewer = (more: object = {}) => operator({ roles: ['REVIEWER'], ...more });
    const [ann, alias, bob] = [reviewer({ entityId }), reviewer({ entityId }), reviewer()];
    for (const one of [ann, alias, bob]) await store.operators.create(one);
    t.strictSame((await store.operators.listIdsOfEntity(entityId)).sort(), [ann.id, alias.id].sort());
    t.strictSame(await store.operators.listIdsOfEntity(make.newId()), []);

    const { id } = await make.createIntegration(store);
    const requires = [{ quorum: 2, from: [] }];
    const reviewId = await make.openReview(store, id, { terms: { requires, notRequester: false } });
    const by = ({ id: decidedBy, entityId }: typeof ann) =>
      store.reviews.decide(
        reviewId,
        {
          status: 'APPROVED',
          decidedBy,
          requester: { operatorIds: [decidedBy], entityId },
          comment: null,
          now: start,
        },
        callback,
      );
    t.match(await by(ann), { status: 'PENDING' });
    t.equal(await by(alias), 'already_approved');
    t.match(await by(bob), { status: 'APPROVED' });
  });

  t.test('four eyes: who may have requested an action of the tree takes no label away', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store, {}, make.key({ issuedBy: 'o1' }));
    const below = await make.createIntegration(store, {}, make.key({ issuedBy: 'o2' }));
    const other = await make.createIntegration(store, {}, make.key({ issuedBy: 'o3' }));
    const entityId = make.newId();
    const root = make.session(id);
    await store.sessions.create(root, '{}', null);
    const place = { parentId: root.id, rootId: root.id, depth: 1, delegatedBy: [id] };
    await store.sessions.create(make.session(below.id, { place, entityId }), '{}', null);
    await store.sessions.create(make.session(other.id), '{}', null);
    await store.evaluations.record(make.evaluation(id, { session: { id: root.id } }), () =>
      make.verdict({ labels: ['L'] }),
    );
    const remove = (operatorId: string, entity: string | null = null) =>
      store.sessions.removeLabel(root.id.toUpperCase(), 'L', {
        operatorIds: ['o0', operatorId],
        entityId: entity,
      });
    t.equal(await remove('o1'), 'own_request', 'made a key of its integration');
    t.equal(await remove('o2'), 'own_request', 'made a key of the integration of a child');
    t.equal(await remove('o3', entityId), 'own_request', 'is the entity of a child');
    t.match((await store.sessions.list(id, {}, page, start)).items, [{ labels: ['L'] }]);
    t.equal(await remove('o3'), 'removed', 'made a key of another integration');
    t.equal(await remove('o3'), 'no_label');
  });

  t.test('four eyes: a name of a list is known as read as long as a version names it', async (t) => {
    const { policies, lists } = await open(t);
    const policy = { id: make.newId(), status: 'DRAFT' as const, createdAt: start };
    t.equal(await lists.isRead('safe'), false);
    await policies.create(policy, { ...make.document('a'), lists: ['safe'] });
    await policies.addVersion(policy.id, make.document('b'), start);
    t.equal(await lists.isRead('safe'), true, 'by an earlier version');
    t.equal(await lists.isRead('other'), false);
    await policies.delete(policy.id);
    t.equal(await lists.isRead('safe'), false);
  });
}
