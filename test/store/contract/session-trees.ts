import type { Test } from 'tap';
import { placeUnder } from '../../../src/evaluate/session-places.ts';
import type { Sighting } from '../../../src/schemas/session-context.ts';
import * as make from '../samples.ts';
import { missing, type Open } from './open.ts';

const { start } = make;

export function sessionTrees(t: Test, open: Open): void {
  t.test('trees: a child is opened under a parent that is ACTIVE, and known by it', async (t) => {
    const store = await open(t);
    const settings = (await make.createIntegration(store)).settings;
    const { id } = await make.createIntegration(store, { settings: { ...settings, delegatesTo: [missing] } });
    const root = make.session(id, { expiresAt: start + 1_000, entityId: missing });
    await store.sessions.create(root, '{}', null);
    const found = await store.sessions.findParent(root.id.toUpperCase(), start);
    const known = {
      id: root.id,
      integrationId: id,
      place: null,
      entityId: missing,
      expiresAt: start + 1_000,
    };
    t.strictSame(found, { ...known, status: 'ACTIVE', delegatesTo: [missing] });
    t.equal((await store.sessions.findParent(root.id, start + 1_000))?.status, 'EXPIRED');
    t.equal(await store.sessions.findParent(missing, start), null);
    const place = placeUnder(known, id);
    const child = make.session(id, { place });
    t.strictSame(await store.sessions.create(child, '{}', null), { kind: 'created' });
    t.strictSame((await store.sessions.find(id, child.id, start))?.place, place);
    t.strictSame((await store.sessions.list(id, {}, { page: 1, size: 9 }, start)).items[0]?.place, place);
    t.strictSame((await store.sessions.findParent(child.id, start))?.place, place);
    const late = make.session(id, { place, startedAt: start + 1_000, expiresAt: start + 2_000 });
    t.strictSame(await store.sessions.create(late, '{}', null), {
      kind: 'parent_not_active',
      status: 'EXPIRED',
    });
    const evaluated = make.evaluation(id, {
      session: { open: make.session(id, { place }) },
      at: start + 1_000,
    });
    t.match(await store.evaluations.record(evaluated, () => make.verdict()), { kind: 'parent_not_active' });
  });

  t.test('trees: what an evaluation sees of its ancestors and its tree', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const root = make.session(id);
    await store.sessions.create(root, '{}', null);
    const child = make.session(id, {
      place: placeUnder({ id: root.id, integrationId: id, place: null }, id),
    });
    const see = (session: object, verdict: object = {}, more: object = {}) => {
      let seen: unknown;
      const evaluation = make.evaluation(id, { session, ...more } as never);
      return store.evaluations
        .record(
          evaluation,
          ({ depth, rootId, parentId, tree, labels, dataTags, actionCount }, _, __, rows) => {
            const found = [...(rows?.inherited ?? [])].map((one) => [one.isFull, one.find('d')]);
            const { actionCount: all, toolCounts, labels: marks } = tree ?? {};
            seen = {
              depth,
              rootId,
              parentId,
              labels,
              dataTags,
              actionCount,
              found,
              tree: tree && [all, [...(toolCounts ?? [])], marks],
            };
            return make.verdict(verdict);
          },
        )
        .then(() => seen);
    };
    const seen: Sighting = {
      seq: 1,
      tool: 'x',
      phase: 'PROMPT',
      labels: [],
      whole: false,
      field: '',
      origin: '',
    };
    const writes = [{ digest: 'd', sightings: [seen] }];
    const marked = { labels: ['A'], sightings: { writes, isFull: false } };
    t.match(await see({ id: root.id }, marked, { dataTags: ['PII'] }), {
      depth: 0,
      rootId: root.id,
      parentId: null,
      tree: null,
    });
    const inherited = { labels: ['A'], dataTags: ['PII'], found: [[false, [seen]]] };
    t.strictSame(await see({ open: child }, { labels: ['B'] }), {
      ...{ depth: 1, rootId: root.id, parentId: root.id, actionCount: 0 },
      ...inherited,
      tree: [1, [['x', 1]], ['A']],
    });
    t.match(await see({ id: child.id }), {
      ...inherited,
      labels: ['A', 'B'],
      actionCount: 1,
      tree: [2, [['x', 2]], ['A', 'B']],
    });
    t.match(await see({ id: root.id }), { labels: ['A'], actionCount: 1, tree: [3, [['x', 3]], ['A', 'B']] });
    await store.sessions.end(id, child.id, { status: 'COMPLETED', now: start, response: () => '' });
    t.match(await see({ id: root.id }), { labels: ['A', 'B'], actionCount: 2 });
    const below = async (owner: string | null, parentSessionId: string) => {
      const page = { page: 1, size: 10 };
      const { items, total } = await store.sessions.list(owner, { parentSessionId }, page, start);
      return [items.map((session) => session.id), total];
    };
    t.strictSame(await below(null, root.id.toUpperCase()), [[child.id], 1], 'also after it has ended');
    t.strictSame(await below(id, child.id), [[], 0]);
    t.strictSame(
      await below((await make.createIntegration(store)).id, root.id),
      [[], 0],
      'of another integration',
    );
  });

  t.test('trees: a session that continues an ended one is opened below its root', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const root = make.session(id);
    await store.sessions.create(root, '{}', null);
    const mark = (session: object, label: string, at = start) =>
      store.evaluations.record(make.evaluation(id, { session, at, dataTags: [label] } as never), () =>
        make.verdict({ labels: [label] }),
      );
    const see = async (session: object, at: number) => {
      let seen: unknown;
      await store.evaluations.record(
        make.evaluation(id, { session, at } as never),
        ({ depth, labels, dataTags, actionCount, tree }) => {
          seen = { depth, labels, dataTags, actionCount, all: tree?.actionCount };
          return make.verdict();
        },
      );
      return seen;
    };
    await mark({ id: root.id }, 'A');
    await store.sessions.end(id, root.id, { status: 'COMPLETED', now: start + 1, response: () => '' });
    const under = placeUnder({ id: root.id, integrationId: id, place: null }, id);
    const next = (previousId: string, at: number) =>
      make.session(id, { place: { ...under, previousId }, startedAt: at, expiresAt: at + 5_000 });
    const second = next(root.id, start + 10);
    t.match(await store.sessions.create(second, '{}', null), { kind: 'parent_not_active' });
    const opened = { ...second, continuesEnded: true };
    t.strictSame(await store.sessions.create(opened, '{}', null), { kind: 'created' });
    t.strictSame((await store.sessions.find(id, second.id, start + 10))?.place, second.place);
    t.match(await store.sessions.findParent(second.id, start + 10), {
      place: second.place,
      status: 'ACTIVE',
    });
    const known = { depth: 1, labels: ['A'], dataTags: ['A'] };
    t.strictSame(await see({ id: second.id }, start + 10), { ...known, actionCount: 0, all: 1 });
    await mark({ id: second.id }, 'B', start + 11);

    // It expires, and the next one is opened by an evaluation, long after the root would have expired.
    const at = start + 10_000;
    const third = next(second.id, at);
    t.strictSame(await see({ open: third }, at), undefined, 'not without saying that it continues');
    const both = { depth: 1, labels: ['A', 'B'], dataTags: ['A', 'B'] };
    const open3 = { open: { ...third, continuesEnded: true } };
    t.strictSame(await see(open3, at), { ...both, actionCount: 0, all: 3 });
    t.match(await store.sessions.find(id, root.id, at), { status: 'COMPLETED', labels: ['A', 'B'] });
    t.match(await store.sessions.find(id, second.id, at), { status: 'EXPIRED', labels: ['B'] });
    const listed = await store.sessions.list(id, { parentSessionId: root.id }, { page: 1, size: 9 }, at);
    t.strictSame(
      listed.items.map((one) => one.place?.previousId),
      [second.id, root.id],
    );
  });

  t.test('trees: an evaluation is decided with the policies of all integrations above', async (t) => {
    const store = await open(t);
    const [one, two] = [await make.createIntegration(store), await make.createIntegration(store)];
    const root = make.session(one.id);
    await store.sessions.create(root, '{}', null);
    const place = placeUnder({ id: root.id, integrationId: one.id, place: null }, two.id);
    t.strictSame(place.delegatedBy, [one.id]);
    const child = make.session(two.id, { place });
    const record = (session: object, delegators: object[]) =>
      store.evaluations.record(make.evaluation(two.id, { session, delegators } as never), () =>
        make.verdict(),
      );
    const asked = { kind: 'delegated', integrationIds: [one.id] };
    t.match(await record({ open: child }, []), asked);
    const revision = await make.revisionOf(store, one.id).catch(() => 0);
    t.equal((await record({ open: child }, [{ integrationId: one.id, revision }])).kind, 'recorded');
    t.match(await record({ id: child.id }, []), asked);
    t.match(await record({ id: child.id }, [{ integrationId: one.id, revision: revision + 1 }]), {
      kind: 'stale',
    });
    await store.integrations.change(one.id, { name: 'm' }, start);
    t.match(await record({ id: child.id }, [{ integrationId: one.id, revision }]), { kind: 'stale' });
    const alone = make.session(two.id);
    t.match(await record({ open: alone }, [{ integrationId: one.id, revision: revision + 1 }]), {
      kind: 'delegated',
      integrationIds: [],
    });
  });
}
