// also on PostgreSQL

import t from 'tap';
import { startApp } from '../../../helpers/app.ts';
import { blockAfter, rule } from '../../../helpers/policies.ts';

const call = (tool: string, more: object = {}) => ({ input: { tool, ...more } });

t.test('without policies everything is allowed, and the answer has every field', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('REST_API');
  const { status, body, headers } = await app.call(key, 'POST', '/v1/evaluate', call('web.search'));
  t.equal(status, 200);
  t.match(headers['x-request-id'], /./);
  t.match(body.data.evaluationRunId, /^[0-9a-f-]{36}$/);
  t.strictSame(body, {
    success: true,
    statusCode: 200,
    data: {
      evaluationRunId: body.data.evaluationRunId,
      outcome: 'ALLOW',
      enforcementAction: 'ALLOW',
      severity: null,
      violations: [],
      dataTags: [],
      sessionId: null,
      reviewRequestId: null,
      pollUrl: null,
      correlationId: null,
      policiesEvaluated: 0,
    },
  });
});

t.test('only an AGENT gets a session without asking', async (t) => {
  const app = await startApp(t);
  for (const kind of ['REST_API', 'MCP_SERVER'] as const) {
    const { key } = await app.integration(kind);
    const { body } = await app.call(key, 'POST', '/v1/evaluate', call('x'));
    t.equal(body.data.sessionId, null, kind);
  }
  const { key } = await app.integration('AGENT');
  const first = await app.call(key, 'POST', '/v1/evaluate', call('x'));
  const sessionId = first.body.data.sessionId;
  t.match(sessionId, /^[0-9a-f-]{36}$/);
  const second = await app.call(key, 'POST', '/v1/evaluate', { ...call('x'), sessionId });
  t.equal(second.body.data.sessionId, sessionId);
  const read = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.match(read.body.data, { status: 'ACTIVE', actionCount: 2, toolsUsed: ['x'], toolCounts: { x: 2 } });
});

t.test('violations say which rule, which policy version, what and why', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, blockAfter(0));
  const { body } = await app.call(key, 'POST', '/v1/evaluate', {
    ...call('web.search'),
    correlationId: 'c-1',
  });
  t.match(body.data, { outcome: 'DENY', enforcementAction: 'BLOCK', severity: 'HIGH', correlationId: 'c-1' });
  t.strictSame(body.data.violations, [
    {
      id: body.data.violations[0].id,
      ruleId: 'budget',
      ruleName: 'budget',
      policyId,
      policyName: 'block-after',
      policyVersion: 1,
      mode: 'ENFORCE',
      severity: 'HIGH',
      enforcementAction: 'BLOCK',
      reason: 'budget_spent',
      message: 'web.search was called 0 times',
    },
  ]);
});

t.test('only policies that are bound to the caller and ACTIVE decide', async (t) => {
  const app = await startApp(t);
  const mine = await app.integration();
  const other = await app.integration();
  const policyId = await app.policy(mine.id, rule('true', 'BLOCK'));
  const decide = async (key: string) =>
    (await app.call(key, 'POST', '/v1/evaluate', call('x'))).body.data.enforcementAction;
  t.equal(await decide(mine.key), 'BLOCK');
  t.equal(await decide(other.key), 'ALLOW');
  const { adminKey } = await import('../../../helpers/app.ts');
  await app.call(adminKey, 'POST', `/v1/policies/${policyId}/deprecate`);
  t.equal(await decide(mine.key), 'ALLOW');
  await app.call(adminKey, 'POST', `/v1/policies/${policyId}/activate`);
  t.equal(await decide(mine.key), 'BLOCK');
  await app.call(adminKey, 'DELETE', `/v1/integrations/${mine.id}/policies/${policyId}`);
  t.equal(await decide(mine.key), 'ALLOW');
});

t.test('the strictest of many policies wins', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('true', 'WARN'));
  await app.policy(id, rule('tool == "y"', 'BLOCK'));
  await app.policy(id, rule('tool in ["x", "y"]', 'APPROVAL_REQUIRED'));
  const decide = async (tool: string) => (await app.call(key, 'POST', '/v1/evaluate', call(tool))).body.data;
  t.equal((await decide('w')).enforcementAction, 'WARN');
  t.equal((await decide('x')).enforcementAction, 'APPROVAL_REQUIRED');
  const blocked = await decide('y');
  t.equal(blocked.enforcementAction, 'BLOCK');
  t.equal(blocked.violations.length, 3);
  t.equal(blocked.reviewRequestId, null, 'what is blocked is not held for review');
});

t.test('rules see the actions before this one', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('"PII" in session.dataTags && tool == "email.send"', 'APPROVAL_REQUIRED'));
  await app.policy(id, rule('session.warningCount >= 2', 'BLOCK'));
  await app.policy(id, rule('tool == "warned"', 'WARN'));
  await app.policy(
    id,
    rule('session.recentActions.exists(a, a.tool == "first" && a.seq == 1) && tool == "after"', 'WARN'),
  );
  let sessionId: string | undefined;
  const decide = async (tool: string, text = '') => {
    const { body } = await app.call(key, 'POST', '/v1/evaluate', {
      ...call(tool, { text }),
      ...(sessionId && { sessionId }),
    });
    sessionId = body.data.sessionId;
    return body.data.enforcementAction;
  };
  t.equal(await decide('first'), 'ALLOW');
  t.equal(
    await decide('email.send', 'write to ada@example.com'),
    'ALLOW',
    'the current action is not yet seen',
  );
  t.equal(await decide('email.send'), 'APPROVAL_REQUIRED');
  t.equal(await decide('after'), 'WARN');
  t.equal(await decide('warned'), 'WARN');
  t.equal(await decide('anything'), 'BLOCK');
  const { body } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.match(body.data, { actionCount: 6, warningCount: 2, blockCount: 1, reviewCount: 1 });
  t.strictSame(body.data.dataTags, ['PII', 'EMAIL_ADDRESS']);
  t.strictSame(
    body.data.toolsUsed,
    ['first', 'email.send', 'after', 'warned'],
    'a blocked tool was not invoked',
  );
  t.strictSame(
    body.data.recentActions.map((action: { seq: number }) => action.seq),
    [6, 5, 4, 3, 2, 1],
  );
});

t.test('what only a MONITOR policy found is recorded and counts in nothing', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('true', 'BLOCK', 'mode: MONITOR'));
  const { body } = await app.call(key, 'POST', '/v1/evaluate', call('x'));
  t.match(body.data, { outcome: 'FLAG', enforcementAction: 'ALLOW', severity: 'HIGH' });
  t.match(body.data.violations, [{ mode: 'MONITOR', enforcementAction: 'BLOCK' }]);
  const { body: read } = await app.call(key, 'GET', `/v1/evaluation-sessions/${body.data.sessionId}`);
  t.match(read.data, { actionCount: 1, blockCount: 0, warningCount: 0, reviewCount: 0, toolsUsed: ['x'] });
  t.equal(read.data.recentActions[0].severity, null);
});

t.test('a rule that fails blocks, and says so', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('input.missing.field == "x"', 'WARN'));
  const { body } = await app.call(key, 'POST', '/v1/evaluate', call('x'));
  t.match(body.data, {
    enforcementAction: 'BLOCK',
    violations: [{ ruleId: 'the-rule', reason: 'rule_error' }],
  });
});

t.test('an evaluate on a session that is not ACTIVE is 409 and records nothing', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const open = async () =>
    (await app.call(key, 'POST', '/v1/evaluation-sessions', { expiresAt: '2030-01-01T01:00:00Z' })).body.data
      .id;
  for (const [status, end] of [
    ['COMPLETED', (id: string) => app.call(key, 'POST', `/v1/evaluation-sessions/${id}/end`)],
    [
      'TERMINATED',
      (id: string) => app.call(key, 'POST', `/v1/evaluation-sessions/${id}/end`, { status: 'TERMINATED' }),
    ],
    ['EXPIRED', async () => app.clock.advance(3_600_000)],
  ] as const) {
    const sessionId = await open();
    await end(sessionId);
    const { status: code, body } = await app.call(key, 'POST', '/v1/evaluate', { ...call('x'), sessionId });
    t.equal(code, 409);
    t.strictSame(body, {
      success: false,
      statusCode: 409,
      errors: [{ code: 'conflict', message: `the session is ${status}`, path: '/sessionId' }],
    });
    const read = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
    t.match(read.body.data, { status, actionCount: 0 });
  }
});

t.test('a session of another integration and a missing one are answered alike', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const other = await app.integration();
  const foreign = (await app.call(other.key, 'POST', '/v1/evaluation-sessions')).body.data.id;
  const responses = await Promise.all(
    [foreign, '00000000-0000-4000-8000-000000000000'].map((sessionId) =>
      app.call(key, 'POST', '/v1/evaluate', { ...call('x'), sessionId }),
    ),
  );
  t.equal(responses[0]?.status, 404);
  t.equal(responses[0]?.text, responses[1]?.text);
});

t.test('redactedInput comes only when asked for, and never holds what was found', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const body = call('x', { to: 'ada@example.com', n: 1 });
  const plain = await app.call(key, 'POST', '/v1/evaluate', body);
  t.notOk('redactedInput' in plain.body.data);
  const redacted = await app.call(key, 'POST', '/v1/evaluate?redact=true', body);
  t.strictSame(redacted.body.data.redactedInput, { tool: 'x', to: '[EMAIL_ADDRESS]', n: 1 });
});

t.test('what is kept of the content is what the integration says', async (t) => {
  const app = await startApp(t);
  for (const [contentRetention, kept] of [
    ['full', { tool: 'x', to: 'ada@example.com' }],
    ['redacted', { tool: 'x', to: '[EMAIL_ADDRESS]' }],
    ['none', null],
  ] as const) {
    const { key } = await app.integration('AGENT', { contentRetention });
    const { body } = await app.call(key, 'POST', '/v1/evaluate', {
      ...call('x', { to: 'ada@example.com' }),
      targetKey: 'doc-1',
      targetMetadata: { b: 1 },
    });
    const { body: list } = await app.call(
      key,
      'GET',
      `/v1/evaluation-sessions/${body.data.sessionId}/evaluations`,
    );
    t.match(list.data, [
      {
        evaluationRunId: body.data.evaluationRunId,
        seq: 1,
        tool: 'x',
        targetKey: 'doc-1',
        targetMetadata: contentRetention === 'none' ? null : { b: 1 },
        dataTags: ['PII', 'EMAIL_ADDRESS'],
        detections: [{ type: 'EMAIL_ADDRESS', in: 'input', path: '/to', start: 0, end: 15 }],
      },
    ]);
    t.strictSame(list.data[0].input, kept, contentRetention);
  }
});

t.test('the target, its metadata and the callback URL are scanned like the input', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('"EMAIL_ADDRESS" in dataTags && detections[0].count == 3', 'BLOCK'));
  const { body } = await app.call(key, 'POST', '/v1/evaluate', {
    input: { tool: 'x' },
    targetKey: 'ada@example.com',
    targetMetadata: { to: ['bob', 'eve@example.com'] },
    callbackUrl: 'https://hooks.example/a?to=ada@example.com',
    correlationId: 'for ada@example.com',
  });
  t.match(body.data, {
    enforcementAction: 'BLOCK',
    dataTags: ['PII', 'EMAIL_ADDRESS'],
    correlationId: 'for ada@example.com',
  });
  const url = `/v1/evaluation-sessions/${body.data.sessionId}`;
  const { body: list } = await app.call(key, 'GET', `${url}/evaluations`);
  t.match(list.data, [
    {
      targetKey: '[EMAIL_ADDRESS]',
      targetMetadata: { to: ['bob', '[EMAIL_ADDRESS]'] },
      correlationId: 'for [EMAIL_ADDRESS]',
    },
  ]);
  t.strictSame(list.data[0].detections, [
    { type: 'EMAIL_ADDRESS', in: 'targetKey', path: '', start: 0, end: 15 },
    { type: 'EMAIL_ADDRESS', in: 'targetMetadata', path: '/to/1', start: 0, end: 15 },
    { type: 'EMAIL_ADDRESS', in: 'callbackUrl', path: '', start: 27, end: 42 },
  ]);
  const { body: session } = await app.call(key, 'GET', url);
  t.strictSame(session.data.dataTags, ['PII', 'EMAIL_ADDRESS']);
  t.equal(session.data.recentActions[0].targetKey, '[EMAIL_ADDRESS]');
});

t.test('rules see the target of an earlier action as it is stored', async (t) => {
  const app = await startApp(t);
  for (const [contentRetention, target] of [
    ['full', 'ada@example.com'],
    ['redacted', '[EMAIL_ADDRESS]'],
    ['none', '[EMAIL_ADDRESS]'],
  ] as const) {
    const { id, key } = await app.integration('AGENT', { contentRetention });
    await app.policy(id, rule(`session.recentActions.exists(a, a.targetKey == "${target}")`, 'BLOCK'));
    const send = (sessionId?: string) =>
      app.call(key, 'POST', '/v1/evaluate', { ...call('x'), targetKey: 'ada@example.com', sessionId });
    const { body: first } = await send();
    t.equal(first.data.enforcementAction, 'ALLOW');
    t.equal((await send(first.data.sessionId)).body.data.enforcementAction, 'BLOCK', contentRetention);
  }
});

t.test('a tool named by a target is counted under the name that is stored', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('session.toolCounts[?tool].orValue(0) >= 1', 'BLOCK'));
  const send = (sessionId?: string) =>
    app.call(key, 'POST', '/v1/evaluate', { input: {}, targetKey: 'ada@example.com', sessionId });
  const { body: first } = await send();
  t.equal((await send(first.data.sessionId)).body.data.enforcementAction, 'BLOCK');
  const { body } = await app.call(key, 'GET', `/v1/evaluation-sessions/${first.data.sessionId}`);
  t.strictSame(body.data.toolCounts, { '[EMAIL_ADDRESS]': 1 });
});

t.test('the tool is named by the input, else by the target', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const cases: [object, string | null][] = [
    [{ input: { tool: 'a', toolName: 'a', name: 'person' } }, 'a'],
    [{ input: { toolName: 'b' } }, 'b'],
    [{ input: { name: 'c', arguments: {} } }, 'c'],
    [{ input: { name: 'c', args: {} }, targetKey: 't' }, 'c'],
    [{ input: { name: 'c' }, targetKey: 't' }, 't'],
    [{ input: {} }, null],
  ];
  for (const [request, tool] of cases) {
    const { body } = await app.call(key, 'POST', '/v1/evaluate', request);
    const { body: list } = await app.call(
      key,
      'GET',
      `/v1/evaluation-sessions/${body.data.sessionId}/evaluations`,
    );
    t.equal(list.data[0].tool, tool, JSON.stringify(request));
  }
});

t.test('an idempotency key makes a repeated evaluate count once', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const other = await app.integration();
  const headers = { 'idempotency-key': 'once' };
  const post = (body: object, by = key) => app.call(by, 'POST', '/v1/evaluate?redact=true', body, headers);
  const body = call('x', { to: 'ada@example.com' });
  const both = await Promise.all([post(body), post(body)]);
  const [first, racing] = both[0].body.data.replayed ? [both[1], both[0]] : both;
  const second = await post(body);
  t.strictSame(second.body.data, { ...first.body.data, replayed: true });
  t.strictSame(racing.body.data, second.body.data);
  t.equal(second.headers['idempotent-replayed'], 'true');
  t.match(second.body.data.redactedInput, { to: '[EMAIL_ADDRESS]' });
  const { body: read } = await app.call(key, 'GET', `/v1/evaluation-sessions/${first.body.data.sessionId}`);
  t.equal(read.data.actionCount, 1);

  const reused = await post(call('y'));
  t.equal(reused.status, 409);
  t.match(reused.body.errors, [{ code: 'conflict', message: /idempotency key/ }]);
  t.not((await post(body, other.key)).text, first.text, 'the key belongs to one integration');

  app.clock.advance(900_000);
  t.strictSame((await post(body)).body.data, second.body.data);
  app.clock.advance(1);
  const later = await post(body);
  t.equal(later.status, 200);
  t.not(later.text, first.text, 'after 15 minutes the key is new');
});

t.test('of many parallel evaluates against a limit of k exactly k pass', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, blockAfter(7));
  const { body } = await app.call(key, 'POST', '/v1/evaluation-sessions');
  const sessionId = body.data.id;
  const actions = await Promise.all(
    Array.from({ length: 64 }, async () => {
      const response = await app.call(key, 'POST', '/v1/evaluate', { ...call('web.search'), sessionId });
      return response.body.data.enforcementAction;
    }),
  );
  t.equal(actions.filter((action) => action === 'ALLOW').length, 7);
  t.equal(actions.filter((action) => action === 'BLOCK').length, 57);
  const { body: read } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.match(read.data, { actionCount: 64, blockCount: 57, toolCounts: { 'web.search': 7 } });
});

t.test('names may have 1,000 characters, whatever these take in memory', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const name = '😀'.repeat(1_000);
  for (const body of [{ input: {}, targetKey: name }, { input: { tool: name } }]) {
    t.equal((await app.call(key, 'POST', '/v1/evaluate', body)).status, 200);
  }
  for (const field of ['tool', 'toolName', 'name']) {
    const input = { arguments: {}, [field]: `${name}x` };
    const { status, body } = await app.call(key, 'POST', '/v1/evaluate', { input });
    t.equal(status, 400);
    t.match(body.errors, [{ code: 'invalid', path: `/input/${field}` }]);
  }
});

t.test('an integration says which data tags are looked for', async (t) => {
  const app = await startApp(t);
  const text = 'write to ada@example.com or see https://example.com/about';
  for (const [settings, tags] of [
    [{}, ['PII', 'EMAIL_ADDRESS']],
    [{ disabledTags: ['EMAIL_ADDRESS'] }, []],
    [{ disabledTags: ['EMAIL_ADDRESS'], enabledTags: ['URL'] }, ['NETWORK', 'URL']],
  ] as const) {
    const { key } = await app.integration('AGENT', settings as object);
    const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: { text } });
    t.strictSame(body.data.dataTags, tags, JSON.stringify(settings));
  }
});

t.test('an integration says how much proof a value needs', async (t) => {
  const app = await startApp(t);
  const input = { order_id: '4111111111111111' };
  for (const [settings, tags] of [
    [{}, []],
    [{ detectionSensitivity: 'strict' }, ['FINANCIAL', 'PCI', 'CREDIT_CARD']],
  ] as const) {
    const { key } = await app.integration('AGENT', settings as object);
    const { body } = await app.call(key, 'POST', '/v1/evaluate', { input });
    t.strictSame(body.data.dataTags, tags, JSON.stringify(settings));
  }
});
