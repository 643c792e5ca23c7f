import t from 'tap';
import { adminKey } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';
import { openConversation } from './conversation.ts';

const text = (words: string) => ({ content: [{ type: 'text', text: words }] });
const on = (phase: string, document: string) =>
  document.replace('    when:', `    on: [${phase}]\n    when:`);
const sends = 'mcp.server == "crm" && mcp.tool == "send"';

t.test('a call that is let through reaches the server, and its result the client', async (t) => {
  const { call, respond, evaluations } = await openConversation(t, rule('false', 'BLOCK'));
  const { passed, back } = await call(1, 'send', { to: 'bob' });
  t.match(passed, { id: 1, method: 'tools/call', params: { name: 'send', arguments: { to: 'bob' } } });
  t.same(back, []);
  t.match(await respond(1, text('done')), { passed: { id: 1, result: text('done') }, back: [] });
  const [action, result, ...more] = await evaluations();
  t.match(action, { phase: 'ACTION', tool: 'mcp__crm__send', enforcementAction: 'ALLOW' });
  t.match(result, { phase: 'RESULT', resultOf: action.evaluationRunId, status: 'OK' });
  t.same(more, []);
});

t.test('a blocked call is an error of the tool with the reason, and never sent', async (t) => {
  const { call } = await openConversation(t, rule(sends, 'BLOCK'));
  const { passed, back } = await call('a', 'send');
  t.equal(passed, null);
  t.equal(back.length, 1);
  t.match(back[0], { id: 'a', result: { isError: true } });
  t.match(back[0].result.content[0].text, /^Assize: blocked by policy: /);
  t.match(back[0].result._meta['dev.assize/decision'], { enforcementAction: 'BLOCK', evaluationRunId: /./ });
  t.notOk('structuredContent' in back[0].result);
  t.ok((await call('b', 'read')).passed);
});

t.test('a held call passes once after its approval, and a rejected one never', async (t) => {
  const { app, call, respond } = await openConversation(t, rule(sends, 'APPROVAL_REQUIRED'));
  const held = await call(1, 'send', { to: 'bob' });
  t.equal(held.passed, null);
  t.match(
    held.back[0].result.content[0].text,
    /^Assize: waiting for approval \(review [^)]+\).*passes once\.$/,
  );
  const review = held.back[0].result._meta['dev.assize/decision'].reviewRequestId;
  await app.call(adminKey, 'POST', `/v1/reviews/${review}/approve`, {});
  t.equal((await call(2, 'send', { to: 'eve' })).passed, null, 'another call');
  t.ok((await call(3, 'send', { to: 'bob' })).passed);
  await respond(3, text('done'));
  const again = await call(4, 'send', { to: 'bob' });
  t.equal(again.passed, null, 'once');
  const next = again.back[0].result._meta['dev.assize/decision'].reviewRequestId;
  await app.call(adminKey, 'POST', `/v1/reviews/${next}/reject`, { comment: 'not to bob' });
  const rejected = await call(5, 'send', { to: 'bob' });
  t.equal(rejected.passed, null);
  t.match(rejected.back[0].result.content[0].text, /rejected by a reviewer, who says: not to bob/);
});

t.test('a held call can wait for its reviewer, and says so to a client that asks for progress', async (t) => {
  const { app, call } = await openConversation(t, rule(sends, 'APPROVAL_REQUIRED'), { waitMs: 10_000 });
  const waiting = call(1, 'send', {}, { _meta: { progressToken: 'p' } });
  for (;;) {
    const { body } = await app.call(adminKey, 'GET', '/v1/reviews?status=PENDING');
    if (body.data.length === 0) continue;
    await app.call(adminKey, 'POST', `/v1/reviews/${body.data[0].id}/approve`, {});
    break;
  }
  const { passed, back } = await waiting;
  t.match(passed, { id: 1, method: 'tools/call' });
  t.match(back[0], { method: 'notifications/progress', params: { progressToken: 'p', message: /review/ } });
});

t.test('a wait that nobody ends is over in time, and a cancelled one at once', async (t) => {
  const { call, send } = await openConversation(t, rule(sends, 'APPROVAL_REQUIRED'), { waitMs: 50 });
  t.match((await call(1, 'send')).back[0], { id: 1, result: { isError: true } });
  const patient = await openConversation(t, rule(sends, 'APPROVAL_REQUIRED'), { waitMs: 600_000 });
  const waiting = patient.call(7, 'send', {}, { _meta: { progressToken: 1 } });
  while ((await patient.evaluations()).length === 0);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  t.equal((await patient.send('client', cancel)).passed, null, 'the server never had the call');
  const { passed, back } = await waiting;
  t.equal(passed, null);
  t.notOk(back.some(({ id }) => id === 7));
  t.equal((await send('client', cancel)).passed, null);
});

t.test('a result that may not be shown is withheld, structured or not, also of a failed tool', async (t) => {
  const secret = rule('dataTags.exists(tag, tag == "EMAIL_ADDRESS")', 'BLOCK');
  const { call, respond, send } = await openConversation(t, on('RESULT', secret));
  const results = [
    text('ada@example.com'),
    { ...text('see below'), structuredContent: { deep: [{ mail: 'ada@example.com' }] } },
    { content: [{ type: 'resource', resource: { uri: 'x:1', text: 'ada@example.com' } }] },
    { content: [{ type: 'resource_link', uri: 'mailto:ada@example.com', name: 'x' }] },
    { ...text('ada@example.com is unknown'), isError: true },
    { ...text('fine'), _meta: { note: 'ada@example.com' } },
  ];
  for (const [id, result] of results.entries()) {
    await call(id, 'read');
    const { passed } = await respond(id, result);
    t.match(passed, { id, result: { isError: true } });
    t.notMatch(JSON.stringify(passed), /ada@/);
    t.match(passed.result.content[0].text, /^Assize: the result is withheld: blocked by policy/);
  }
  await call(90, 'read');
  const error = { code: -32_000, message: 'ada@example.com is unknown' };
  const { passed } = await send('server', { jsonrpc: '2.0', id: 90, error });
  t.notMatch(JSON.stringify(passed), /ada@/);
});

t.test('detected values are masked where that is asked for, and pictures stay as they are', async (t) => {
  const { call, respond } = await openConversation(t, rule('false', 'BLOCK'), { masks: true });
  await call(1, 'read');
  const data = 'iVBORw0KGgo'.repeat(200);
  const picture = { type: 'image', mimeType: 'image/png', data };
  const { passed } = await respond(1, {
    content: [{ type: 'text', text: 'mail ada@example.com' }, picture],
    structuredContent: { mail: 'ada@example.com', count: 2 },
  });
  t.notMatch(JSON.stringify(passed), /ada@/);
  t.match(passed.result.content[1], picture);
  t.equal(passed.result.structuredContent.count, 2);
});

t.test('text that says that it is a picture is evaluated where a model would read it', async (t) => {
  const hidden = {
    type: 'image',
    mimeType: 'image/png',
    data: 'ghp_1234567890abcdefghijABCDEFGHIJ123456'.repeat(30),
  };
  const seen = rule('string(size(input)) == "x" || dataTags.size() > 0', 'BLOCK');
  const { call, respond, evaluations } = await openConversation(t, on('RESULT', seen));
  await call(1, 'read');
  await respond(1, { content: [], structuredContent: { picture: hidden } });
  const [, result] = await evaluations();
  t.equal(result.input.result.structuredContent.picture.data, hidden.data);
});

t.test('requests that are no tools have names of their own in rules', async (t) => {
  const requests = [
    ['client', 'resources/read', { uri: 'file:///etc/passwd' }, 'arguments.uri.startsWith("file:")'],
    [
      'client',
      'prompts/get',
      { name: 'p', arguments: { who: 'x' } },
      'arguments.prompt == "p" && arguments.values.who == "x"',
    ],
    ['client', 'completion/complete', { ref: {}, argument: { name: 'a', value: 'b' } }, 'true'],
    ['client', 'tasks/result', { taskId: 'x' }, 'true'],
    ['server', 'sampling/createMessage', { messages: [], maxTokens: 5 }, 'arguments.maxTokens == 5'],
    ['server', 'elicitation/create', { message: 'your password?' }, 'arguments.message.contains("pass")'],
  ] as const;
  for (const [from, method, params, when] of requests) {
    const blocked = rule(`tool == "mcp__crm__${method}" && mcp.tool == "${method}" && ${when}`, 'BLOCK');
    const { request, evaluations } = await openConversation(t, blocked);
    const { passed, back } = await request(from, 5, method, params);
    t.equal(passed, null, method);
    const expected =
      method === 'elicitation/create' ? { result: { action: 'decline' } } : { error: { message: /blocked/ } };
    t.match(back, [{ id: 5, ...expected }], method);
    t.equal((await evaluations()).length, 1, method);
  }
});

t.test('the other end’s answer is evaluated as the result of these', async (t) => {
  const secret = on('RESULT', rule('dataTags.exists(tag, tag == "EMAIL_ADDRESS")', 'BLOCK'));
  const { request, respond, send } = await openConversation(t, secret);
  await request('client', 1, 'resources/read', { uri: 'x:y' });
  const read = await respond(1, { contents: [{ uri: 'x:y', text: 'ada@example.com' }] });
  t.match(read.passed, { id: 1, error: { code: -32_000 } });
  await request('server', 1, 'sampling/createMessage', { messages: [] });
  const said = { role: 'assistant', content: { type: 'text', text: 'ada@example.com' }, model: 'm' };
  t.match((await send('client', { jsonrpc: '2.0', id: 1, result: said })).passed, {
    id: 1,
    error: { code: -1 },
  });
  await request('server', 2, 'elicitation/create', { message: 'who?' });
  const told = { action: 'accept', content: { mail: 'ada@example.com' } };
  t.match((await send('client', { jsonrpc: '2.0', id: 2, result: told })).passed, {
    result: { action: 'cancel' },
  });
});

t.test('what a server asks for in a result is evaluated as well', async (t) => {
  const { call, respond } = await openConversation(t, rule('mcp.tool == "sampling/createMessage"', 'BLOCK'));
  const meta = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
  const asking = (method: string) => ({
    resultType: 'input_required',
    inputRequests: { one: { method, params: { messages: [], message: 'm' } } },
  });
  for (const [id, method] of ['sampling/createMessage', 'Sampling/createMessage', 'new/method'].entries()) {
    await call(id, 'send', {}, meta);
    t.match((await respond(id, asking(method))).passed, {
      result: { isError: true, resultType: 'complete' },
    });
  }
  await call(9, 'send', {}, meta);
  t.match((await respond(9, asking('elicitation/create'))).passed, {
    result: { resultType: 'input_required' },
  });
});

t.test('without a decision nothing is sent on', async (t) => {
  const { call, request, app, send, respond } = await openConversation(t, rule('false', 'BLOCK'));
  await call(1, 'read');
  await app.http.close();
  t.match((await respond(1, text('x'))).passed, { id: 1, result: { isError: true } });
  const { passed, back } = await call(2, 'send');
  t.equal(passed, null);
  t.match(back[0].result.content[0].text, /no decision could be made/);
  t.match((await request('client', 3, 'resources/read', { uri: 'x:y' })).back, [{ id: 3, error: {} }]);
  t.ok((await request('client', 4, 'tools/list')).passed);
  t.ok((await send('server', { jsonrpc: '2.0', id: 4, result: { tools: [] } })).passed);
});

t.test('the session that somebody ended stays ended', async (t) => {
  const { app, call, respond, evaluations } = await openConversation(t, rule('false', 'BLOCK'));
  await call(1, 'send');
  await respond(1, text('x'));
  const [{ sessionId }] = await evaluations();
  await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${sessionId}/end`, {});
  t.match((await call(2, 'send')).back, [{ id: 2, result: { isError: true } }]);
});

t.test('a list has only the tools that this session may call now', async (t) => {
  const after = rule('session.toolCounts[?"mcp__crm__read"].orValue(0) >= 1 && mcp.tool == "send"', 'BLOCK');
  const listed = { tools: [{ name: 'read' }, { name: 'send', description: 'Sends' }], nextCursor: 'x' };
  for (const [toolList, expected] of [
    ['hide', [{ name: 'read' }]],
    [
      'mark',
      [{ name: 'read' }, { name: 'send', description: /^\[Assize blocks this tool now: .*\] Sends$/ }],
    ],
    ['all', listed.tools],
  ] as const) {
    const { request, call, respond, evaluations } = await openConversation(t, after, { toolList });
    await request('client', 1, 'tools/list');
    t.strictSame((await respond(1, listed)).passed.result, listed, 'before');
    t.same(await evaluations(), [], 'nothing is recorded, and no session opened');
    await call(2, 'read');
    await respond(2, text('x'));
    await request('client', 3, 'tools/list');
    const { tools, nextCursor } = (await respond(3, listed)).passed.result;
    t.match(tools, expected, toolList);
    t.equal(tools.length, expected.length);
    t.equal(nextCursor, 'x');
    t.equal((await evaluations()).length, 2);
  }
});

t.test('a list is shown whole when nobody can say what may be called', async (t) => {
  const { app, request, respond, log } = await openConversation(t, rule('true', 'BLOCK'));
  await app.http.close();
  await request('client', 1, 'tools/list');
  t.strictSame((await respond(1, { tools: [{ name: 'read' }] })).passed.result, {
    tools: [{ name: 'read' }],
  });
  t.match(log[0], /listed as they are/);
});
