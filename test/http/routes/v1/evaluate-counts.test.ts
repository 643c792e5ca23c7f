import t, { type Test } from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';

const head = 'schemaVersion: 1\nname: p\n';
const refunds = `${head}rules:
  - { id: once, tool: refund, when: 'session.toolCounts[?"refund"].orValue(0) >= 1', effect: BLOCK }
  - { id: held, tool: refund, when: "true", effect: APPROVAL_REQUIRED }
  - { id: never, tool: rm, when: "true", effect: BLOCK }
  - { id: noted, tool: note, when: "true", effect: WARN }
`;

async function start(t: Test, document: string, env: Record<string, string> = {}) {
  const app = await startApp(t, env);
  const { id, key } = await app.integration('AGENT');
  await app.policy(id, document);
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions', {});
  const sessionId = body.data.id;
  const act = async (tool: string, more: object = {}) =>
    (await app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool }, ...more })).body.data;
  const decide = (review: string, how: 'approve' | 'reject') =>
    app.call(adminKey, 'POST', `/v1/reviews/${review}/${how}`, {});
  const session = async () => (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data;
  return { app, key, sessionId, act, decide, session };
}

t.test('only what was let through is invoked; every evaluation is an attempt', async (t) => {
  const { act, decide, session } = await start(t, refunds);
  const rejected = await act('refund');
  await decide(rejected.reviewRequestId, 'reject');
  const again = await act('refund', { input: { tool: 'refund', order: 2 } });
  t.equal(again.enforcementAction, 'APPROVAL_REQUIRED', 'a refund that was rejected was not made');
  await decide(again.reviewRequestId, 'approve');
  t.match(await session(), { toolsUsed: [], toolCounts: {}, attemptCounts: { refund: 2 } });

  const more = { input: { tool: 'refund', order: 2 }, reviewRequestId: again.reviewRequestId };
  t.equal((await act('refund', more)).enforcementAction, 'ALLOW', 'the approved refund passes');
  await act('rm');
  await act('note');
  const read = await session();
  t.strictSame(read.toolsUsed, ['refund', 'note']);
  t.strictSame(read.toolCounts, { refund: 1, note: 1 });
  t.strictSame(read.attemptCounts, { refund: 3, note: 1, rm: 1 });
  t.equal((await act('refund', { input: { tool: 'refund', order: 3 } })).enforcementAction, 'BLOCK');
});

t.test('rules read the attempts, of this session and before this action', async (t) => {
  const { act } = await start(
    t,
    `${head}rules:
  - { id: tries, when: 'session.attemptCounts[?tool].orValue(0) >= 2', effect: BLOCK, reason: too_many_tries }
  - { id: held, tool: pay, when: "true", effect: APPROVAL_REQUIRED }
tests:
  - { name: attempts, given: { tool: pay, session: { attemptCounts: { pay: 2 } } }, expect: { enforcementAction: BLOCK } }
  - { name: calls are attempts, given: { tool: x, session: { toolCounts: { x: 2 } } }, expect: { enforcementAction: BLOCK } }
  - { name: few, given: { tool: x, session: { toolCounts: { x: 1 } } }, expect: { enforcementAction: ALLOW } }
`,
  );
  t.equal((await act('pay')).enforcementAction, 'APPROVAL_REQUIRED');
  t.equal((await act('pay', { input: { tool: 'pay', n: 2 } })).enforcementAction, 'APPROVAL_REQUIRED');
  t.equal((await act('pay', { input: { tool: 'pay', n: 3 } })).violations[0].reason, 'too_many_tries');
});

const few = { ASSIZE_SESSION_MAX_TOOLS: '4' };

t.test('a session keeps so many names of tools, and counts further ones together', async (t) => {
  const { act, session } = await start(
    t,
    `${head}rules: [{ id: a, tool: rm, when: "true", effect: BLOCK }]\n`,
    few,
  );
  for (const tool of ['a', 'b', 'c', 'd', 'e', 'f', 'e', 'a']) await act(tool);
  const read = await session();
  t.strictSame(read.toolCounts, { a: 2, b: 1, c: 1, d: 1, '(other)': 3 });
  t.strictSame(read.toolsUsed, ['a', 'b', 'c', 'd', '(other)']);
  t.strictSame(read.attemptCounts, read.toolCounts);
  await act('rm');
  t.strictSame((await session()).attemptCounts.rm, 1, 'a tool that a policy mentions is kept in any case');
});

t.test('names that are blocked use up the names that are kept, too', async (t) => {
  const { act, session } = await start(t, `${head}rules: [{ id: a, when: "true", effect: BLOCK }]\n`, few);
  for (let n = 0; n < 10; n++) await act(`junk-${n}`);
  const read = await session();
  t.strictSame(Object.keys(read.attemptCounts).length, 5);
  t.equal(read.attemptCounts['(other)'], 6);
  t.strictSame(read.toolCounts, {});
});

t.test('256 names by default, and one entry more', async (t) => {
  const { app, key, sessionId, session } = await start(
    t,
    `${head}rules: [{ id: a, tool: x, when: "true", effect: WARN }]\n`,
  );
  for (let n = 0; n < 300; n += 50) {
    const some = Array.from({ length: 50 }, (_, index) =>
      app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: `t${n + index}` } }),
    );
    await Promise.all(some);
  }
  const read = await session();
  t.equal(read.toolsUsed.length, 257);
  t.equal(read.toolCounts['(other)'], 44);
});

const flood = async (act: (tool: string) => Promise<unknown>) => {
  for (let n = 0; n < 8; n++) await act(`junk-${n}`);
};

t.test('an agent cannot hide a tool that a policy names behind made-up names', async (t) => {
  const document = `${head}
params: { limited: [{ name: crm.export, most: 1 }] }
variables: { read: '"crm.read"' }
rules:
  - { id: limit, when: 'params.limited.exists(l, l.name == tool && session.toolCounts[?l.name].orValue(0) >= l.most)', effect: BLOCK }
  - { id: flow, tool: mail.send, when: 'vars.read in session.toolsUsed', effect: BLOCK }
  - { id: repeat, tool: deploy, when: 'session.attemptCounts[?tool].orValue(0) >= 1', effect: BLOCK }
`;
  const { act, session } = await start(t, document, few);
  await flood(act);
  t.equal((await act('mail.send')).enforcementAction, 'ALLOW', 'what was never called is not suspected');
  for (const [tool, then] of [
    ['crm.export', 'crm.export'],
    ['crm.read', 'mail.send'],
    ['deploy', 'deploy'],
  ] as const) {
    t.equal((await act(tool)).enforcementAction, 'ALLOW', `first ${tool}`);
    t.equal((await act(then)).enforcementAction, 'BLOCK', `then ${then}`);
  }
  t.match(await session(), { toolCounts: { 'crm.export': 1, 'crm.read': 1, deploy: 1 } });
});

t.test('names that are not kept share one budget', async (t) => {
  const budget = `${head}rules: [{ id: budget, when: 'session.toolCounts[?tool].orValue(0) >= 5', effect: BLOCK }]\n`;
  const { act } = await start(t, budget, few);
  for (const tool of ['a', 'b', 'c', 'd']) await act(tool);
  const actions = [];
  for (let n = 0; n < 7; n++) actions.push((await act(`made-up-${n}`)).enforcementAction);
  t.strictSame(actions, ['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'BLOCK', 'BLOCK']);
  t.equal((await act('a')).enforcementAction, 'ALLOW', 'a name that is kept has a budget of its own');
});

t.test('a tool that is called (other) counts as the others, and hides nothing', async (t) => {
  const budget = `${head}rules: [{ id: budget, when: 'session.toolCounts[?tool].orValue(0) >= 2', effect: BLOCK }]\n`;
  const { act, session } = await start(t, budget, few);
  await act('(other)');
  await act('(other)');
  t.equal((await act('(other)')).enforcementAction, 'BLOCK');
  for (const tool of ['a', 'b', 'c', 'd']) await act(tool);
  t.equal((await act('e')).enforcementAction, 'BLOCK', 'unknown names are as often called as the others');
  t.strictSame((await session()).toolCounts, { '(other)': 2 });
});
