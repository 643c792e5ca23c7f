import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import { missing, type Open, page, wide } from './open.ts';
import { operator } from './operators.ts';

const { start } = make;

export function policies(t: Test, open: Open): void {
  const create = (store: Store, text: string, status: 'DRAFT' | 'ACTIVE' = 'ACTIVE') =>
    store.policies.create({ id: make.newId(), status, createdAt: start }, make.document(text));

  t.test('policies: versions count up, are never changed, and one of them is current', async (t) => {
    const store = await open(t);
    const { id } = await create(store, 'one');
    t.match(await store.policies.addVersion(id, make.document('two', 'q'), start + 1), {
      name: 'q',
      version: 2,
      latestVersion: 2,
      createdAt: start,
      updatedAt: start + 1,
    });
    t.match(await store.policies.activate(id, 1, start + 2), { name: 'p', version: 1, latestVersion: 2 });
    t.match(await store.policies.addVersion(id.toUpperCase(), make.document('three'), start), { version: 3 });
    t.match(await store.policies.findVersion(id, 1), { version: 1, document: 'one', createdAt: start });
    t.match(await store.policies.listVersions(id, { page: 2, size: 2 }, wide), {
      items: [{ version: 1, document: 'one' }],
      total: 3,
    });
    t.equal(await store.policies.findVersion(id, 4), null);
    t.equal(await store.policies.activate(id, 4, start), 'no_version');
    t.equal(await store.policies.findVersion(missing, 1), null);
    t.equal(await store.policies.listVersions(missing, page, wide), null);
    t.equal(await store.policies.addVersion(missing, make.document('x'), start), 'no_policy');
    t.equal(await store.policies.activate(missing, null, start), 'no_policy');
    t.equal(await store.policies.deprecate(missing, start), 'no_policy');
    t.equal(await store.policies.delete(missing), 'no_policy');
  });

  t.test('policies: a version names its author, who may be kept from activating it', async (t) => {
    const store = await open(t);
    const ada = operator({ name: 'Ada' });
    await store.operators.create(ada);
    const id = make.newId();
    const byCommand = { ...make.document('one'), author: 'local' };
    await store.policies.create({ id, status: 'DRAFT', createdAt: start }, byCommand);
    const byAda = { ...make.document('two'), author: ada.id };
    t.match(
      await store.policies.addVersion(id, byAda, start, { activates: false }),
      { version: 2 },
      'a DRAFT decides nothing',
    );
    t.match(await store.policies.findVersion(id, 2), { author: ada.id, authorName: 'Ada' });
    t.match((await store.policies.listVersions(id, page, wide))?.items, [
      { author: ada.id, authorName: 'Ada' },
      { author: 'local', authorName: null },
    ]);
    t.equal(await store.policies.activate(id, null, start, { notBy: [ada.id] }), 'own_version');
    t.match(await store.policies.find(id), { status: 'DRAFT', version: 2 });
    t.match(await store.policies.activate(id, null, start, { notBy: [missing] }), {
      status: 'ACTIVE',
      version: 2,
    });
    const kept = { version: 2, latestVersion: 3, name: 'p' };
    t.match(
      await store.policies.addVersion(id, make.document('three', 'q'), start, { activates: false }),
      kept,
    );
    t.match(await store.policies.activate(id, 3, start, { notBy: [ada.id] }), { version: 3, name: 'q' });
  });

  t.test('policies: those that decide are ACTIVE and bound, in order of creation', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const [a, b, draft, old, foreign] = [
      await create(store, 'a'),
      await create(store, 'b'),
      await create(store, 'draft', 'DRAFT'),
      await create(store, 'old'),
      await create(store, 'foreign'),
    ];
    for (const policy of [b, a, draft, old]) await store.policies.bind(id, policy.id, null, start);
    await store.policies.bind(other.id, foreign.id, null, start);
    await store.policies.addVersion(a.id, make.document('a2'), start);
    await store.policies.deprecate(old.id, start);
    t.equal(await store.policies.deprecate(old.id, start), 'already_deprecated');
    const inForce = await store.policies.findInForce(id.toUpperCase());
    t.strictSame(inForce?.policies, [
      { policyId: a.id, version: 2, document: 'a2', params: '{}', mode: null, lists: [] },
      { policyId: b.id, version: 1, document: 'b', params: '{}', mode: null, lists: [] },
    ]);
    t.strictSame(inForce?.integration, await store.integrations.find(id));
    t.equal(await store.policies.findInForce(missing), null);
    t.match(await store.policies.list(page, { status: 'DRAFT' }), { items: [{ id: draft.id }], total: 1 });
    t.match(await store.policies.list(page, { status: 'DRAFT', name: 'unknown' }), { items: [], total: 0 });
    t.equal((await store.policies.listBound(id, page))?.total, 4);
    t.equal(await store.policies.listBound(missing, page), null);
    t.equal(await store.policies.bind(missing, a.id, null, start), null);
    t.equal(await store.policies.bind(id, missing, null, start), null);
    t.equal(await store.policies.unbind(id, foreign.id), null);
    t.equal(await store.policies.unbind(missing, a.id), null);
  });

  t.test('policies: one that ever decided is never deleted; what is gone decides nothing', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const { id: policyId } = await create(store, 'a');
    const unused = await create(store, 'b');
    await store.policies.bind(id, policyId, null, start);
    const set = (of: string) => ({ key: `${of}:1`, members: [{ policyId: of, version: 1 }], terms: [] });
    const decided = { policySet: set(policyId), revision: await make.revisionOf(store, id) };
    await store.evaluations.record(make.evaluation(id, decided), () => make.verdict());
    t.equal(await store.policies.delete(policyId), 'has_decided');
    await store.policies.unbind(id, policyId);
    await store.policies.bind(id, unused.id, null, start);
    const revision = await make.revisionOf(store, id);
    t.match(await store.policies.delete(unused.id), { id: unused.id });
    t.equal(await store.policies.find(unused.id), null);
    t.equal((await store.policies.listBound(id, page))?.total, 0);
    const late = make.evaluation(id, {
      policySet: set(unused.id),
      revision,
      session: { open: make.session(id) },
    });
    const decide = () => {
      throw new Error('decided by policies that are not in force');
    };
    t.strictSame(await store.evaluations.record(late, decide), { kind: 'stale' });
    t.equal((await store.sessions.list(id, {}, page, start)).total, 0, 'nothing is half recorded');
  });
}
