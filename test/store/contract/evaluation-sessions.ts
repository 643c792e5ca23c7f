import type { Test } from 'tap';
import * as make from '../samples.ts';
import { missing, type Open, page, wide } from './open.ts';

const { start } = make;

export function sessions(t: Test, open: Open): void {
  t.test('sessions: are found, listed and ended by their own integration only', async (t) => {
    const store = await open(t);
    const mine = await make.createIntegration(store);
    const other = await make.createIntegration(store);
    const created = make.session(mine.id, { entityId: missing, externalSessionId: 'e', metadata: '{"a":1}' });
    await store.sessions.create(created, '{}', null);
    const expected = {
      ...created,
      status: 'ACTIVE',
      endedAt: null,
      actionCount: 0,
      warningCount: 0,
      blockCount: 0,
      reviewCount: 0,
      rejectionCount: 0,
      dataTags: [],
      labels: [],
      toolCounts: new Map(),
      attemptCounts: new Map(),
    };
    t.strictSame(await store.sessions.find(mine.id, created.id, start), expected);
    t.strictSame(await store.sessions.findWithActions(mine.id, created.id, start), {
      session: expected,
      recentActions: [],
      grants: [],
    });
    const { toolCounts: _, attemptCounts: __, ...common } = expected;
    t.strictSame(await store.sessions.list(mine.id, {}, page, start), {
      items: [{ ...common, toolsUsed: [], toolsUsedTotal: 0 }],
      total: 1,
    });
    const response = () => 'never';
    for (const stranger of [other.id, missing]) {
      t.equal(await store.sessions.find(stranger, created.id, start), null);
      t.strictSame(await store.sessions.list(stranger, {}, page, start), { items: [], total: 0 });
      t.equal(await store.sessions.findWithActions(stranger, created.id, start), null);
      t.strictSame(
        await store.sessions.end(stranger, created.id, { status: 'COMPLETED', now: start, response }),
        {
          kind: 'no_session',
        },
      );
      t.equal(await store.evaluations.listInSession(stranger, created.id, page, wide), null);
    }
    const strange = make.evaluation(other.id, { session: { id: created.id } });
    t.strictSame(await store.evaluations.record(strange, () => make.verdict()), { kind: 'no_session' });
    t.match(await store.sessions.find(mine.id, created.id, start), { actionCount: 0, status: 'ACTIVE' });
  });

  t.test(
    'sessions: of everyone, and what was recorded in them, are read without an integration',
    async (t) => {
      const store = await open(t);
      const recorded: string[] = [];
      const made: { integrationId: string; sessionId: string }[] = [];
      for (const _ of [1, 2]) {
        const { id } = await make.createIntegration(store);
        const session = make.session(id);
        const evaluation = make.evaluation(id, { session: { open: session } });
        await store.evaluations.record(evaluation, () => make.verdict());
        recorded.push(evaluation.id);
        made.push({ integrationId: id, sessionId: session.id });
      }
      const [first, second] = made;
      const { items, total } = await store.sessions.list(null, {}, { page: 1, size: 1 }, start);
      t.match([items, total], [[{ id: second?.sessionId, integrationId: second?.integrationId }], 2]);
      const id = first?.sessionId ?? '';
      t.match(await store.sessions.find(null, id, start), { integrationId: first?.integrationId });
      t.equal(await store.sessions.find(null, missing, start), null);
      t.equal((await store.sessions.findWithActions(null, id, start))?.recentActions.length, 1);
      t.match(await store.evaluations.listInSession(null, id, page, wide), {
        items: [{ id: recorded[0] }],
        total: 1,
      });
      const all = await store.evaluations.listRecorded(null, 10, wide);
      t.match(all, [
        { id: recorded[0], ...first },
        { id: recorded[1], ...second },
      ]);
      t.match(await store.evaluations.listRecorded(null, 1, wide), [{ id: recorded[1] }], 'the last ones');
      t.match(await store.evaluations.listRecorded(recorded[0] ?? '', 10, wide), [{ id: recorded[1] }]);
      t.strictSame(await store.evaluations.listRecorded(recorded[1] ?? '', 10, wide), []);
      t.equal(await store.evaluations.listRecorded(missing, 10, wide), null);
    },
  );

  t.test('sessions: expire by the clock, end once, and are filtered by what they are then', async (t) => {
    const store = await open(t);
    const { id } = await make.createIntegration(store);
    const [a, b, c] = [make.session(id), make.session(id, { externalSessionId: 'x' }), make.session(id)];
    for (const created of [a, b, c]) await store.sessions.create(created, '{}', null);
    const end = (of: string, at: number) =>
      store.sessions.end(id, of, {
        status: 'TERMINATED',
        now: at,
        response: (ended) => `${ended.status} ${ended.endedAt}`,
      });
    const racing = await Promise.all([end(a.id, start + 999), end(a.id, start + 999)]);
    t.strictSame(racing, [
      { kind: 'ended', response: `TERMINATED ${start + 999}` },
      { kind: 'not_active', status: 'TERMINATED' },
    ]);
    t.strictSame(await end(b.id, start + 1_000), { kind: 'not_active', status: 'EXPIRED' });
    const ids = async (filter: object, at: number) => {
      const { items, total } = await store.sessions.list(id, filter, page, at);
      t.equal(total, items.length);
      return items.map((item) => item.id);
    };
    t.strictSame(await ids({}, start), [c.id, b.id, a.id], 'newest first');
    t.strictSame(await ids({ status: 'ACTIVE' }, start + 999), [c.id, b.id]);
    t.strictSame(await ids({ status: 'ACTIVE' }, start + 1_000), []);
    t.strictSame(await ids({ status: 'EXPIRED' }, start + 1_000), [c.id, b.id]);
    t.strictSame(await ids({ status: 'TERMINATED' }, start + 1_000), [a.id]);
    t.strictSame(await ids({ status: 'COMPLETED' }, start), []);
    t.strictSame(await ids({ externalSessionId: 'x' }, start), [b.id]);
    t.strictSame(await ids({ entityId: missing }, start), []);
    const second = await store.sessions.list(id, {}, { page: 2, size: 2 }, start);
    t.strictSame([second.items.map((item) => item.id), second.total], [[a.id], 3]);
  });
}
