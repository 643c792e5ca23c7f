// also on PostgreSQL

import t from 'tap';
import { startApp } from '../../helpers/app.ts';

const policy = `
schemaVersion: 1
name: allowed
variables:
  sent: session.toolCounts[?"mail"].orValue(0)
  amount: arguments.amount
rules:
  - id: never
    when: tool == "shell" || mcp.server == "evil"
    effect: BLOCK
    message: no shells
  - id: once
    when: tool == "mail" && vars.sent >= 1
    effect: BLOCK
  - id: by-amount
    when: tool == "pay" && vars.amount > 100
    effect: BLOCK
  - id: by-arguments
    when: tool == "read" && !has(arguments.path)
    effect: BLOCK
  - id: ask
    when: tool == "ask"
    effect: APPROVAL_REQUIRED
`;

t.test('a tool is allowed unless every call of it is blocked now, and asking records nothing', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT');
  await app.policy(id, policy);
  const ask = async (session: object, ...tools: (string | object)[]) => {
    const body = { ...session, tools: tools.map((one) => (typeof one === 'string' ? { name: one } : one)) };
    const { status, body: response } = await app.call(key, 'POST', '/v1/tools/allowed', body);
    t.equal(status, 200, JSON.stringify(response));
    return Object.fromEntries(
      response.data.tools.map((one: { name: string; allowed: boolean }) => [one.name, one.allowed]),
    );
  };
  const all = ['shell', 'mail', 'pay', 'read', 'ask', 'other'];
  const before = { shell: false, mail: true, pay: true, read: true, ask: true, other: true };
  t.same(await ask({}, ...all), before);
  t.same(await ask({ externalSessionId: 'c-1' }, ...all), before);
  t.equal(
    (await app.call(key, 'GET', '/v1/evaluation-sessions')).body.data.length,
    0,
    'no session is opened',
  );
  const evaluate = () =>
    app.call(key, 'POST', '/v1/evaluate', {
      externalSessionId: 'c-1',
      input: { tool: 'mail', arguments: {} },
    });
  const { body } = await evaluate();
  t.equal(body.data.enforcementAction, 'ALLOW');
  const { sessionId } = body.data;
  for (const session of [{ externalSessionId: 'c-1' }, { sessionId }])
    t.same(await ask(session, 'mail', 'ask'), { mail: false, ask: true });
  t.same(await ask({ externalSessionId: 'c-2' }, 'mail'), { mail: true });
  const mcp = (server: string) => ({ name: `mcp__${server}__x__y`, mcp: { server, tool: 'x__y' } });
  t.same(await ask({}, mcp('evil'), mcp('good')), { mcp__evil__x__y: false, mcp__good__x__y: true });
  const { body: session } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}/evaluations`);
  t.equal(session.data.length, 1, 'only what was evaluated');
  t.equal((await evaluate()).body.data.enforcementAction, 'BLOCK');
});

t.test('the reason is that of the rules, and a stranger’s session is not found', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT');
  await app.policy(id, policy);
  const { body } = await app.call(key, 'POST', '/v1/tools/allowed', { tools: [{ name: 'shell' }] });
  t.strictSame(body.data.tools, [{ name: 'shell', allowed: false, reason: 'no shells' }]);
  const other = await app.integration('AGENT');
  const opened = await app.call(other.key, 'POST', '/v1/evaluation-sessions', {});
  const asked = { tools: [{ name: 'shell' }], sessionId: opened.body.data.id };
  t.equal((await app.call(key, 'POST', '/v1/tools/allowed', asked)).status, 404);
  for (const wrong of [{}, { tools: [] }, { tools: [{}] }, { tools: [{ name: '' }] }, { tools: ['x'] }])
    t.equal((await app.call(key, 'POST', '/v1/tools/allowed', wrong)).status, 400);
});

t.test('nothing is allowed where every action is blocked', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('AGENT', { unknownTools: 'BLOCK' });
  const { status, body } = await app.call(key, 'POST', '/v1/tools/allowed', { tools: [{ name: 'x' }] });
  t.equal(status, 200);
  const { body: evaluated } = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.equal(evaluated.data.enforcementAction, 'BLOCK');
  t.equal(body.data.tools[0].allowed, false);
});
