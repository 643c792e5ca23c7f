import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import * as make from '../samples.ts';
import type { Open } from './open.ts';

const { start } = make;
const create = (store: Store, text: string) =>
  store.policies.create({ id: make.newId(), status: 'ACTIVE', createdAt: start }, make.document(text, text));
const monitor = { params: '{}', mode: 'MONITOR' } as const;
const enforce = { params: '{}', mode: 'ENFORCE' } as const;
const refuse = () => {
  throw new Error('refused');
};

/** A store that tells of integrations by their ids. A document that says `monitor` is in that mode. */
async function watched(t: Test, open: Open) {
  const store = await open(t);
  const modeOf = (document: string) => (document.startsWith('monitor') ? 'MONITOR' : 'ENFORCE');
  /** `read` in a change, or `learnt` before it; nothing of a document that is known. */
  const seen: [how: 'read' | 'learnt', document: string][] = [];
  const unknown = new Set<string>();
  store.policies.watchEnforcement({
    modeOf(document) {
      if (unknown.has(document)) seen.push(['read', document]);
      return modeOf(document);
    },
    known: (document) => (unknown.has(document) ? null : modeOf(document)),
    async learn(documents) {
      for (const document of documents) {
        seen.push(['learnt', document]);
        unknown.delete(document);
      }
    },
    event: ({ id, settings }) => ({
      id: make.newId(),
      type: 'integration.unprotected',
      at: start,
      integrationId: id,
      subject: settings.whenNoPolicy,
      data: '{}',
    }),
  });
  let after = 0;
  const told = async () => {
    const events = await store.events.listAfter(after, 100);
    after = events.at(-1)?.sequence ?? after;
    return events.map(({ integrationId }) => integrationId ?? '');
  };
  return { store, told, unknown, seen };
}

export function enforcement(t: Test, open: Open): void {
  t.test('enforcement: those without it are listed, in the order of their creation', async (t) => {
    const store = await open(t);
    const { policies } = store;
    const [a, b, c] = [
      await make.createIntegration(store),
      await make.createIntegration(store),
      await make.createIntegration(store),
    ];
    await store.integrations.delete(c.id, start);
    const list = async () =>
      (await policies.listUnprotected((text) => (text === 'monitor' ? 'MONITOR' : 'ENFORCE'))).map(
        ({ id }) => id,
      );
    t.strictSame(await list(), [a.id, b.id]);
    const [one, watches] = [await create(store, 'one'), await create(store, 'monitor')];
    await policies.bind(a.id, one.id, null, start);
    await policies.bind(b.id, watches.id, null, start);
    t.strictSame(await list(), [b.id]);
    await policies.bindHouse(one.id, null, start);
    t.strictSame(await list(), []);
  });

  t.test('enforcement: the change that leaves an integration without it writes one event', async (t) => {
    const { store, told } = await watched(t, open);
    const { policies } = store;
    const [a, b] = [await make.createIntegration(store), await make.createIntegration(store)];
    const [one, two] = [await create(store, 'one'), await create(store, 'two')];
    await policies.bind(a.id, one.id, monitor, start);
    t.strictSame(await told(), [], 'none was enforced before');
    await policies.bind(a.id, one.id, enforce, start);
    await policies.bind(a.id, two.id, null, start);
    await policies.unbind(a.id, two.id);
    t.strictSame(await told(), [], 'another one is still enforced');
    await policies.bind(a.id.toUpperCase(), one.id.toUpperCase(), monitor, start);
    t.strictSame(await told(), [a.id], 'it only monitors');
    await policies.unbind(a.id, one.id);
    t.strictSame(await told(), [], 'that was told');

    await policies.bindHouse(two.id, null, start);
    await policies.bindHouse(two.id, monitor, start);
    t.strictSame(await told(), [a.id, b.id], 'each that the house protected alone');
    await policies.bindHouse(two.id, null, start);
    await policies.bind(b.id, one.id, null, start);
    await store.integrations.delete(a.id, start);
    await policies.unbindHouse(two.id);
    t.strictSame(await told(), [], 'not of one that is deleted, nor of one that has its own');
    await policies.deprecate(one.id, start);
    t.strictSame(await told(), [b.id]);
    await policies.activate(one.id, null, start);
    await policies.delete(one.id);
    t.strictSame(await told(), [b.id]);
  });

  t.test('enforcement: versions say the mode where bindings do not', async (t) => {
    const { store, told } = await watched(t, open);
    const { policies } = store;
    const { id } = await make.createIntegration(store);
    const policy = await create(store, 'one');
    await policies.bind(id, policy.id, null, start);
    await t.rejects(policies.addVersion(policy.id, make.document('monitor 2'), start, { accepts: refuse }));
    t.strictSame(await told(), [], 'what was refused changed nothing');
    await policies.addVersion(policy.id, make.document('two'), start);
    await policies.addVersion(policy.id, make.document('monitor 3'), start, { activates: false });
    t.strictSame(await told(), []);
    await policies.activate(policy.id, 3, start);
    t.strictSame(await told(), [id]);
    await policies.rollBack(policy.id, 2, start);
    await policies.schedule(policy.id, 3, start + 10, start);
    t.strictSame(await told(), []);
    await policies.activateDue(start + 10);
    t.strictSame(await told(), [id], 'by a schedule, too');
  });

  t.test(
    'enforcement: documents that nobody has read are read before the change, not inside it',
    async (t) => {
      const { store, told, unknown, seen } = await watched(t, open);
      const { policies } = store;
      const { id } = await make.createIntegration(store);
      const [watches, one] = [await create(store, 'monitor 1'), await create(store, 'one')];
      await policies.bind(id, watches.id, null, start);
      await policies.bind(id, one.id, null, start);
      const changes = [
        () => policies.unbind(id, one.id),
        () => policies.bind(id, one.id, null, start),
        () => policies.bindHouse(one.id, monitor, start),
        () => policies.deprecate(one.id, start),
        () => policies.activate(one.id, null, start),
        () => policies.addVersion(one.id, make.document('two'), start),
        () => policies.schedule(one.id, 1, start + 10, start),
        () => policies.activateDue(start + 10),
      ];
      for (const change of changes) {
        unknown.add('monitor 1');
        await change();
      }
      t.notOk(
        seen.some(([how]) => how === 'read'),
        JSON.stringify(seen),
      );
      t.ok(seen.length >= 6);
      t.strictSame(await told(), [id, id]);
    },
  );

  t.test('enforcement: of changes at the same time, the last one tells', async (t) => {
    const { store, told } = await watched(t, open);
    const { id } = await make.createIntegration(store);
    // Each change waits for those before it, on PostgreSQL for three seconds at most.
    const bound = await Promise.all(Array.from({ length: 6 }, (_, place) => create(store, `p${place}`)));
    for (const policy of bound) await store.policies.bind(id, policy.id, null, start);
    await Promise.all(bound.map((policy) => store.policies.unbind(id, policy.id)));
    t.strictSame(await told(), [id]);
  });
}
