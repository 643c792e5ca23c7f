import t, { type Test } from 'tap';
import type { IntegrationSettings } from '../../src/features/integrations/schema.ts';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';

const missing = '00000000-0000-4000-9000-000000000000';

interface Agent {
  id: string;
  key: string;
  open(body?: object): Promise<{ id: string; status: number; body: Record<string, never> }>;
  send(sessionId: string, input: object, more?: object): Promise<Record<string, never>>;
  read(sessionId: string): Promise<Record<string, never>>;
  end(sessionId: string): Promise<void>;
}

async function agent(app: TestApp, settings: Partial<IntegrationSettings> = {}): Promise<Agent> {
  const { id, key } = await app.integration('AGENT', settings);
  return {
    id,
    key,
    async open(body = {}) {
      const { status, body: response } = await app.call(key, 'POST', '/v1/evaluation-sessions', body);
      return { id: response.data?.id, status, body: response };
    },
    async send(sessionId, input, more = {}) {
      const { body } = await app.call(key, 'POST', '/v1/evaluate', { sessionId, input, ...more });
      if (!body.success) throw new Error(JSON.stringify(body));
      return body.data;
    },
    read: async (sessionId) => (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data,
    async end(sessionId) {
      const { status } = await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`, {});
      if (status !== 200) throw new Error(`not ended: ${status}`);
    },
  };
}

async function start(t: Test, document?: string) {
  const app = await startApp(t);
  const one = await agent(app);
  if (document !== undefined) await app.policy(one.id, document);
  return { app, one };
}

const marks = `
schemaVersion: 1
name: marks
rules:
  - { id: mark, tool: mark, when: "true", label: [MARKED] }
  - { id: marked, when: '"MARKED" in session.labels', effect: WARN, reason: marked }
  - { id: personal, when: '"PII" in session.dataTags', effect: WARN, reason: personal }
  - { id: known, tool: use, when: 'size(seen(input.what)) > 0', effect: WARN, reason: known }
`;
const reasons = ({ violations }: { violations?: { reason: string }[] }) =>
  (violations ?? []).map(({ reason }) => reason).sort();

t.test('a child says where it stands, and is about whom its parent is about', async (t) => {
  const { one } = await start(t);
  const entityId = '00000000-0000-4000-8000-0000000000aa';
  const root = await one.open({ entityId, expiresAt: '2030-01-01T01:00:00.000Z' });
  const child = await one.open({ parentSessionId: root.id.toUpperCase() });
  const grandchild = await one.open({ parentSessionId: child.id });
  t.match(root.body.data, { parentSessionId: null, rootSessionId: root.id, depth: 0 });
  t.match(child.body.data, { parentSessionId: root.id, rootSessionId: root.id, depth: 1, entityId });
  t.match(await one.read(grandchild.id), {
    parentSessionId: child.id,
    rootSessionId: root.id,
    depth: 2,
    entityId,
    expiresAt: '2030-01-01T01:00:00.000Z',
  });
});

t.test('what is known of a parent counts for its children at once, but not the reverse', async (t) => {
  const { one } = await start(t, marks);
  const root = await one.open();
  const child = await one.open({ parentSessionId: root.id });
  const other = await one.open({ parentSessionId: root.id });
  await one.send(root.id, { tool: 'mark', mail: 'ann@example.com' });
  t.strictSame(reasons(await one.send(child.id, { tool: 'use', what: 'ann@example.com' })), [
    'known',
    'marked',
    'personal',
  ]);
  const third = await one.open({ parentSessionId: child.id });
  t.strictSame(reasons(await one.send(third.id, { tool: 'use', what: 'Ann@example.com' })), [
    'known',
    'marked',
    'personal',
  ]);
  const clean = await one.open();
  const [a, b] = [
    await one.open({ parentSessionId: clean.id }),
    await one.open({ parentSessionId: clean.id }),
  ];
  await one.send(a.id, { tool: 'mark', mail: 'bob@example.com' });
  t.strictSame(
    reasons(await one.send(b.id, { tool: 'look', what: 'bob@example.com' })),
    [],
    'not in its sibling',
  );
  t.strictSame(reasons(await one.send(clean.id, { tool: 'use', what: 'x' })), [], 'nor in the parent');
  t.ok(other.id);
});

for (const how of ['ended', 'expired'] as const) {
  t.test(`what is known of a child counts for its parent once it has ${how}`, async (t) => {
    const { app, one } = await start(t, marks);
    const root = await one.open();
    const child = await one.open({ parentSessionId: root.id, expiresAt: '2030-01-01T00:30:00.000Z' });
    const grandchild = await one.open({ parentSessionId: child.id });
    await one.send(grandchild.id, { tool: 'mark', mail: 'ann@example.com' });
    t.strictSame(reasons(await one.send(root.id, { tool: 'use', what: 'x' })), []);
    if (how === 'ended') await one.end(child.id);
    else app.clock.advance(1_800_000);
    await app.services.endedCounters.sweep();
    t.strictSame(reasons(await one.send(root.id, { tool: 'use', what: 'ann@example.com' })), [
      'known',
      'marked',
      'personal',
    ]);
    t.match(await one.read(root.id), { labels: ['MARKED'], status: 'ACTIVE' });
    t.equal((await one.read(grandchild.id)).status, how === 'ended' ? 'COMPLETED' : 'EXPIRED');
  });
}

t.test('ending a parent ends all below it, with its own status', async (t) => {
  const { app, one } = await start(t);
  const root = await one.open();
  const child = await one.open({ parentSessionId: root.id });
  const done = await one.open({ parentSessionId: root.id });
  const grandchild = await one.open({ parentSessionId: child.id });
  await one.end(done.id);
  const url = `/v1/evaluation-sessions/${root.id}/end`;
  t.equal((await app.call(one.key, 'POST', url, { status: 'TERMINATED' })).status, 200);
  for (const { id } of [child, grandchild]) t.equal((await one.read(id)).status, 'TERMINATED');
  t.equal((await one.read(done.id)).status, 'COMPLETED', 'what was over stays as it was');
  const late = await app.call(one.key, 'POST', '/v1/evaluate', { sessionId: grandchild.id, input: {} });
  t.equal(late.status, 409);
  t.equal((await one.open({ parentSessionId: root.id })).status, 409, 'no child of what is over');
});

t.test('rules see the depth, and the tree as they see a session', async (t) => {
  const { one } = await start(
    t,
    `
schemaVersion: 1
name: tree
rules:
  - id: shows
    when: "true"
    effect: WARN
    message: "{{session.depth}} {{tree.actionCount}} {{tree.toolCounts[?'a'].orValue(0)}} {{tree.attemptCounts[?tool].orValue(0)}} {{tree.warningCount}} {{tree.blockCount}} {{tree.reviewCount}} {{tree.toolsUsed.join('+')}} {{session.actionCount}} {{tree.id == session.id}} {{session.parentId == ''}} {{tree.startedAt == session.startedAt}} {{size(tree.dataTags) + size(tree.labels)}}"
`,
  );
  const shown = async (sessionId: string, tool: string) => {
    const data = (await one.send(sessionId, { tool })) as unknown as { violations: { message: string }[] };
    return data.violations[0]?.message;
  };
  const root = await one.open();
  t.equal(await shown(root.id, 'a'), '0 0 0 0 0 0 0  0 true true true 0', 'alone, the tree is the session');
  const child = await one.open({ parentSessionId: root.id });
  t.equal(await shown(child.id, 'a'), '1 1 1 1 1 0 0 a 0 false false true 0');
  t.equal(await shown(child.id, 'b'), '1 2 2 0 2 0 0 a 1 false false true 0');
  t.equal(await shown(root.id, 'c'), '0 3 2 0 3 0 0 a+b 1 true true true 0');
});

t.test('a limit over the tree is exact when its sessions act in parallel', async (t) => {
  const { one } = await start(
    t,
    `
schemaVersion: 1
name: limit
rules:
  - { id: limit, when: 'tree.toolCounts[?"x"].orValue(0) >= 7', effect: BLOCK }
`,
  );
  const root = await one.open();
  const children = await Promise.all(Array.from({ length: 8 }, () => one.open({ parentSessionId: root.id })));
  const all = await Promise.all(
    Array.from({ length: 64 }, (_, index) =>
      one.send((children[index % 8] as { id: string }).id, { tool: 'x' }),
    ),
  );
  t.equal(all.filter(({ enforcementAction }) => String(enforcementAction) === 'ALLOW').length, 7);
});

t.test('a session of another integration is a parent only where its setting names this one', async (t) => {
  const { app, one } = await start(t);
  const two = await agent(app);
  const root = await one.open();
  const refused = await two.open({ parentSessionId: root.id });
  const unknown = await two.open({ parentSessionId: missing });
  t.equal(refused.status, 404);
  t.strictSame(refused.body, unknown.body, 'as one that does not exist');
  const evaluate = (parentSessionId: string) =>
    app.call(two.key, 'POST', '/v1/evaluate', { input: {}, externalSessionId: 'x', parentSessionId });
  t.strictSame((await evaluate(root.id)).text, (await evaluate(missing)).text);
  await app.call(adminKey, 'PATCH', `/v1/integrations/${one.id}`, { settings: { delegatesTo: [two.id] } });
  t.equal((await two.open({ parentSessionId: root.id })).status, 201);
  t.equal((await evaluate(root.id)).status, 200);
  const theirs = await two.open();
  t.equal((await one.open({ parentSessionId: theirs.id })).status, 404, 'it holds in one direction');
  const child = await two.open({ parentSessionId: root.id });
  t.equal(
    (await app.call(one.key, 'GET', `/v1/evaluation-sessions/${child.id}`)).status,
    404,
    'nor may it read',
  );
});

t.test('the policies of both integrations apply in a delegated session, at once and always', async (t) => {
  const { app, one } = await start(t);
  const two = await agent(app);
  const rule = (name: string, tool: string) => `
schemaVersion: 1
name: ${name}
rules:
  - { id: block, tool: ${tool}, when: "true", effect: BLOCK }
`;
  const parents = await app.policy(one.id, rule('of-the-parent', 'a'));
  await app.policy(two.id, rule('of-the-child', 'b'));
  await app.call(adminKey, 'PATCH', `/v1/integrations/${one.id}`, { settings: { delegatesTo: [two.id] } });
  const root = await one.open();
  const child = await two.open({ parentSessionId: root.id });
  const grandchild = await two.open({ parentSessionId: child.id });
  const free = await two.open();
  const decide = async (sessionId: string, tool: string) => {
    const { enforcementAction, policiesEvaluated } = await two.send(sessionId, { tool });
    return [String(enforcementAction), Number(policiesEvaluated)];
  };
  for (const { id } of [child, grandchild]) {
    t.strictSame(await decide(id, 'a'), ['BLOCK', 2]);
    t.strictSame(await decide(id, 'b'), ['BLOCK', 2]);
    t.strictSame(await decide(id, 'c'), ['ALLOW', 2]);
  }
  t.strictSame(await decide(free.id, 'a'), ['ALLOW', 1]);
  const named = await app.call(two.key, 'POST', '/v1/evaluate', {
    input: { tool: 'a' },
    externalSessionId: 'n',
    parentSessionId: root.id,
  });
  t.equal(named.body.data.enforcementAction, 'BLOCK', 'the evaluation that opens it, too');
  await app.call(adminKey, 'POST', `/v1/policies/${parents}/deprecate`);
  t.strictSame(await decide(child.id, 'a'), ['ALLOW', 1]);
  await app.call(adminKey, 'DELETE', `/v1/integrations/${one.id}`);
  const after = await app.call(two.key, 'POST', '/v1/evaluate', { sessionId: child.id, input: {} });
  t.equal(after.status, 409, 'nothing passes without the policies of who delegated');
});

t.test('a session joined by name keeps its parent, and so none is its own ancestor', async (t) => {
  const { app, one } = await start(t);
  const evaluate = async (body: object) => {
    const { status, body: response } = await app.call(one.key, 'POST', '/v1/evaluate', {
      input: {},
      ...body,
    });
    return { status, error: response.errors?.[0], sessionId: response.data?.sessionId };
  };
  const root = await evaluate({ externalSessionId: 'root' });
  const child = await evaluate({ externalSessionId: 'child', parentSessionId: root.sessionId });
  t.equal((await one.read(child.sessionId)).parentSessionId, root.sessionId);
  const again = await evaluate({ externalSessionId: 'child', parentSessionId: root.sessionId });
  t.equal(again.sessionId, child.sessionId);
  t.equal((await evaluate({ externalSessionId: 'child' })).sessionId, child.sessionId);
  for (const parentSessionId of [child.sessionId, root.sessionId]) {
    const cycle = await evaluate({ externalSessionId: 'root', parentSessionId });
    t.match(cycle, { status: 409, error: { path: '/parentSessionId', message: /another parent/ } });
  }
  const other = await evaluate({ externalSessionId: 'other' });
  const moved = await evaluate({ externalSessionId: 'child', parentSessionId: other.sessionId });
  t.match(moved, { status: 409, error: { path: '/parentSessionId' } });
});

t.test('each mistake about a parent has its place, and opens nothing', async (t) => {
  const { app, one } = await start(t);
  const root = await one.open({
    entityId: '00000000-0000-4000-8000-0000000000aa',
    expiresAt: '2030-01-01T01:00:00.000Z',
  });
  const cases: [body: object, status: number, path: string, message: RegExp][] = [
    [{ parentSessionId: missing }, 404, '/parentSessionId', /no evaluation session/],
    [{ parentSessionId: 'x' }, 400, '/parentSessionId', /UUID/],
    [{ parentSessionId: null }, 400, '/parentSessionId', /string/],
    [{ parentSessionId: 7 }, 400, '/parentSessionId', /string/],
    [{ parentSessionId: root.id, entityId: missing }, 409, '/entityId', /another entity/],
    [
      { parentSessionId: root.id, expiresAt: '2030-01-01T01:00:00.001Z' },
      400,
      '/expiresAt',
      /end of the parent/,
    ],
  ];
  for (const [body, status, path, message] of cases) {
    const refused = await one.open(body);
    t.match([refused.status, refused.body], [status, { errors: [{ path, message }] }], JSON.stringify(body));
  }
  const evaluate = (body: object) => app.call(one.key, 'POST', '/v1/evaluate', { input: {}, ...body });
  const beside = await evaluate({ sessionId: root.id, parentSessionId: root.id });
  t.match([beside.status, beside.body.errors[0].path], [400, '/parentSessionId']);
  const { evaluationRunId } = await one.send(root.id, { tool: 'x' });
  const result = await evaluate({
    phase: 'RESULT',
    resultOf: evaluationRunId,
    status: 'OK',
    parentSessionId: root.id,
  });
  t.match([result.status, result.body.errors[0].path], [400, '/parentSessionId']);
  const { body } = await app.call(one.key, 'GET', '/v1/evaluation-sessions');
  t.equal(body.pagination.total, 1);
});

t.test('a tree is at most 8 deep, and a session has at most 1,000 children that are not over', async (t) => {
  const { one } = await start(t);
  let parentSessionId = (await one.open()).id;
  for (let depth = 1; depth <= 8; depth++) parentSessionId = (await one.open({ parentSessionId })).id;
  const ninth = await one.open({ parentSessionId });
  t.match([ninth.status, ninth.body], [400, { errors: [{ path: '/parentSessionId', message: /9 levels/ }] }]);
  const root = await one.open();
  const all: { id: string; status: number }[] = [];
  // As many at once as the service admits.
  while (all.length < 1_001) {
    const some = Array.from({ length: Math.min(16, 1_001 - all.length) }, () =>
      one.open({ parentSessionId: root.id }),
    );
    all.push(...(await Promise.all(some)));
  }
  t.equal(all.filter(({ status }) => status === 409).length, 1);
  await one.end((all.find(({ status }) => status === 201) as { id: string }).id);
  t.equal((await one.open({ parentSessionId: root.id })).status, 201);
});

t.test('an idempotent opening is repeated with its parent', async (t) => {
  const { app, one } = await start(t);
  const root = await one.open();
  const send = () =>
    app.call(
      one.key,
      'POST',
      '/v1/evaluation-sessions',
      { parentSessionId: root.id },
      { 'idempotency-key': 'k' },
    );
  const [first, second] = [await send(), await send()];
  t.equal(first.body.data.id, second.body.data.id);
  t.equal(second.body.data.replayed, true);
});

t.test('what an expired child had counts for its siblings at once, too', async (t) => {
  const { app, one } = await start(t, marks);
  const root = await one.open();
  const middle = await one.open({ parentSessionId: root.id });
  const short = await one.open({ parentSessionId: middle.id, expiresAt: '2030-01-01T00:10:00.000Z' });
  const sibling = await one.open({ parentSessionId: middle.id });
  await one.send(short.id, { tool: 'mark', text: 'ada@example.com' });
  t.strictSame(reasons(await one.send(sibling.id, { tool: 'look' })), [], 'it is not over');
  app.clock.advance(600_000);
  const known = ['marked', 'personal'];
  t.strictSame(reasons(await one.send(sibling.id, { tool: 'look' })), known);
  const fresh = await one.open({ parentSessionId: middle.id });
  t.strictSame(reasons(await one.send(fresh.id, { tool: 'look' })), known, 'and for a new one');
  t.match(reasons(await one.send(fresh.id, { tool: 'use', what: 'ada@example.com' })), ['known', ...known]);
  const cousin = await one.open({ parentSessionId: root.id });
  t.strictSame(reasons(await one.send(cousin.id, { tool: 'look' })), [], 'their parent is not over');
});
