// also on PostgreSQL

import t from 'tap';
import { startApp } from '../../helpers/app.ts';
import { breakTable, openBeside } from '../../helpers/database-beside.ts';
import { openDump } from '../../helpers/database-dump.ts';
import { openConformance } from '../../helpers/described-routes.ts';
import { rule } from '../../helpers/policies.ts';
import { listen } from '../../helpers/raw-http.ts';

const noSuchPath =
  'there is no such path: the API is under /v1 and described at /docs, health at /health/live and /health/ready';
const refusedKey =
  'invalid, expired or missing API key: send the header Authorization: Bearer asz_live_… (operators: asz_admin_…)';

const sessions = '/v1/evaluation-sessions';
const refusal = (statusCode: number, code: string, message: string) => ({
  success: false,
  statusCode,
  errors: [{ code, message }],
});
const own = /^[0-9a-f-]{36}$/;
/** That an integration has no policy is said when it is created. */
const isNotice = (line: { msg?: string }) => line.msg === 'no policy is bound: everything is allowed';
const failures = (log: string[]) =>
  log.filter((line) => JSON.parse(line).level >= 40 && !isNotice(JSON.parse(line)));
/** Without the lines of events, which tell of decisions and changes. */
const ownLines = (log: string[]) =>
  log.map((line) => JSON.parse(line)).filter((line) => !('event' in line) && !isNotice(line));

t.test('an unknown URL is 404 in the envelope', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const cases = [
    ['GET', '/nowhere'],
    ['GET', '/v1'],
    ['GET', '/v2/evaluate'],
    ['POST', `${sessions}/`],
    ['GET', '//v1/evaluation-sessions'],
    ['GET', '/V1/evaluation-sessions'],
    ['GET', '/__proto__'],
  ] as const;
  for (const by of [key, null]) {
    for (const [method, url] of cases) {
      const { status, body } = await app.call(by, method, url);
      t.equal(status, 404, `${method} ${url}`);
      t.strictSame(body, refusal(404, 'not_found', noSuchPath), `${method} ${url}`);
    }
  }
});

t.test('a URL that cannot be decoded is 400 in the envelope', async (t) => {
  const app = await startApp(t);
  for (const url of ['/%zz', '/v1/evaluation-sessions/%', '/%c3%28', '/docs/%e0%a4']) {
    const { status, body } = await app.call(null, 'GET', url);
    t.equal(status, 400, url);
    t.strictSame(body, refusal(400, 'invalid', 'the URL cannot be decoded'), url);
  }
});

t.test('what is no HTTP is answered in the envelope, and named', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { exchange } = await listen(t, app);
  const chunked = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n';
  const notHttp = refusal(400, 'invalid', 'this is not a valid HTTP request');
  const noHost = refusal(400, 'invalid', 'the Host header is missing');
  const noPath = refusal(404, 'not_found', noSuchPath);
  const cases: [string, string, object][] = [
    ['no request', 'HELLO\r\n\r\n', notHttp],
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', noHost],
    ['no Host and no route', 'GET / HTTP/1.1\r\n\r\n', noHost],
    [
      'two Hosts',
      'GET /health/live HTTP/1.1\r\nhost: x\r\nHOST: x\r\n\r\n',
      refusal(400, 'invalid', 'the Host header must be sent once'),
    ],
    [
      'CONNECT',
      'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n',
      refusal(400, 'invalid', 'CONNECT is not supported: this is no proxy'),
    ],
    [
      'an expectation that nobody knows',
      'POST /v1/evaluate HTTP/1.1\r\nhost: x\r\nexpect: the-best\r\ncontent-length: 2\r\n\r\n',
      refusal(417, 'invalid', 'the only expectation supported is 100-continue'),
    ],
    ['TRACE of an unknown path', 'TRACE /nowhere HTTP/1.1\r\nhost: x\r\n\r\n', noPath],
    [
      'TRACE without a key',
      'TRACE /v1/evaluate HTTP/1.1\r\nhost: x\r\n\r\n',
      refusal(401, 'unauthenticated', refusedKey),
    ],
    [
      'TRACE',
      `TRACE /v1/evaluate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
      refusal(405, 'method_not_allowed', 'this path takes POST'),
    ],
    ['another version', 'GET / HTTP/9.9\r\n\r\n', notHttp],
    ['no method of HTTP', 'FOO / HTTP/1.1\r\nhost: x\r\n\r\n', notHttp],
    ['a header without colon', 'GET / HTTP/1.1\r\nhost: x\r\nbad\r\n\r\n', notHttp],
    [
      'two lengths, a way to smuggle',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      notHttp,
    ],
    [
      'a broken chunk',
      `POST ${sessions} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${chunked}`,
      notHttp,
    ],
    [
      'headers of 20 KB',
      `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`,
      refusal(431, 'invalid', 'the headers are too large'),
    ],
    ['a method that needs a body', 'QUERY /nowhere HTTP/1.1\r\nhost: x\r\n\r\n', noPath],
  ];
  for (const [name, bytes, expected] of cases) {
    const response = await exchange(bytes);
    t.equal(response.status, (expected as { statusCode: number }).statusCode, name);
    t.strictSame(response.body, expected, name);
    t.match(response.headers['x-request-id'], own, name);
    t.match(response.headers['content-type'], /^application\/json/, name);
  }
  t.strictSame(failures(app.log), [], 'and none of it is logged as a failure');
});

t.test('a caller that hangs up while it sends is no failure of ours', async (t) => {
  const app = await startApp(t, { ASSIZE_LOG_LEVEL: 'debug' });
  const { key } = await app.integration();
  const { open } = await listen(t, app);
  const dump = await openDump(t, app.database);
  const before = await dump();
  app.log.length = 0;
  const arrived = new Promise<void>((resolve) => app.http.server.once('request', () => resolve()));
  const socket = open();
  const head = `host: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 100`;
  socket.write(`POST /v1/evaluate HTTP/1.1\r\n${head}\r\n\r\n{"input":`);
  await arrived;
  socket.destroy();
  await app.http.close();
  t.strictSame(failures(app.log), []);
  t.equal(await dump(), before);
});

t.test('while the store fails the answer is 503, never ALLOW, and nothing is recorded', async (t) => {
  const app = await startApp(t);
  const conformance = await openConformance(app);
  const { id, key } = await app.integration();
  await app.policy(id, rule('tool == "held"', 'APPROVAL_REQUIRED'));
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const dump = await openDump(t, app.database);
  const beside = await openBeside(t, app.database);
  const before = await dump();
  await beside.block();
  for (const [method, url, body] of [
    ['POST', '/v1/evaluate', { input: { tool: 'x' } }],
    ['GET', '/health/ready', undefined],
  ] as const) {
    const response = await app.call(key, method, url, body);
    t.equal(response.status, 503, url);
    t.strictSame(response.body, refusal(503, 'unavailable', 'the store is not available'), url);
    t.equal(String(response.headers['retry-after']), '1', url);
    t.equal(conformance(method, url, response), null, url);
  }
  t.equal((await app.call(null, 'GET', '/health/live')).status, 200, 'the process lives');
  await beside.free();
  t.equal(await dump(), before);
  t.equal((await app.call(null, 'GET', '/health/ready')).status, 200, 'and it is ready again');
  t.equal((await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status, 200);
});

t.test('a store that fails halfway leaves nothing of the change', async (t) => {
  for (const table of ['evaluations', 'reviews', 'evaluation_sessions', 'policy_sets', 'idempotency_keys']) {
    const app = await startApp(t);
    const { id, key } = await app.integration();
    await app.policy(id, rule('true', 'APPROVAL_REQUIRED'));
    await breakTable(t, app.database, table);
    const dump = await openDump(t, app.database);
    const before = await dump();
    const headers = { 'idempotency-key': 'once' };
    const response = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } }, headers);
    t.equal(response.status, 503, table);
    t.strictSame(response.body, refusal(503, 'unavailable', 'the store is not available'), table);
    t.equal(await dump(), before, table);
    t.match(ownLines(app.log), [{ level: 50, err: { message: /no such table|does not exist/ } }], table);
  }
});

t.test('an error of our own is 500 without its words, logged with its cause, and never ALLOW', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, rule('true', 'BLOCK'));
  const beside = await openBeside(t, app.database);
  await beside.exec("UPDATE policy_versions SET document = 'name: secret-damage'");
  const dump = await openDump(t, app.database);
  const before = await dump();
  const headers = { 'x-request-id': 'broken-1' };
  const response = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } }, headers);
  t.equal(response.status, 500);
  t.strictSame(response.body, refusal(500, 'internal', 'internal server error'));
  t.notOk('retry-after' in response.headers);
  t.equal(await dump(), before, 'nothing was recorded');
  const lines = ownLines(app.log);
  t.match(lines, [{ level: 50, reqId: 'broken-1', msg: 'request failed', err: { stack: /./ } }]);
  t.match(lines[0].err.message, policyId);
  t.notMatch(app.log.join(), /secret-damage/);
});
