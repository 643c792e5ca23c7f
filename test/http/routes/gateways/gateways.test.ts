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
      const harmless = { ...guardrail, input_type, texts: ['hello'], structured_messages: null };
      t.strictSame((await post(litellm, harmless)).body, { action: 'NONE' });
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
    const function_call = { name: 'send', arguments: '{"ssn":"856-45-6789"}' };
    const structured_messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: null, function_call },
    ];
    const unsaid = await post(litellm, { input_type: 'request', texts: ['hello'], structured_messages });
    t.equal(unsaid.body.action, 'BLOCKED', 'what LiteLLM takes no text from');
    t.match(await last(), {
      input: { texts: ['hello'], messages: [{ content: null }, { function_call: {} }] },
    });
  },
);

t.test(
  'LiteLLM: what is detected is masked where the proxy wants it, and offered tools are seen',
  async (t) => {
    const { post, last } = await governed(
      t,
      'has(input.modelId) && input.modelId == "forbidden"',
      'BLOCK',
      every,
    );
    const masking = { 'x-assize-redact': 'true' };
    const texts = ['hello', 'mail ada@example.com'];
    for (const input_type of ['request', 'response']) {
      const asked = { ...guardrail, input_type, texts };
      t.strictSame((await post(litellm, asked, masking)).body, {
        action: 'GUARDRAIL_INTERVENED',
        texts: ['hello', 'mail [EMAIL_ADDRESS]'],
      });
      t.strictSame((await post(litellm, { ...asked, texts: ['hello'] }, masking)).body, { action: 'NONE' });
      t.strictSame((await post(litellm, { ...asked, texts: null }, masking)).body, { action: 'NONE' });
      t.strictSame((await post(litellm, asked)).body, { action: 'NONE' });
      t.match(await last(), { input: { tools: guardrail.tools } });
      const blocked = await post(litellm, { ...asked, model: 'forbidden' }, masking);
      t.match(blocked.body, { action: 'BLOCKED', texts: undefined });
    }
    const wrong = await post(litellm, guardrail, { 'x-assize-redact': 'yes' });
    t.equal(wrong.status, 400);
    t.match(wrong.body.errors[0].message, /x-assize-redact must be true or false/);
  },
);

t.test('LiteLLM: each tool that a model calls is an action, for the same rules as in adapters', async (t) => {
  const { post, last, sessions } = await governed(
    t,
    'tool == "shell" || (tool == "pay" && input.arguments.amount > 10) || session.toolCounts.?read.orValue(0) > 1',
    'BLOCK',
  );
  const call = (name: string, sent = '{}') => ({
    id: 'call_1',
    type: 'function',
    function: { name, arguments: sent },
  });
  const ask = async (...tool_calls: object[]) =>
    (await post(litellm, { input_type: 'response', texts: [], tool_calls, litellm_trace_id: 't-2' })).body;
  t.strictSame(await ask(call('pay', '{"amount":9007199254740993e-15}')), { action: 'NONE' });
  t.match(await last(), { tool: 'pay', input: { tool: 'pay' } });
  t.match(await ask(call('pay'), call('shell')), { action: 'BLOCKED', blocked_reason: /the-rule/ });
  for (const sent of ['{"amount":11}', '{"amount":1,"amount":1}', '{"amount":', '"\\":'])
    t.match(await ask(call('pay', sent)), { action: 'BLOCKED' }, sent);
  for (const other of [
    { type: 'custom', custom: { name: 'shell', input: 'ls' } },
    { type: 'function_call', name: 'shell', arguments: '{}' },
  ])
    t.match(await ask(other), { action: 'BLOCKED' }, other.type);
  t.strictSame(await ask(call('read', ''), call('read')), { action: 'NONE' });
  t.match(await ask(call('list')), { action: 'BLOCKED' }, 'calls are counted');
  t.match(await sessions(), [{ externalSessionId: 'litellm t-2' }]);
});

t.test('LiteLLM: what is malformed is refused, never let pass', async (t) => {
  const { post } = await governed(t, 'false', 'BLOCK');
  const cases: [object, string][] = [
    [{ texts: [] }, '/input_type'],
    [{ input_type: 'stream' }, '/input_type'],
    [{ input_type: 'request', texts: 'hello' }, '/texts'],
    [{ input_type: 'request', texts: [7] }, '/texts/0'],
    [{ input_type: 'request', tool_calls: ['x'] }, '/tool_calls/0'],
    [{ input_type: 'request', tools: 'x' }, '/tools'],
    [{ input_type: 'response', tool_calls: [{}] }, '/tool_calls/0'],
    [{ input_type: 'response', tool_calls: [{ function: { name: ' ' } }] }, '/tool_calls/0'],
    [{ input_type: 'request' }, '/texts'],
    [{ input_type: 'response', texts: [], images: null, tools: [], tool_calls: [], model: 'm' }, '/texts'],
    [{ input_type: 'request', text: 'hello', content: 'hello' }, '/texts'],
    [
      { input_type: 'response', tool_calls: [{ function: { name: 'ok' }, custom: { name: 'wipe' } }] },
      '/tool_calls/0/custom/name',
    ],
    [{ input_type: 'response', tool_calls: [{ function: { name: 'ok' } }, {}] }, '/tool_calls/1'],
    [
      { input_type: 'response', tool_calls: [{ function: { name: 'ok' }, type: 'tool_use', name: 'wipe' }] },
      '/tool_calls/0/name',
    ],
    [
      { input_type: 'response', tool_calls: [{ function: { name: 'ok', arguments: '{}', args: { a: 1 } } }] },
      '/tool_calls/0/function/args',
    ],
    [{ input_type: 'response', tool_calls: Array(101).fill({ name: 'read' }) }, '/tool_calls'],
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

t.test('agentgateway: what is detected is masked in the form in which it was sent', async (t) => {
  const { post } = await governed(t, 'false', 'BLOCK', every);
  const masking = { 'x-assize-redact': 'true' };
  const said = (content: unknown) => ({ role: 'user', content });
  for (const [content, masked] of [
    ['to ada@example.com', 'to [EMAIL_ADDRESS]'],
    [[{ type: 'text', text: 'ada@example.com' }], [{ type: 'text', text: '[EMAIL_ADDRESS]' }]],
  ]) {
    const prompt = { body: { messages: [said('hello'), said(content)] } };
    t.strictSame((await post('/request', prompt, masking)).body, {
      action: { reason: 'allowed', body: { messages: [said('hello'), said(masked)] } },
    });
    const choices = { body: { choices: [{ message: said(content) }] } };
    t.strictSame((await post('/response', choices, masking)).body, {
      action: { reason: 'allowed', body: { choices: [{ message: said(masked) }] } },
    });
    t.strictSame((await post('/request', prompt)).body, { action: { reason: 'allowed' } });
  }
  const harmless = { body: { messages: [said('hello')] } };
  t.strictSame((await post('/request', harmless, masking)).body, { action: { reason: 'allowed' } });
});
