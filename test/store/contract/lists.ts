import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open, page } from './open.ts';

const { start } = make;
const by = (more: object = {}) => ({ at: start, author: null, note: null, ...more });
const list = (more: object = {}) => ({
  id: make.newId(),
  name: `n${make.newId().slice(-6)}`,
  kind: 'DOMAINS' as const,
  description: null,
  entries: ['a.com', 'b.com'],
  createdAt: start,
  ...more,
});
const to = (...entries: string[]) => ({ entries: () => ({ entries }) });

export function lists(t: Test, open: Open): void {
  t.test('lists: what is stored comes back, under a name of its own', async (t) => {
    const { lists } = await open(t);
    const given = list({ name: 'internal', description: 'ours' });
    const stored = { ...given, version: 1, updatedAt: start };
    t.strictSame(await lists.create(given, by()), stored);
    t.equal(await lists.create(list({ name: 'internal' }), by()), 'name_taken');
    t.strictSame(await lists.find(given.id.toUpperCase()), stored);
    t.equal(await lists.find(missing), null);
    const other = list({ name: 'Internal', kind: 'TOOLS', entries: [] });
    await lists.create(other, by());
    t.strictSame(await lists.names(), ['Internal', 'internal']);
    const { entries: _, ...summary } = stored;
    t.strictSame(await lists.list(page, { kind: 'DOMAINS' }), {
      items: [{ ...summary, entryCount: 2 }],
      total: 1,
    });
    t.match(await lists.list(page, {}), { items: [{ id: other.id, entryCount: 0 }, {}], total: 2 });
  });

  t.test(
    'lists: each change raises the version and is recorded with what it added and removed',
    async (t) => {
      const { lists } = await open(t);
      const { id } = list();
      await lists.create(list({ id }), by({ note: 'first' }));
      const changed = await lists.change(
        id.toUpperCase(),
        { description: 'd', entries: (before) => ({ entries: [...before.slice(1), 'c.com'] }) },
        new Set([7, 1]),
        by({ at: start + 5, author: 'local', note: 'why' }),
      );
      t.match(changed, { version: 2, description: 'd', entries: ['b.com', 'c.com'], updatedAt: start + 5 });
      t.equal(await lists.change(id, to('x'), new Set([1]), by()), 'outdated');
      t.equal(await lists.change(missing, to('x'), null, by()), 'no_list');
      t.strictSame(await lists.change(id, { entries: () => ({ refusal: 'no' }) }, null, by()), {
        refusal: 'no',
      });
      t.match(await lists.find(id), { version: 2, entries: ['b.com', 'c.com'] });
      t.strictSame(await lists.listChanges(id, page, 1_000), {
        items: [
          {
            version: 2,
            author: 'local',
            authorName: null,
            note: 'why',
            added: ['c.com'],
            removed: ['a.com'],
            createdAt: start + 5,
            omitted: [],
          },
          {
            version: 1,
            author: null,
            authorName: null,
            note: 'first',
            added: ['a.com', 'b.com'],
            removed: [],
            createdAt: start,
            omitted: [],
          },
        ],
        total: 2,
      });
      const [, first] = (await lists.listChanges(id, page, 10))?.items ?? [];
      t.match(first, { added: null, removed: [], omitted: ['added'] });
      t.equal(await lists.listChanges(missing, page, 10), null);
    },
  );

  t.test('lists: of two changes that expect the same version one is made', async (t) => {
    const { lists } = await open(t);
    const { id } = list();
    await lists.create(list({ id }), by());
    const both = await Promise.all(['x', 'y'].map((one) => lists.change(id, to(one), new Set([1]), by())));
    t.equal(both.filter((result) => result === 'outdated').length, 1);
  });

  t.test('lists: what decides has the entries as they are, and a change raises its revision', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const [read, unread] = [list({ name: 'read' }), list({ name: 'unread' })];
    for (const one of [read, unread]) await store.lists.create(one, by());
    const policy = await store.policies.create(
      { id: make.newId(), status: 'ACTIVE', createdAt: start },
      { ...make.document('d'), lists: ['read'] },
    );
    await store.policies.bind(id, policy.id, null, start);
    const inForce = async () => {
      const found = await store.policies.findInForce(id);
      return { revision: found?.revision ?? 0, lists: [...(found?.lists ?? [])] };
    };
    const before = await inForce();
    t.strictSame(before.lists, [['read', { id: read.id, version: 1, entries: ['a.com', 'b.com'] }]]);
    await store.lists.change(unread.id, to('x'), null, by());
    t.equal((await inForce()).revision, before.revision);
    await store.lists.change(read.id, to('x'), null, by());
    const after = await inForce();
    t.ok(after.revision > before.revision);
    t.strictSame(after.lists, [['read', { id: read.id, version: 2, entries: ['x'] }]]);
  });

  t.test('lists: one that a policy reads is kept, until it is deprecated or reads it no more', async (t) => {
    const store = await open(t);
    const one = list({ name: 'used' });
    await store.lists.create(one, by());
    const document = { ...make.document('d', 'reader'), lists: ['used'] };
    const create = () =>
      store.policies.create({ id: make.newId(), status: 'DRAFT', createdAt: start }, document);
    const [a, b] = [await create(), await create()];
    t.strictSame(await store.lists.delete(one.id, null), { usedBy: ['reader', 'reader'] });
    await store.policies.deprecate(a.id, start);
    t.strictSame(await store.lists.delete(one.id, null), { usedBy: ['reader'] });
    await store.policies.addVersion(b.id, make.document('e', 'reader'), start, { activates: false });
    await store.policies.schedule(b.id, 1, start + 9, start);
    await store.policies.activate(b.id, 2, start);
    await store.policies.schedule(b.id, 1, start + 9, start);
    t.strictSame(await store.lists.delete(one.id, null), { usedBy: ['reader'] }, 'it is scheduled');
    await store.policies.unschedule(b.id, start);
    t.equal(await store.lists.delete(one.id, new Set([2])), 'outdated');
    t.equal(await store.lists.delete(missing, null), 'no_list');
    t.match(await store.lists.delete(one.id, new Set([1])), { name: 'used' });
    t.equal(await store.lists.find(one.id), null);
    const asked: (readonly string[])[] = [];
    const accepts = ({ missingLists }: { missingLists: readonly string[] }) => void asked.push(missingLists);
    await store.policies.activate(b.id, 1, start, { accepts });
    t.strictSame(asked, [['used']], 'what an older version reads is missing');
    await store.lists.create(list({ name: 'used' }), by());
    t.equal((await store.lists.names()).length, 1, 'the name is free again');
  });
}
