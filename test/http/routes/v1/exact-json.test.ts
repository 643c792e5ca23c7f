import t from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';
import { rule } from '../../../helpers/policies.ts';
import { legacy, modern } from '../../../mcp/rpc.ts';

const json = { 'content-type': 'application/json' };
/** 2^53 + 1, the largest of 64 bits, and one beyond. */
const digits = ['9007199254740993', '-9223372036854775808', '123456789012345678901234567890'];
const input = `{"tool":"pay","ids":[${digits.join(',')}],"at":{"ns":1700000000123456789},"x":1.5e300}`;

t.test('integers beyond 2^53 come back digit for digit, from every place that keeps them', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { contentRetention: 'full' });
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const post = (url: string, text: string) => app.call(key, 'POST', url, text, json);
  const metadata = `{"tenant":${digits[0]},"10":1,"2":${digits[2]}}`;
  const opened = await post('/v1/evaluation-sessions', `{"metadata":${metadata}}`);
  t.equal(opened.status, 201);
  t.ok(opened.text.includes(`"metadata":${metadata}`));
  const sessionId = opened.body.data.id;

  const body = `{"sessionId":"${sessionId}","targetMetadata":{"to":${digits[0]}},"input":${input}}`;
  const held = await post('/v1/evaluate?redact=true', body);
  t.equal(held.status, 200);
  t.ok(held.text.includes(digits.join(',')), 'redactedInput');

  const session = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.ok(session.text.includes(`"metadata":${metadata}`), 'the session');
  for (const url of [`/v1/evaluation-sessions/${sessionId}/evaluations`, '/v1/evaluations']) {
    const listed = await app.call(adminKey, 'GET', url);
    t.ok(listed.text.includes(digits.join(',')) && listed.text.includes('1700000000123456789'), url);
    t.ok(listed.text.includes(`"targetMetadata":{"to":${digits[0]}}`), `${url}: targetMetadata`);
  }
  const review = await app.call(adminKey, 'GET', `/v1/reviews/${held.body.data.reviewRequestId}`);
  t.ok(review.text.includes(digits.join(',')), 'the review');
});

t.test('an approval for one big integer is none for another', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('REST_API');
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  const pay = (account: string, reviewRequestId?: string) => {
    const named = reviewRequestId === undefined ? '' : `"reviewRequestId":"${reviewRequestId}",`;
    return app.call(key, 'POST', '/v1/evaluate', `{${named}"input":{"tool":"pay","to":${account}}}`, json);
  };
  for (const [approved, other] of [
    ['9007199254740993', '9007199254740992'],
    ['1234567890123456789', '1234567890123456788'],
    ['123456789012345678901234567890', '123456789012345678901234567891'],
    ['1234567890123456789', '"1234567890123456789"'],
    ['1234567890123456789', '{"rawJSON":"1234567890123456789"}'],
  ] as const) {
    const { reviewRequestId } = (await pay(approved)).body.data;
    await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {});
    t.equal((await pay(other, reviewRequestId)).body.data.enforcementAction, 'APPROVAL_REQUIRED', other);
    t.equal((await pay(approved, reviewRequestId)).body.data.enforcementAction, 'ALLOW', approved);
  }
});

t.test('a card number of 19 digits is found and masked as a number too', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  for (const member of ['"card":6212345678901234569', '"cards":[1,6212345678901234569]']) {
    const body = `{"input":{"tool":"pay",${member}}}`;
    const { body: response, text } = await app.call(key, 'POST', '/v1/evaluate?redact=true', body, json);
    t.ok(response.data.dataTags.includes('CREDIT_CARD'), member);
    t.notOk(text.includes('6212345678901234569'), member);
    const { sessionId } = response.data;
    const listed = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}/evaluations`);
    t.match(listed.text, /\[CREDIT_CARD\]/);
    t.notOk(listed.text.includes('6212345678901234569'), 'and stored masked');
  }
});

t.test('MCP takes and returns them as REST does', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER', { contentRetention: 'full' });
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED'));
  for (const sentBy of [modern, legacy]) {
    const { body, headers } = sentBy('tools/call', {
      name: 'evaluate',
      arguments: { input: { placeholder: 0 }, redact: true },
    });
    const text = JSON.stringify(body).replace('{"placeholder":0}', input);
    const response = await app.call(key, 'POST', '/v1/mcp', text, headers);
    const result = response.text.split('\n').find((line) => line.includes('"structuredContent"')) ?? '';
    t.match(result.split('"structuredContent"')[1], digits.join(','), 'in the structured content');
    t.match(result.split('"structuredContent"')[0], digits.join(','), 'and in the text');
  }
  const { body, headers } = modern('tools/call', {
    name: 'start_session',
    arguments: { metadata: { at: 1 } },
  });
  const opened = await app.call(
    key,
    'POST',
    '/v1/mcp',
    JSON.stringify(body).replace('{"at":1}', `{"at":${digits[0]}}`),
    headers,
  );
  t.match(opened.text, `{"at":${digits[0]}}`);
  for (const [member, path] of [
    ['"id":9007199254740993', '/id'],
    ['"id":1,"params":{"_meta":{"progressToken":9007199254740993}}', '/params/_meta/progressToken'],
  ] as const) {
    const envelope = `{"jsonrpc":"2.0","method":"tools/list",${member}}`;
    const refused = await app.call(key, 'POST', '/v1/mcp', envelope, headers);
    t.equal(refused.status, 400);
    t.match(refused.body.error.data.errors, [{ path, message: /must lie within/ }]);
  }
});

t.test('a key that occurs twice is refused wherever it stands, however it is written', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const twice = /^the key occurs twice in its object$/;
  for (const [body, path, column] of [
    ['{"input":{"tool":"git.push","tool":"safe"}}', '/input/tool', 29],
    ['{"input":{"tool":"git.push","to\\u006fl" : "safe"}}', '/input/tool', 29],
    ['{"input":{"a":[{"url":"https://x","url":"https://y"}]}}', '/input/a/0/url', 35],
    ['{"input":{},"targetMetadata":{"a":{"b":1,"b":1}}}', '/targetMetadata/a/b', 42],
    ['{"input":{},"input":{}}', '/input', 13],
  ] as const) {
    const { status, body: response } = await app.call(key, 'POST', '/v1/evaluate', body, json);
    t.equal(status, 400, body);
    t.match(response.errors, [{ code: 'invalid', message: twice, path, line: 1, column }], body);
  }
  const metadata = '{"metadata":{"a":1,"a":1}}';
  const session = await app.call(key, 'POST', '/v1/evaluation-sessions', metadata, json);
  t.match(session.body.errors, [{ path: '/metadata/a', message: twice }]);
  const policy = await app.call(
    adminKey,
    'POST',
    '/v1/policies',
    '{"schemaVersion":1,"name":"p","rules":[{"id":"a","when":"true","when":"false"}]}',
    json,
  );
  t.match(policy.body.errors, [{ path: '/rules/0/when', message: twice }]);
  const yaml = 'schemaVersion: 1\nname: p\nrules:\n  - id: a\n    when: "true"\n    "wh\\u0065n": "false"\n';
  const document = await app.call(adminKey, 'POST', '/v1/policies', yaml, {
    'content-type': 'application/yaml',
  });
  t.match(document.body.errors, [{ path: '/rules/0/when', message: /the key is given twice$/, line: 6 }]);

  const { body: message, headers } = modern('tools/call', { name: 'evaluate', arguments: { input: {} } });
  for (const [member, path] of [
    ['"input":{"tool":"a","tool":"b"}', '/params/arguments/input/tool'],
    ['"input":{},"input":{}', '/params/arguments/input'],
  ] as const) {
    const text = JSON.stringify(message).replace('"input":{}', member);
    const refused = await app.call(key, 'POST', '/v1/mcp', text, headers);
    t.equal(refused.status, 400, member);
    t.match(refused.body.error.data.errors, [{ path, message: twice }]);
  }
});

t.test('a key with an escape sequence is the key it says, whatever was parsed before', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('tool == "git.push"', 'BLOCK'));
  const evaluate = (input: string) => app.call(key, 'POST', '/v1/evaluate', `{"input":${input}}`, json);
  for (const [first, then] of [
    ['{"zz":1,"t\\\\u0":2}', '{"zz":1,"t\\u006fol":"git.push"}'],
    ['{"yy":1,"to\\\\":2}', '{"yy":1,"to\\u006f\\u006c":"git.push"}'],
  ] as const) {
    await evaluate(first);
    t.equal((await evaluate(then)).body.data.enforcementAction, 'BLOCK', then);
  }
});

t.test('broken JSON is answered with the place where it breaks', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { status, body } = await app.call(key, 'POST', '/v1/evaluate', '{\n  "input": {\n    "a" 1\n', json);
  t.equal(status, 400);
  const message = 'the body is not valid JSON: line 3, column 9: expected ":" after a key';
  t.strictSame(body.errors, [{ code: 'invalid', message, path: '', line: 3, column: 9 }]);
});

t.test('rules read every number of an input exactly, and divide without truncating', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(id, rule('input.a / input.b > 0.4 && input.id == 9007199254740993', 'BLOCK'));
  const evaluate = async (members: string) => {
    const body = `{"input":{"tool":"pay",${members}}}`;
    const { data } = (await app.call(key, 'POST', '/v1/evaluate', body, json)).body;
    return [data.enforcementAction, data.violations[0]?.reason ?? null];
  };
  const id1 = '"id":9007199254740993';
  t.strictSame(await evaluate(`"a":999,"b":1000,${id1}`), ['BLOCK', 'the_rule']);
  t.strictSame(await evaluate(`"a":999.5,"b":1000,${id1}`), ['BLOCK', 'the_rule']);
  t.strictSame(await evaluate(`"a":399,"b":1000,${id1}`), ['ALLOW', null]);
  t.strictSame(await evaluate('"a":999,"b":1000,"id":9007199254740992'), ['ALLOW', null]);
  t.strictSame(await evaluate(`"a":1,"b":0,${id1}`), ['BLOCK', 'rule_error']);
  t.strictSame(await evaluate(`"a":1,"b":0.0,${id1}`), ['BLOCK', 'rule_error']);
});
