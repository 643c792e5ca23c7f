import t, { type Test } from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';
import { rule } from '../../../helpers/policies.ts';

const every = ['ACTION', 'PROMPT'];

async function governed(t: Test, when: string, effect: string, on = ['ACTION']) {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API', { contentRetention: 'full' });
  const policy = await app.policy(
    id,
    rule(when, effect, 'onError: BLOCK').replace('    when:', `    on: [${on}]\n    when:`),
  );
  const post = (path: string, body: unknown, headers = {}) => app.call(key, 'POST', path, body, headers);
  const sessions = async () => (await app.call(key, 'GET', '/v1/evaluation-sessions')).body.data;
  const last = async () => (await app.call(adminKey, 'GET', '/v1/evaluations?size=1')).body.data[0];
  return { app, id, key, policy, post, sessions, last };
}

const every401 = [
  ['POST', '/access/v1/evaluation'],
  ['POST', '/access/v1/evaluations'],
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

/** The example of section 6.1.1 of the specification. */
const access = {
  subject: { type: 'user', id: 'alice@example.com' },
  resource: { type: 'account', id: '123' },
  action: { name: 'can_read', properties: { method: 'GET' } },
  context: { time: '1985-10-26T01:22-07:00' },
};

t.test('AuthZEN: an evaluation is decided by the policies, in the session of its subject', async (t) => {
  const { app, post, last, sessions } = await governed(t, 'tool == "can_delete"', 'BLOCK');
  const allowed = await post('/access/v1/evaluation', access, {
    'x-request-id': 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716',
  });
  t.equal(allowed.status, 200);
  t.match(allowed.body, { decision: true, context: { id: String } });
  t.equal(allowed.headers['x-request-id'], 'bfe9eb29-ab87-4ca3-be83-a1d5d8305716');
  t.match(await last(), {
    tool: 'can_read',
    targetKey: 'account/123',
    input: {
      tool: 'can_read',
      arguments: { method: 'GET' },
      subject: access.subject,
      resource: access.resource,
      context: access.context,
    },
  });
  const denied = await post('/access/v1/evaluation', { ...access, action: { name: 'can_delete' } });
  t.match(denied.body, { decision: false, context: { reason_user: { en: /the-rule/ } } });
  t.match(await sessions(), [{ externalSessionId: 'subject user alice@example.com', actionCount: 2 }]);
  const named = { ...access, context: { externalSessionId: 'chat-1' } };
  await post('/access/v1/evaluation', named);
  t.equal((await sessions()).length, 2);
  const { status, body } = await app.call(null, 'GET', '/.well-known/authzen-configuration');
  t.equal(status, 200);
  t.match(body.access_evaluation_endpoint, /^http:\/\/[^/]+\/access\/v1\/evaluation$/);
  t.equal(body.access_evaluations_endpoint, `${body.policy_decision_point}/access/v1/evaluations`);
});

t.test('AuthZEN: a held action is denied, and passes once with its review', async (t) => {
  const { app, post } = await governed(t, 'tool == "can_read"', 'APPROVAL_REQUIRED');
  const { body } = await post('/access/v1/evaluation', access);
  const { reviewRequestId } = body.context;
  t.match(body, { decision: false, context: { pollUrl: `/v1/reviews/${reviewRequestId}` } });
  await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`);
  const again = { ...access, context: { ...access.context, reviewRequestId } };
  t.equal((await post('/access/v1/evaluation', again)).body.decision, true);
  t.equal((await post('/access/v1/evaluation', again)).body.decision, false);
});

t.test(
  'AuthZEN: several evaluations inherit what they leave out, and stop where they were told to',
  async (t) => {
    const { post } = await governed(t, 'tool == "can_delete"', 'BLOCK');
    const { subject, resource, action } = access;
    const evaluations = [
      {},
      { action: { name: 'can_delete' } },
      { resource: { type: 'account', id: '124' } },
    ];
    const decisions = async (more: object) => {
      const { status, body } = await post('/access/v1/evaluations', {
        subject,
        resource,
        action,
        evaluations,
        ...more,
      });
      t.equal(status, 200);
      return body.evaluations.map(({ decision }: { decision: boolean }) => decision);
    };
    t.strictSame(await decisions({}), [true, false, true]);
    const semantic = (evaluations_semantic: string) => ({ options: { evaluations_semantic } });
    t.strictSame(await decisions(semantic('execute_all')), [true, false, true]);
    t.strictSame(await decisions(semantic('deny_on_first_deny')), [true, false]);
    t.strictSame(await decisions(semantic('permit_on_first_permit')), [true]);
    t.match((await post('/access/v1/evaluations', access)).body, { decision: true });
    const incomplete = await post('/access/v1/evaluations', { subject, evaluations: [{ action }] });
    t.equal(incomplete.status, 400);
    t.match(incomplete.body.errors, [{ path: '/evaluations/0/resource' }]);
  },
);

t.test('AuthZEN: what is malformed is refused, and the refusal names the field', async (t) => {
  const { post } = await governed(t, 'false', 'BLOCK');
  const { subject, resource, action } = access;
  const cases: [object, string][] = [
    [{ resource, action }, '/subject'],
    [{ subject, action }, '/resource'],
    [{ subject, resource }, '/action'],
    [{ subject: { type: 'user' }, resource, action }, '/subject/id'],
    [{ subject: { id: 'a' }, resource, action }, '/subject/type'],
    [{ subject: { type: 'user', id: 7 }, resource, action }, '/subject/id'],
    [{ subject: { type: '', id: 'a' }, resource, action }, '/subject/type'],
    [{ subject, resource: { type: 'a', id: 'x'.repeat(1_001) }, action }, '/resource/id'],
    [{ subject, resource, action: { name: 7 } }, '/action/name'],
    [{ subject, resource, action: { name: 'a', properties: [] } }, '/action/properties'],
    [{ subject, resource, action, context: 'now' }, '/context'],
    [{ subject, resource, action, context: { externalSessionId: '' } }, '/context/externalSessionId'],
    [{ subject, resource, action, context: { reviewRequestId: 'x' } }, '/context/reviewRequestId'],
  ];
  for (const [body, path] of cases) {
    const { status, body: response } = await post('/access/v1/evaluation', body);
    t.equal(status, 400, path);
    t.equal(response.errors[0].path, path);
  }
  const many = { ...access, evaluations: Array.from({ length: 101 }, () => ({})) };
  t.equal((await post('/access/v1/evaluations', many)).status, 400);
  const semantic = { ...access, evaluations: [{}], options: { evaluations_semantic: 'some' } };
  t.equal(
    (await post('/access/v1/evaluations', semantic)).body.errors[0].path,
    '/options/evaluations_semantic',
  );
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
