import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';
import { breakTable } from '../../helpers/database-beside.ts';
import { rule } from '../../helpers/policies.ts';
import { listen } from '../../helpers/raw-http.ts';

const own = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const sessions = '/v1/evaluation-sessions';

t.test('a plain x-request-id comes back; any other is replaced by one of our own', async (t) => {
  const app = await startApp(t);
  const idFor = async (given: string) =>
    (await app.call(null, 'GET', '/health/live', undefined, { 'x-request-id': given })).headers[
      'x-request-id'
    ];
  for (const plain of ['a', 'trace-1.2_3', '0'.repeat(128)]) t.equal(await idFor(plain), plain);
  for (const other of ['', ' ', '0'.repeat(129), 'a b', 'a"b', 'a,b', '{"level":60}', 'ü', 'a\tb']) {
    t.match(await idFor(other), own, JSON.stringify(other));
  }
  const [one, two] = [
    await app.call(null, 'GET', '/health/live'),
    await app.call(null, 'GET', '/health/live'),
  ];
  t.match(one.headers['x-request-id'], own);
  t.not(one.headers['x-request-id'], two.headers['x-request-id'], 'each request has its own');
  const { exchange } = await listen(t, app);
  const doubled = await exchange(
    'GET /health/live HTTP/1.1\r\nhost: x\r\nx-request-id: a\r\nx-request-id: b\r\n\r\n',
  );
  t.match(doubled.headers['x-request-id'], own, 'two are none');
});

t.test('every answer names its request: refused, unknown and undecodable ones too', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  for (const [by, url, status] of [
    [key, sessions, 200],
    [key, `${sessions}?size=0`, 400],
    [null, sessions, 401],
    [key, '/v1/integrations', 403],
    [key, '/nowhere', 404],
    [key, '/%zz', 400],
    [key, '/docs/%zz', 400],
  ] as const) {
    const response = await app.call(by, 'GET', url, undefined, { 'x-request-id': 'mine' });
    t.equal(response.status, status, url);
    t.equal(response.headers['x-request-id'], 'mine', url);
  }
});

t.test('requests are logged from debug on: method, route, status and time, and nothing sent', async (t) => {
  for (const [level, lines] of [
    ['info', 0],
    ['debug', 1],
  ] as const) {
    const app = await startApp(t, { ASSIZE_LOG_LEVEL: level });
    await app.call(null, 'GET', `${sessions}/some-id?q=1`, undefined, { 'x-request-id': 'r-1' });
    t.equal(app.log.length, lines, level);
    for (const line of app.log) {
      const { time, ms, ...rest } = JSON.parse(line);
      t.strictSame(rest, {
        level: 20,
        reqId: 'r-1',
        method: 'GET',
        route: `${sessions}/:sessionId`,
        statusCode: 401,
        msg: 'request',
      });
      t.type(time, 'number');
      t.type(ms, 'number');
    }
  }
});

t.test('no log line holds a body, a key, a query or what was detected, at any level', async (t) => {
  const app = await startApp(t, { ASSIZE_LOG_LEVEL: 'trace' });
  const { id, key, webhookSecret } = await app.integration('AGENT', { contentRetention: 'full' });
  // Events name resources and tools, so their names are no secrets here; what is detected in the name of a tool is one.
  await app.policy(id, rule('input.deep.missing == "secret-literal"', 'BLOCK'));
  const document = rule('tool == "held"', 'APPROVAL_REQUIRED').replace('one-rule', 'held-rule');
  const policyId = await app.policy(id, document);
  const unknownKey = `asz_live_${'s'.repeat(43)}`;
  const json = { 'content-type': 'application/json' };
  const yaml = { 'content-type': 'application/yaml' };
  const input = {
    tool: 'tool-for-ada@example.com',
    text: 'secret-ada@example.com 4111 1111 1111 1111 AKIAIOSFODNN7EXAMPLE',
  };
  const evaluation = {
    input,
    targetKey: 'secret-target',
    correlationId: 'secret-correlation',
    targetMetadata: { a: 'secret-target-metadata' },
    callbackUrl: 'https://example.com/secret-callback',
  };
  const odd = { 'x-request-id': 'secret request', 'user-agent': 'secret-agent', cookie: 'secret' };
  const change = { name: 'new-name', description: 'secret-description' };
  const requests: Parameters<typeof app.call>[] = [
    [key, 'POST', '/v1/evaluate', evaluation, { 'idempotency-key': 'secret-once' }],
    [key, 'POST', '/v1/evaluate?redact=true', { ...evaluation, input: { ...input, tool: 'held' } }],
    [key, 'POST', '/v1/evaluate', { ...evaluation, 'secret-field': 1 }],
    [key, 'POST', '/v1/evaluate', '{"secret-broken', json],
    [key, 'POST', '/v1/evaluate', 'secret-text', { 'content-type': 'text/secret-type' }],
    [key, 'POST', sessions, { externalSessionId: 'secret-external', metadata: { a: 'secret-metadata' } }],
    [key, 'POST', sessions, { expiresAt: 'secret-time' }],
    [key, 'GET', `${sessions}?externalSessionId=secret-query`],
    [key, 'GET', `${sessions}?secret-name=secret-value`],
    [key, 'GET', `${sessions}/secret-id`],
    [key, 'GET', '/secret-path?secret-query=1'],
    [key, 'GET', '/secret-path/%zz?secret-query=1'],
    [null, 'GET', `${sessions}?key=${key}`],
    [unknownKey, 'GET', sessions],
    ['secret malformed', 'GET', sessions],
    [key, 'GET', '/v1/integrations?a=secret-forbidden'],
    [key, 'GET', sessions, undefined, odd],
    [adminKey, 'PATCH', `/v1/integrations/${id}`, change],
    [adminKey, 'POST', '/v1/policies', 'name: secret-document', yaml],
    [adminKey, 'PUT', `/v1/policies/${policyId}`, document, yaml],
  ];
  const statuses = new Set<number>();
  for (const request of requests) statuses.add((await app.call(...request)).status);
  t.strictSame([...statuses].sort(), [200, 201, 400, 401, 403, 404, 415], 'they reach every refusal');
  const socket = await listen(t, app);
  await socket.exchange('GET /secret-line HTTP/9.9\r\nsecret-header: secret-value\r\n\r\n');
  await socket.exchange(`POST ${sessions} HTTP/1.1\r\nhost: x\r\nsecret-header\r\n\r\nsecret-body`);
  await breakTable(t, app.database, 'evaluations');
  t.equal((await app.call(key, 'POST', '/v1/evaluate', evaluation)).status, 503);

  t.ok(app.log.length > requests.length, 'the requests are logged');
  for (const word of ['secret', 'ada@', '4111 1111', 'AKIA', key, unknownKey, adminKey, webhookSecret]) {
    const lines = app.log.filter((line) => line.toLowerCase().includes(word.toLowerCase()));
    t.strictSame(lines, [], `none holds ${word.slice(0, 9)}`);
  }
});
