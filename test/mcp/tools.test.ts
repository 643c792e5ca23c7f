import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import t, { type Test } from 'tap';
import { adminKey, startApp, type TestApp } from '../helpers/app.ts';
import { blockAfter, rule } from '../helpers/policies.ts';
import { callTool, modern, type Result, send } from './rpc.ts';

const ajv = new Ajv({ strict: false });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);

async function listed(app: TestApp, key: string): Promise<Record<string, Result>> {
  const { body } = await send(app, key, modern('tools/list'));
  return Object.fromEntries(body.result.tools.map((tool: { name: string }) => [tool.name, tool]));
}

/** Calls the tool, and checks what holds for every result. */
async function good(t: Test, app: TestApp, key: string, name: string, args = {}, how = {}): Promise<Result> {
  const result = await callTool(app, key, name, args, how);
  const { [name]: tool } = await listed(app, key);
  t.equal(result.isError, undefined, `${name} succeeds`);
  t.ok(
    ajv.validate(tool.outputSchema, result.structuredContent),
    `${name} fits its schema: ${ajv.errorsText()}`,
  );
  t.strictSame(JSON.parse(result.content[1].text), result.structuredContent, `${name} says the same as text`);
  // That an ALLOW means to do the action needs no second sentence.
  const { guidance = 'ALLOW: do the action.' } = result.structuredContent;
  t.equal(guidance, result.content[0].text, `${name} says what to do in both`);
  return { ...result.structuredContent, text: result.content[0].text };
}

t.test('lists its tools for one caller, each with schemas that every client takes', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const { body } = await send(app, key, modern('tools/list'));
  t.match(body.result, { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' });
  const tools = await listed(app, key);
  t.strictSame(Object.keys(tools), [
    'evaluate',
    'start_session',
    'end_session',
    'get_session',
    'list_reviews',
    'await_review',
  ]);
  t.notMatch(JSON.stringify(tools), /"type":\[|patternProperties|:\{\}|x-mcp-header/);
  for (const [name, tool] of Object.entries(tools)) {
    t.equal(tool.inputSchema.additionalProperties, false, name);
    t.equal(tool.outputSchema.type, 'object', name);
    t.ok(ajv.validateSchema(tool.inputSchema) && ajv.validateSchema(tool.outputSchema), name);
  }
  t.notMatch(Object.keys(tools), /approve|reject|decide/, 'an agent cannot decide a review');
});

t.test('evaluate says in words what to do', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, blockAfter(1));
  await app.policy(id, rule('tool == "mail.send"', 'WARN', 'description: x'));
  const call = (tool: string) => good(t, app, key, 'evaluate', { input: { tool } });
  t.match(await call('web.search'), { enforcementAction: 'ALLOW', text: /^ALLOW: do the action/ });
  t.match(await call('mail.send'), { enforcementAction: 'WARN', text: /^WARN: / });
  const blocked = await call('web.search');
  t.match(blocked, {
    enforcementAction: 'BLOCK',
    text: /^BLOCK: do not do the action: web.search was called 1 times\./,
  });
  t.type(blocked.evaluationRunId, 'string');
});

t.test('an action is held, approved by a human, and done once', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const args = { input: { tool: 'pay', arguments: { amount: 5 } } };
  const held = await good(t, app, key, 'evaluate', args);
  t.match(held, {
    enforcementAction: 'APPROVAL_REQUIRED',
    text: /^APPROVAL_REQUIRED: do not do the action yet/,
  });
  t.match(held.text, `{"id":"${held.reviewRequestId}"}`);
  t.match(held.text, `{"reviewRequestId":"${held.reviewRequestId}","sessionId":"${held.sessionId}"}`);

  const list = await good(t, app, key, 'list_reviews', {
    status: 'PENDING',
    sessionId: held.sessionId.toUpperCase(),
  });
  t.match(list, { pagination: { total: 1, page: 1, size: 50 }, text: `${held.reviewRequestId} PENDING pay` });
  t.match(await good(t, app, key, 'await_review', { id: held.reviewRequestId, wait: 0 }), {
    status: 'PENDING',
    text: /Call await_review again/,
  });

  const waiting = good(t, app, key, 'await_review', { id: held.reviewRequestId });
  await app.call(adminKey, 'POST', `/v1/reviews/${held.reviewRequestId}/approve`, { comment: 'go on' });
  t.match(await waiting, { status: 'APPROVED', text: /The reviewer's comment: go on$/ });

  const use = { ...args, reviewRequestId: held.reviewRequestId };
  const other = await good(t, app, key, 'evaluate', {
    ...use,
    input: { tool: 'pay', arguments: { amount: 6 } },
  });
  t.match(other, { enforcementAction: 'APPROVAL_REQUIRED', text: /given for another action/ });
  t.match(await good(t, app, key, 'evaluate', use), {
    enforcementAction: 'ALLOW',
    approval: { applied: true },
    text: /Do the action once, now/,
  });
  t.match(await good(t, app, key, 'evaluate', use), {
    enforcementAction: 'APPROVAL_REQUIRED',
    text: /the approval was already used/,
  });
  t.match(await good(t, app, key, 'await_review', { id: held.reviewRequestId }), { status: 'CONSUMED' });
});

t.test('a rejection and a review that ran out say so', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const args = { input: { tool: 'pay' } };
  const { reviewRequestId } = await good(t, app, key, 'evaluate', args);
  await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/reject`);
  t.match(await good(t, app, key, 'await_review', { id: reviewRequestId }), { text: /^REJECTED: do not/ });
  t.match(await good(t, app, key, 'evaluate', { ...args, reviewRequestId }), {
    enforcementAction: 'BLOCK',
    text: /a human rejected it/,
  });
  const second = await good(t, app, key, 'evaluate', { input: { tool: 'pay', to: 'bob' } });
  app.clock.advance(16 * 60_000);
  t.match(await good(t, app, key, 'await_review', { id: second.reviewRequestId }), { text: /^EXPIRED: / });
});

t.test('sessions open, are read and end, with metadata as it was given', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const opened = await callTool(app, key, 'start_session', {
    metadata: { b: 1, a: { '10': true, '2': 'x' } },
    externalSessionId: 'task',
    entityId: null,
  });
  t.match(opened.content[1].text, '"metadata":{"b":1,"a":{"2":"x","10":true}}');
  const { id: sessionId } = await good(t, app, key, 'start_session');
  t.match(await good(t, app, key, 'evaluate', { input: { tool: 'x' }, sessionId }), { sessionId });
  t.match(await good(t, app, key, 'get_session', { sessionId }), {
    actionCount: 1,
    toolCounts: { x: 1 },
    text: 'The session is ACTIVE with 1 action: 0 warned about, 0 held for approval (0 rejected), 0 blocked.',
  });
  t.match(await good(t, app, key, 'end_session', { sessionId, status: 'TERMINATED' }), {
    id: sessionId,
    status: 'TERMINATED',
    text: 'The session is TERMINATED with 1 action.',
  });
});

t.test(
  'an evaluation states its session, whom it is about, which one delegates, and what it costs',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration('MCP_SERVER');
    await app.policy(id, rule('cost.?usd.orValue(0) > 1', 'BLOCK'));
    const entityId = '00000000-0000-4000-8000-0000000000aa';
    const { id: parentSessionId } = await good(t, app, key, 'start_session', { entityId });
    const args = { input: { tool: 'ask' }, externalSessionId: 'sub', entityId, parentSessionId };
    const { tools } = (await send(app, key, modern('tools/list'))).body.result;
    const { inputSchema } = tools.find((tool: { name: string }) => tool.name === 'evaluate');
    const validate = ajv.compile(inputSchema);
    t.ok(validate({ ...args, cost: { usd: 1 } }), 'clients may send it');
    t.notOk(validate({ ...args, cost: { usd: '1' } }));
    const { sessionId } = await good(t, app, key, 'evaluate', { ...args, cost: { usd: 1 } });
    t.match(await good(t, app, key, 'get_session', { sessionId }), { parentSessionId, entityId, depth: 1 });
    t.match(await good(t, app, key, 'evaluate', { ...args, cost: { usd: 2 } }), {
      enforcementAction: 'BLOCK',
    });
  },
);

t.test('a model pays for what is said, not for what is empty', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, rule('tool == "drop"', 'BLOCK'));
  const texts = async (tool: string) => {
    const { content } = await callTool(app, key, 'evaluate', { input: { tool } });
    return content.map(({ text }: { text: string }) => text);
  };
  const [told, allowed] = await texts('look');
  t.equal(told, 'ALLOW: do the action.');
  t.match(JSON.parse(allowed), { enforcementAction: 'ALLOW', sessionId: String });
  t.notMatch(allowed, /null|\[\]/);
  // Half of what they once were: 316 and 883.
  t.ok(told.length + allowed.length <= 158, `${allowed.length} characters for an ALLOW`);
  const [why, blocked] = await texts('drop');
  t.match(why, /^BLOCK: do not do the action: .*the-rule/);
  t.equal(JSON.parse(blocked).guidance, why);
  t.ok(why.length + blocked.length <= 441, `${blocked.length} characters for a BLOCK`);
});

t.test('an evaluation is the same as over REST but for its transport', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, rule('tool == "x"', 'WARN'));
  const sessionId = (await callTool(app, key, 'start_session')).structuredContent.id;
  const request = {
    input: { tool: 'x', to: 'jane@example.com' },
    targetKey: 'doc-1',
    targetMetadata: { owner: 'me' },
    correlationId: 'c-1',
    sessionId,
  };
  const redacted = await callTool(app, key, 'evaluate', { ...request, redact: true });
  const rest = await app.call(key, 'POST', '/v1/evaluate?redact=true', request);
  const bare = (response: Result) => ({ ...response, evaluationRunId: 0 });
  const { guidance, ...response } = redacted.structuredContent;
  t.match(guidance, /^WARN: /);
  // What the shorter result has, it has as REST has it.
  t.match(bare(rest.body.data), bare(response));
  t.strictSame(response.redactedInput, rest.body.data.redactedInput);
  const { body } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}/evaluations`);
  const [second, first] = body.data;
  for (const field of [
    'tool',
    'targetKey',
    'targetMetadata',
    'correlationId',
    'dataTags',
    'detections',
    'input',
  ]) {
    t.strictSame(first[field], second[field], field);
  }
});

const deep = (levels: number): unknown => (levels === 0 ? 0 : { a: deep(levels - 1) });
const unusable: Record<string, [tool: string, args: Record<string, unknown>, text: RegExp]> = {
  'a field that is missing': ['evaluate', {}, /^invalid: \/input is required$/],
  'a field of the wrong type': ['evaluate', { input: 'x' }, /\/input must be object/],
  'a field that there is not': [
    'evaluate',
    { input: {}, extra: 1 },
    /\/extra is not a field of this request/,
  ],
  'what is no UUID': ['evaluate', { input: {}, sessionId: 'x' }, /\/sessionId must be a UUID/],
  'what is nested too deep': ['evaluate', { input: deep(64) as object }, /nested deeper than 64/],
  'a URL that calls nobody': [
    'evaluate',
    { input: {}, callbackUrl: 'file:///x' },
    /\/callbackUrl must be an http/,
  ],
  'a session that there is not': [
    'evaluate',
    { input: {}, sessionId: '00000000-0000-4000-8000-000000000000' },
    /^not_found: \/sessionId there is no evaluation session with this sessionId$/,
  ],
  'a review that there is not': [
    'await_review',
    { id: '00000000-0000-4000-8000-000000000000' },
    /^not_found/,
  ],
  'a wait beyond the limit': [
    'await_review',
    { id: '00000000-0000-4000-8000-000000000000', wait: 21 },
    /\/wait/,
  ],
  'a session before there is one': ['get_session', {}, /the first evaluate opens one/],
  'metadata that is too large': [
    'start_session',
    { metadata: { a: 'x'.repeat(17_000) } },
    /\/metadata must be at most/,
  ],
  'metadata with NUL': ['start_session', { metadata: { a: '\0' } }, /\/metadata\/a must not contain NUL/],
  'an expiry in the past': [
    'start_session',
    { expiresAt: '2020-01-01T00:00:00Z' },
    /\/expiresAt must be in the future/,
  ],
};

t.test('what cannot be used is refused in a result that the model can read', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  for (const [name, [tool, args, text]] of Object.entries(unusable)) {
    const result = await callTool(app, key, tool, args);
    t.equal(result.isError, true, name);
    t.match(result.content[0].text, text, name);
    t.equal(result.structuredContent, undefined, `${name}: nothing that would have to fit the schema`);
    t.match(result._meta['dev.assize/error'].code, /^(invalid|not_found)$/, name);
  }
});

t.test('an action that has ended its session is refused, and nothing is recorded', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const sessionId = (await callTool(app, key, 'start_session')).structuredContent.id;
  await callTool(app, key, 'end_session', { sessionId });
  for (const [tool, args] of [
    ['evaluate', { input: {}, sessionId }],
    ['end_session', { sessionId }],
  ] as const) {
    const result = await callTool(app, key, tool, args);
    t.match(result, { isError: true, _meta: { 'dev.assize/error': { code: 'conflict' } } }, tool);
    t.match(result.content[0].text, /the session is COMPLETED/, tool);
  }
  t.match((await callTool(app, key, 'get_session', { sessionId })).structuredContent, { actionCount: 0 });
});
