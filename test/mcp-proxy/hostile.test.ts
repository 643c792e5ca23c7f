import t from 'tap';
import { rule } from '../helpers/policies.ts';
import { openConversation } from './conversation.ts';

// What an agent sends that wants a call past the policy, and a server that wants content past it. Every call is blocked here: nothing of
// these reaches the server as a call.

const blocked = rule('tool.startsWith("mcp__")', 'BLOCK');
const call = { name: 'send', arguments: {} };
const message = (more: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call, ...more });

t.test('no form of a call gets past its evaluation', async (t) => {
  const forms = {
    'a batch': `[${message({})}]`,
    'a batch in a batch': `[[${message({})}]]`,
    'a notification': message({ id: undefined }),
    'an id of null': message({ id: null }),
    'an id that is a list': message({ id: [1] }),
    'a fraction as id': message({ id: 1.5 }),
    'an id that is too large': message({ id: 1 }).replace('"id":1', '"id":12345678901234567890'),
    'an id that is too long': message({ id: 'x'.repeat(300) }),
    'another case of the method': message({ method: 'Tools/Call' }),
    'white space in the method': message({ method: 'tools/call ' }),
    'a method that is a list': message({ method: ['tools/call'] }),
    'a second method': `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":${JSON.stringify(call)}}`,
    'a second method, escaped': `{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"tools/call","params":{}}`,
    'a second method in another case': message({ method: 'ping', Method: 'tools/call' }),
    'params in another case': message({ Params: { name: 'read', arguments: {} } }),
    'params as a list': message({ params: ['send', {}] }),
    'a second id': `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/call","params":${JSON.stringify(call)}}`,
    'a request that is a response, too': message({ result: {} }),
    'another version': message({ jsonrpc: '1.0' }),
    'no version': message({ jsonrpc: undefined }),
    'the name in another case': message({ params: { name: 'send', Name: 'read' } }),
    'the name with the long s': message({ params: { name: 'send', argumentſ: {} } }),
    'a name that is a method': message({ params: { name: 'resources/read' } }),
    'a name with white space': message({ params: { name: ' send' } }),
    'a name that is no text': message({ params: { name: { toString: 'send' } } }),
    'a name that is too long': message({ params: { name: 'x'.repeat(300) } }),
    'arguments that are a text': message({ params: { name: 'send', arguments: '{}' } }),
    'the prototype as a member': `{"jsonrpc":"2.0","id":1,"__proto__":{"method":"tools/call"},"params":{"name":"send"}}`,
    'the prototype in params': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"send"}}}`,
    'the prototype in arguments': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send","arguments":{"__proto__":{"a":1}}}}`,
    'half a surrogate pair': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send\\ud800"}}`,
    'deep arguments': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send","arguments":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`,
    'something after the message': `${message({})}{}`,
    'no JSON': 'tools/call',
    'a text': '"tools/call"',
    'an unknown method': message({ method: 'vendor/run' }),
    'a method of the server': message({ method: 'sampling/createMessage' }),
    'an unknown notification': message({ id: undefined, method: 'notifications/run' }),
  };
  const { send } = await openConversation(t, blocked);
  for (const [words, text] of Object.entries(forms)) {
    const { passed, back } = await send('client', text);
    t.equal(passed, null, words);
    for (const response of back) t.ok('error' in response || response.result.isError, words);
  }
});

t.test('a call reaches the server as it was evaluated, on one line for every reader', async (t) => {
  const { proxy, evaluations } = await openConversation(t, rule('false', 'BLOCK'));
  const inner = message({ id: 66 });
  const args = `{"text":"a\u2028${JSON.stringify(inner).slice(1, -1)}\u2029\u0085b","amount":12345678901234567890}`;
  const text = `{"jsonrpc":"2.0",\r"id":1,"method":"tools/call","params":{"name":"send","arguments":${args}}}`;
  const passed = await proxy.receive('client', text, t.fail);
  t.notMatch(passed, /[\r\n\u0085\u2028\u2029]/);
  t.match(passed, /"amount":12345678901234567890/);
  t.equal(JSON.parse(passed ?? '').params.arguments.text, JSON.parse(args).text);
  const [{ input }] = await evaluations();
  t.equal(input.arguments.text, JSON.parse(args).text);
  const result = `{"jsonrpc":"2.0",\r"id":1,"result":{"content":[{"type":"text","text":"\u2028${JSON.stringify(inner).slice(1, -1)}\u2028"}]}}`;
  t.notMatch(await proxy.receive('server', result, t.fail), /[\r\n\u0085\u2028\u2029]/);
});

t.test('_meta carries nothing that policies do not see, and forges no session', async (t) => {
  const { call, evaluations } = await openConversation(t, rule('false', 'BLOCK'));
  const meta = {
    progressToken: 1,
    traceparent: 'x',
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'dev.assize/sessionId': '01900000-0000-7000-8000-000000000000',
    secret: 'ada@example.com',
  };
  const { passed } = await call(1, 'send', {}, { _meta: meta });
  const { 'dev.assize/sessionId': _, secret: __, ...kept } = meta;
  t.strictSame(passed.params._meta, kept);
  t.match((await call(2, 'send', {}, { _meta: 'x' })).back, [{ id: 2, error: { code: -32_602 } }]);
  t.equal((await evaluations()).length, 1, 'one session');
});

t.test('what a call sends beside its arguments is evaluated', async (t) => {
  const { call } = await openConversation(t, rule('dataTags.exists(tag, tag == "EMAIL_ADDRESS")', 'BLOCK'));
  for (const more of [
    { extra: 'ada@example.com' },
    { inputResponses: { a: 'ada@example.com' } },
    { task: { note: 'ada@example.com' } },
  ])
    t.equal((await call(1, 'send', {}, more)).passed, null);
});

t.test(
  'an id in use is not given to another request, and can be used again after its response',
  async (t) => {
    const { call, request, respond } = await openConversation(t, rule('mcp.tool == "send"', 'BLOCK'));
    t.ok((await call(1, 'read')).passed);
    for (const again of [await call(1, 'send'), await request('client', 1, 'ping')]) {
      t.equal(again.passed, null);
      t.match(again.back, [{ id: null, error: { code: -32_600 } }]);
    }
    t.ok((await call('1', 'read')).passed, 'a text is another id');
    t.ok((await respond(1, { content: [] })).passed);
    t.ok((await call(1, 'read')).passed);
  },
);

t.test('a response that nobody asked for, comes too early or twice reaches nobody', async (t) => {
  const { call, respond, send, log } = await openConversation(t, rule('false', 'BLOCK'));
  const result = { content: [{ type: 'text', text: 'x' }] };
  t.equal((await respond(7, result)).passed, null);
  const early = call(1, 'read');
  t.equal((await respond(1, result)).passed, null, 'before the decision');
  await early;
  t.equal((await respond('1', result)).passed, null, 'another id');
  const [first, second] = await Promise.all([respond(1, result), respond(1, { content: [] })]);
  t.match(first.passed, { id: 1, result });
  t.equal(second.passed, null);
  t.equal((await respond(1, result)).passed, null);
  t.equal((await send('client', { jsonrpc: '2.0', id: 3, result })).passed, null);
  t.ok(log.every((line) => /nothing was asked/.test(line)));
});

t.test(
  'a response that cannot be read ends its request, and a server’s other output reaches nobody',
  async (t) => {
    const { call, send } = await openConversation(t, rule('false', 'BLOCK'));
    await call(1, 'read');
    t.same(await send('server', 'Server listening…'), { passed: null, back: [] });
    const twice = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":[{"type":"text","text":"x"}]}}';
    t.match((await send('server', twice)).passed, { id: 1, error: { code: -32_603 } });
    t.equal((await send('server', twice)).passed, null);
    await call(2, 'read');
    const deep = `{"jsonrpc":"2.0","id":2,"result":{"content":[],"_meta":{"a":${'['.repeat(200)}${']'.repeat(200)}}}}`;
    t.match((await send('server', deep)).passed, { id: 2, error: { code: -32_603 } });
  },
);

t.test('a server asks a client for nothing else than the protocol has', async (t) => {
  const { request, send } = await openConversation(t, rule('false', 'BLOCK'));
  for (const method of ['tools/call', 'vendor/run', 'initialize', 'Sampling/createMessage'])
    t.match(await request('server', 1, method), {
      passed: null,
      back: [{ id: 1, error: { code: -32_601 } }],
    });
  const channel = { jsonrpc: '2.0', method: 'notifications/claude/channel', params: { content: 'do it' } };
  t.equal((await send('server', channel)).passed, null);
  t.ok((await send('server', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' })).passed);
});

t.test('no request that passes unevaluated carries what is asked of a model or a person', async (t) => {
  const { request, respond } = await openConversation(t, rule('true', 'BLOCK'));
  const asking = {
    resultType: 'input_required',
    inputRequests: { a: { method: 'sampling/createMessage', params: {} } },
  };
  for (const [id, method] of [
    'tools/list',
    'prompts/list',
    'server/discover',
    'ping',
    'tasks/list',
  ].entries()) {
    t.ok((await request('client', id, method)).passed);
    t.match((await respond(id, asking)).passed, { id, error: { message: /withheld/ } }, method);
    const answered = await request('client', id, method, { inputResponses: { a: {} } });
    t.match(answered, { passed: null, back: [{ id, error: { code: -32_602 } }] }, method);
  }
});

t.test('the result of a task is evaluated, whichever request brings it', async (t) => {
  const { request, respond } = await openConversation(
    t,
    rule('dataTags.exists(tag, tag == "EMAIL_ADDRESS")', 'BLOCK').replace(
      '    when:',
      '    on: [ACTION, RESULT]\n    when:',
    ),
  );
  const result = {
    taskId: 'x',
    status: 'completed',
    result: { content: [{ type: 'text', text: 'ada@example.com' }] },
  };
  for (const [id, method] of ['tasks/get', 'tasks/result'].entries()) {
    t.ok((await request('client', id, method, { taskId: 'x' })).passed);
    t.match((await respond(id, result)).passed, { id, error: { code: -32_000 } }, method);
  }
  const told = { taskId: 'x', inputResponses: { a: { content: 'ada@example.com' } } };
  t.equal((await request('client', 7, 'tasks/update', told)).passed, null);
});
