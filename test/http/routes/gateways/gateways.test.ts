import t from 'tap';
import { adminKey } from '../../../helpers/app.ts';
import { governed } from './governed.ts';

const every = ['ACTION', 'PROMPT'];

const every401 = [
  ['POST', '/access/v1/evaluation'],
  ['POST', '/access/v1/evaluations'],
  ['POST', '/access/v1/requests'],
  ['GET', '/access/v1/requests/00000000-0000-4000-9000-000000000000'],
  ['POST', '/v1/guardrails/litellm/beta/litellm_basic_guardrail_api'],
  ['POST', '/request'],
  ['POST', '/response'],
  ['GET', '/v1/ext-authz/orders/1'],
] as const;

t.test('no gateway gets a decision without the key of an integration', async (t) => {
  const { app } = await governed(t, 'false', 'BLOCK');
  for (const [method, url] of every401) {
    for (const key of [null, `asz_live_${'x'.repeat(43)}`]) {
      const { status, headers } = await app.call(key, method, url);
      t.equal(status, 401, url);
      t.equal(headers['www-authenticate'], 'Bearer');
    }
    t.equal((await app.call(adminKey, method, url)).status, 403, url);
  }
});

const litellm = '/v1/guardrails/litellm/beta/litellm_basic_guardrail_api';
/** As the page of LiteLLM shows it. */
const guardrail = {
  texts: ['My SSN is 856-45-6789'],
  images: [],
  tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
  tool_calls: null,
  structured_messages: [{ role: 'user', content: 'My SSN is 856-45-6789' }],
  request_data: { user_api_key_alias: 'my-key', user_api_key_user_id: 'default_user_id' },
  input_type: 'request',
  litellm_call_id: 'c-1',
  litellm_trace_id: 't-1',
  additional_provider_specific_params: {},
};

t.test(
  'LiteLLM: requests and responses of a trace are one session, and what is stopped says why',
  async (t) => {
    const { post, sessions, last } = await governed(t, '"US_SSN" in dataTags', 'BLOCK', every);
    for (const input_type of ['request', 'response']) {
      const stopped = await post(litellm, { ...guardrail, input_type });
      t.equal(stopped.status, 200);
      t.match(stopped.body, { action: 'BLOCKED', blocked_reason: /the-rule/ });
      t.notMatch(stopped.text, /856-45/);
      t.strictSame((await post(litellm, { ...guardrail, input_type, texts: ['hello'] })).body, {
        action: 'NONE',
      });
    }
    t.match(await last(), { phase: 'ACTION', tool: 'model.output' });
    t.match(await sessions(), [{ externalSessionId: 'litellm t-1', actionCount: 2 }]);
    const call = {
      id: 'c',
      type: 'function',
      function: { name: 'send', arguments: '{"ssn":"856-45-6789"}' },
    };
    const calls = await post(litellm, { input_type: 'response', texts: null, tool_calls: [call] });
    t.equal(calls.body.action, 'BLOCKED', 'the arguments of a call');
  },
);

t.test('LiteLLM: what is malformed is refused, never let pass', async (t) => {
  const { post } = await governed(t, 'false', 'BLOCK');
  const cases: [object, string][] = [
    [{ texts: [] }, '/input_type'],
    [{ input_type: 'stream' }, '/input_type'],
    [{ input_type: 'request', texts: 'hello' }, '/texts'],
    [{ input_type: 'request', texts: [7] }, '/texts/0'],
    [{ input_type: 'request', tool_calls: ['x'] }, '/tool_calls/0'],
  ];
  for (const [body, path] of cases) {
    const { status, body: response } = await post(litellm, body);
    t.equal(status, 400, path);
    t.ok(
      response.errors.some((one: { path: string }) => one.path.startsWith(path.replace(/\/0$/, ''))),
      path,
    );
  }
});

t.test(
  'agentgateway: a prompt and a response pass with a reason, or are rejected with a status',
  async (t) => {
    const { post } = await governed(t, '"EMAIL_ADDRESS" in dataTags', 'BLOCK', every);
    const prompt = (content: unknown) =>
      post('/request', { body: { messages: [{ role: 'user', content }] } });
    t.strictSame((await prompt('hello')).body, { action: { reason: 'allowed' } });
    for (const content of ['ada@example.com', [{ type: 'text', text: 'ada@example.com' }]]) {
      const { status, body, text } = await prompt(content);
      t.equal(status, 200);
      t.match(body, { action: { status_code: 403, body: /the-rule/, reason: /the-rule/ } });
      t.notMatch(text, /ada@/);
    }
    const said = (content: string) =>
      post('/response', { body: { choices: [{ message: { role: 'assistant', content } }] } });
    t.strictSame((await said('hello')).body, { action: { reason: 'allowed' } });
    t.match((await said('ada@example.com')).body, { action: { status_code: 403 } });
    for (const [path, body] of [
      ['/request', {}],
      ['/request', { body: { messages: 'x' } }],
      ['/request', { body: { messages: [{ content: 'x' }] } }],
      ['/response', { body: {} }],
      ['/response', { body: { choices: [{}] } }],
    ] as const)
      t.equal((await post(path, body)).status, 400, JSON.stringify(body));
  },
);

t.test('Envoy: 200 lets a request through, 403 denies it, for every method and with any body', async (t) => {
  const { app, key, last, sessions } = await governed(t, 'input.path.startsWith("/admin")', 'BLOCK');
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    t.equal((await app.call(key, method, '/v1/ext-authz/orders/7?full=yes')).status, 200, method);
    const denied = await app.call(key, method, '/v1/ext-authz/admin/keys');
    t.equal(denied.status, 403, method);
    t.match(denied.headers['x-assize-evaluation-id'], /^[0-9a-f-]{36}$/);
    if (method !== 'HEAD') t.match(denied.body, { reason: /the-rule/ });
  }
  const headers = { host: 'shop.example', 'x-assize-session': 's-1' };
  await app.call(key, 'POST', '/v1/ext-authz/orders?full=yes', { item: 7 }, headers);
  t.match(await last(), {
    tool: 'http.request',
    targetKey: 'POST shop.example/orders',
    input: {
      tool: 'http.request',
      method: 'POST',
      host: 'shop.example',
      path: '/orders',
      query: 'full=yes',
      body: { item: 7 },
    },
  });
  t.match(await sessions(), [{ externalSessionId: 'envoy s-1' }]);
  const text = await app.call(key, 'POST', '/v1/ext-authz/notes', 'ada@example.com', {
    'content-type': 'text/plain',
  });
  t.equal(text.status, 200);
  t.match(await last(), { input: { body: 'ada@example.com' }, dataTags: ['PII', 'EMAIL_ADDRESS'] });
});

t.test(
  'Envoy: a call of an MCP server behind it is judged by its tool, and a broken body is denied',
  async (t) => {
    const { app, key, last } = await governed(t, 'tool == "drop_table"', 'APPROVAL_REQUIRED');
    const call = (name: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
    });
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', call('read'))).status, 200);
    t.match(await last(), { tool: 'read' });
    const held = await app.call(key, 'POST', '/v1/ext-authz/mcp', call('drop_table'));
    t.equal(held.status, 403);
    t.match(held.headers['x-assize-review-id'], /^[0-9a-f-]{36}$/);
    for (const more of [{ tool: 'read' }, { toolName: 'read' }, { name: 'read', arguments: {} }]) {
      const disguised = await app.call(key, 'POST', '/v1/ext-authz/mcp', { ...more, ...call('drop_table') });
      t.equal(disguised.status, 403, JSON.stringify(more));
    }
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', [call('drop_table')])).status, 400);
    const called = JSON.stringify(call('drop_table'));
    const plain = { 'content-type': 'text/plain' };
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', called, plain)).status, 400);
    const broken = await app.call(key, 'POST', '/v1/ext-authz/mcp', '{"jsonrpc"', {
      'content-type': 'application/json',
    });
    t.equal(broken.status, 400);
  },
);
