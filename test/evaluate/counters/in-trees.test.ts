import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const limit = (k: number, more = ''): string => `
schemaVersion: 1
name: tree-limit
counters:
  calls: { over: tree, where: tool == "call"${more} }
rules:
  - { id: limit, when: tool == "call" && counters.calls >= ${k}, effect: BLOCK }
`;

function agentOf(app: TestApp, key: string) {
  return {
    open: async (body: object = {}): Promise<string> =>
      (await app.call(key, 'POST', '/v1/evaluation-sessions', body)).body.data.id,
    call: async (sessionId: string | null, more: object = {}): Promise<string> => {
      const session = sessionId === null ? {} : { sessionId };
      const { body } = await app.call(key, 'POST', '/v1/evaluate', {
        input: { tool: 'call' },
        ...session,
        ...more,
      });
      if (!body.success) throw new Error(JSON.stringify(body));
      return body.data.enforcementAction;
    },
    end: (id: string) => app.call(key, 'POST', `/v1/evaluation-sessions/${id}/end`, {}),
  };
}

async function start(t: Test, document: string) {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, document);
  return { app, id, key, policyId, ...agentOf(app, key) };
}
const passed = (all: string[]): number => all.filter((action) => action === 'ALLOW').length;

t.test('a counter over a tree counts its root and all below together, and no other tree', async (t) => {
  const { open, call, end } = await start(t, limit(4));
  const root = await open();
  t.equal(await call(root), 'ALLOW');
  const child = await open({ parentSessionId: root });
  const grandchild = await open({ parentSessionId: child });
  t.strictSame([await call(child), await call(grandchild), await call(root)], ['ALLOW', 'ALLOW', 'ALLOW']);
  for (const one of [root, child, grandchild]) t.equal(await call(one), 'BLOCK');
  t.equal(await call(null, { externalSessionId: 'new', parentSessionId: root }), 'BLOCK', 'a new child');
  await end(child);
  t.equal(await call(await open({ parentSessionId: root })), 'BLOCK', 'after a child ended');
  t.equal(await call(await open()), 'ALLOW', 'another tree');
  t.equal(await call(null, { externalSessionId: 'alone' }), 'ALLOW');
});

t.test('children of another integration count in the same tree', async (t) => {
  const one = await start(t, limit(3));
  const { app, id } = one;
  const other = await app.integration();
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, { settings: { delegatesTo: [other.id] } });
  const theirs = agentOf(app, other.key);
  const own = `schemaVersion: 1
name: own
counters:
  mine: { over: tree, where: tool == "call", per: input.tool }
rules:
  - { id: own, when: 'tool == "call" && counters.mine["call"] >= 100', effect: BLOCK }
`;
  await app.policy(other.id, own);
  const root = await one.open();
  t.equal(await one.call(root), 'ALLOW');
  const child = await theirs.open({ parentSessionId: root });
  t.strictSame([await theirs.call(child), await one.call(root)], ['ALLOW', 'ALLOW']);
  t.strictSame([await theirs.call(child), await one.call(root)], ['BLOCK', 'BLOCK']);
  const next = await one.open();
  const children = [next, await one.open({ parentSessionId: next })];
  const childrenOfOther = [await theirs.open({ parentSessionId: next })];
  const all = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      index % 3 === 2 ? theirs.call(childrenOfOther[0] as string) : one.call(children[index % 3] as string),
    ),
  );
  t.equal(passed(all), 3);
});

t.test('a new counter over trees first counts what was recorded in the tree', async (t) => {
  const { app, id, open, call, end } = await start(t, limit(1_000));
  const root = await open();
  const child = await open({ parentSessionId: root });
  const ended = await open({ parentSessionId: child });
  for (const session of [root, child, ended]) await call(session);
  await end(ended);
  const stranger = await open();
  await call(stranger);
  await app.policy(id, limit(4, ', within: 1h').replace('tree-limit', 'later'));
  t.equal(await call(child), 'ALLOW');
  t.strictSame([await call(root), await call(child)], ['BLOCK', 'BLOCK']);
  t.equal(await call(stranger), 'ALLOW');
});

t.test('what a tree has counted stays for its life', async (t) => {
  const { app, open, call, end } = await start(t, limit(2));
  const root = await open({ expiresAt: '2030-01-03T00:00:00.000Z' });
  const child = await open({ parentSessionId: root });
  t.strictSame([await call(child), await call(child), await call(child)], ['ALLOW', 'ALLOW', 'BLOCK']);
  app.clock.advance(24 * 3_600_000 - 1);
  t.equal(await call(root), 'BLOCK', 'after a day');
  t.equal(await call(child), 'BLOCK');
  await end(root);
  const other = await open();
  await call(other);
  app.clock.advance(40 * 24 * 3_600_000);
  t.equal(await call(await open()), 'ALLOW');
});

t.test('steps count over trees as the service does', async (t) => {
  const { app } = await start(t, limit(1));
  const held = { expect: { enforcementAction: 'BLOCK' } };
  const steps = [
    { tool: 'call' },
    { session: 'child', parent: 'main', tool: 'call' },
    { session: 'grandchild', parent: 'child', tool: 'call', ...held },
    { session: 'other', tool: 'call' },
    { tool: 'call', ...held },
  ];
  const document = `${limit(2)}tests:\n  - { name: a, steps: ${JSON.stringify(steps)} }\n`;
  const { body } = await app.call(adminKey, 'POST', '/v1/policies/check', document, {
    'content-type': 'application/yaml',
  });
  t.match(body.data, { valid: true, tests: [{ passed: true }] }, JSON.stringify(body.data));
});
