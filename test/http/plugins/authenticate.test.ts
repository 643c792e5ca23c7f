// also on PostgreSQL

import t from 'tap';
import { adminKey, missingId, startApp } from '../../helpers/app.ts';
import { openDump } from '../../helpers/database-dump.ts';
import { describedRoutes } from '../../helpers/described-routes.ts';
import { rule } from '../../helpers/policies.ts';
import { listen, readResponse } from '../../helpers/raw-http.ts';

const sessions = '/v1/evaluation-sessions';
const unlimited = { ASSIZE_RATE_LIMIT_ADDRESS: '0', ASSIZE_RATE_LIMIT_INTEGRATION: '0' };
const refusal = JSON.stringify({
  success: false,
  statusCode: 401,
  errors: [
    {
      code: 'unauthenticated',
      message:
        'invalid, expired or missing API key: send the header Authorization: Bearer asz_live_… (operators: asz_admin_…)',
    },
  ],
});

t.test('every key that does not count gets the same 401, to the byte', async (t) => {
  const app = await startApp(t, unlimited);
  const { exchange } = await listen(t, app);
  const { key } = await app.integration();
  const issue = async (more = {}) => {
    const body = { name: 'n', kind: 'AGENT', ...more };
    return (await app.call(adminKey, 'POST', '/v1/integrations', body)).body.data as {
      id: string;
      apiKey: string;
    };
  };
  const replaced = await issue();
  await app.call(adminKey, 'POST', `/v1/integrations/${replaced.id}/regenerate-key`);
  const expired = await issue({ apiKeyExpiresAt: '2030-01-01T00:00:01Z' });
  t.equal((await app.call(expired.apiKey, 'GET', sessions)).status, 200, 'valid until then');
  app.clock.advance(1_000);
  const deleted = await issue();
  t.equal((await app.call(deleted.apiKey, 'GET', sessions)).status, 200);
  await app.call(adminKey, 'DELETE', `/v1/integrations/${deleted.id}`);

  const bearer = (value: string) => `authorization: Bearer ${value}\r\n`;
  const cases: [string, string][] = [
    ['none', ''],
    ['empty', 'authorization:\r\n'],
    ['a scheme only', 'authorization: Bearer\r\n'],
    ['another scheme', `authorization: Basic ${Buffer.from(`x:${key}`).toString('base64')}\r\n`],
    ['no scheme', `authorization: ${key}\r\n`],
    ['no space', `authorization: Bearer${key}\r\n`],
    ['a tab for the space', `authorization: Bearer\t${key}\r\n`],
    ['two words', bearer(`${key} ${key}`)],
    ['a list', bearer(`${key}, ${key}`)],
    ['quotes', bearer(`"${key}"`)],
    ['too short', bearer(key.slice(0, -1))],
    ['too long', bearer(`${key}a`)],
    ['much too long', bearer('a'.repeat(10_000))],
    ['no base64url', bearer(key.replace(/.$/, '='))],
    ['another prefix', bearer(key.replace('asz_live_', 'asz_test_'))],
    ['another case', bearer(key.replace('asz_live_', 'ASZ_LIVE_'))],
    ['an operator prefix on it', bearer(key.replace('asz_live_', 'asz_admin_'))],
    ['an integration prefix on the other', bearer(adminKey.replace('asz_admin_', 'asz_live_'))],
    ['unknown', bearer(`asz_live_${'a'.repeat(43)}`)],
    ['unknown operator', bearer(`asz_admin_${'a'.repeat(43)}`)],
    ['replaced', bearer(replaced.apiKey)],
    ['expired', bearer(expired.apiKey)],
    ['of a deleted integration', bearer(deleted.apiKey)],
    ['twice', bearer(key) + bearer(key)],
    ['twice, in other spelling', `${bearer(key)}AUTHORIZATION: Bearer ${key}\r\n`],
    ['good, then bad', bearer(key) + bearer('x')],
    ['bad, then good', bearer('x') + bearer(key)],
    ['in the query', ''],
    [
      'in another header',
      `x-api-key: ${key}\r\ncookie: key=${key}\r\nproxy-authorization: Bearer ${key}\r\n`,
    ],
  ];
  for (const [name, headers] of cases) {
    const query = name === 'in the query' ? `?key=${key}&access_token=${key}&apiKey=${key}` : '';
    const response = await exchange(`GET ${sessions}${query} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
    t.equal(response.status, 401, name);
    t.equal(response.text, refusal, name);
    t.equal(response.headers['www-authenticate'], 'Bearer', name);
  }
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEARER', 'Bearer  ']) {
    const header = `Authorization: ${scheme} ${key}`;
    const good = await exchange(`GET ${sessions} HTTP/1.1\r\nhost: x\r\n${header}\r\n\r\n`);
    t.equal(good.status, 200, scheme);
  }
});

const keyNeeded: Readonly<Record<string, string>> = {
  operator: 'this needs an operator key (asz_admin_…)',
  integration: 'this needs the key of an integration (asz_live_…)',
};

t.test('every route but health asks for a key, and for the right kind of one', async (t) => {
  const app = await startApp(t, unlimited);
  const { id, key } = await app.integration();
  const others = [await app.integration('REST_API'), await app.integration('MCP_SERVER')];
  const keys = [key, ...others.map((one) => one.key)];
  const dump = await openDump(t, app.database);
  const before = await dump();
  for (const { method, path, callers } of await describedRoutes(app)) {
    const url = path.replaceAll(/\{\w+\}/g, id);
    const anonymous = await app.call(null, method, url);
    t.equal(anonymous.status, callers === 'nobody' ? 200 : 401, `${method} ${path} without a key`);
    if (callers === 'nobody') t.match(path, /^\/health\//);
    else t.equal(anonymous.text, refusal);
    if (callers === 'nobody' || callers === 'any') continue;
    for (const other of callers === 'operator' ? keys : [adminKey]) {
      const { body } = await app.call(other, method, url);
      const errors = [{ code: 'forbidden', message: keyNeeded[callers] }];
      const name = `${method} ${path} with the other kind of key`;
      t.strictSame(body, { success: false, statusCode: 403, errors }, name);
    }
  }
  t.equal(await dump(), before, 'and nothing was done');
});

t.test("another integration's thing and a missing one are answered alike, on every route", async (t) => {
  const app = await startApp(t, unlimited);
  const mine = await app.integration();
  const other = await app.integration();
  await app.policy(other.id, rule('true', 'APPROVAL_REQUIRED'));
  const held = await app.call(other.key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const { sessionId, reviewRequestId } = held.body.data;
  const foreign: Record<string, string> = { sessionId, id: reviewRequestId };
  const dump = await openDump(t, app.database);
  const before = await dump();
  let tried = 0;
  for (const { method, path, params, callers } of await describedRoutes(app)) {
    if (params.length === 0 || callers === 'operator') continue;
    const ask = (id: (name: string) => string) =>
      app.call(
        mine.key,
        method,
        path.replaceAll(/\{(\w+)\}/g, (_, name) => id(name)),
      );
    const found = await ask((name) => foreign[name] ?? '');
    const absent = await ask(() => missingId);
    t.equal(found.status, 404, `${method} ${path}`);
    t.equal(found.text, absent.text, `${method} ${path}`);
    tried++;
  }
  t.ok(tried >= 4, 'the routes were found');
  for (const field of ['sessionId', 'reviewRequestId'] as const) {
    const ask = (id: string) =>
      app.call(mine.key, 'POST', '/v1/evaluate', { input: { tool: 'x' }, [field]: id });
    const found = await ask(held.body.data[field]);
    t.equal(found.status, 404, field);
    t.equal(found.text, (await ask(missingId)).text, field);
  }
  for (const query of [`sessionId=${sessionId}`, '']) {
    const { body } = await app.call(mine.key, 'GET', `/v1/reviews?${query}`);
    t.strictSame(body.data, [], `reviews?${query}`);
  }
  t.equal(await dump(), before, 'and nothing was done');
});

t.test('a bad key is refused before the body is read', async (t) => {
  const app = await startApp(t);
  const { open } = await listen(t, app);
  for (const type of ['application/json', 'text/plain']) {
    const socket = open();
    socket.write(
      `POST /v1/evaluate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer x\r\ncontent-type: ${type}\r\ncontent-length: 2097152\r\n\r\n`,
    );
    const response = await readResponse(socket);
    t.equal(response.status, 401, type);
    t.equal(response.text, refusal);
  }
  const { status, text } = await app.call(null, 'POST', '/v1/evaluate', 'x'.repeat(2_097_152));
  t.equal(status, 401, 'nor when it is there');
  t.equal(text, refusal);
});
