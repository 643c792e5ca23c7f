import t from 'tap';
import { adminKey, missingId, startApp } from '../../helpers/app.ts';

const cases = [
  ['GET', '/v1/evaluate', 'POST'],
  ['PUT', '/v1/evaluate', 'POST'],
  ['OPTIONS', '/v1/evaluate', 'POST'],
  ['HEAD', '/v1/evaluate?x=1', 'POST'],
  ['DELETE', '/v1/evaluation-sessions', 'GET, HEAD, POST'],
  ['PATCH', `/v1/evaluation-sessions/${missingId}`, 'GET, HEAD'],
  ['GET', `/v1/reviews/${missingId}/approve`, 'POST'],
  ['POST', `/v1/integrations/${missingId}/policies/${missingId}`, 'DELETE, PUT'],
] as const;

t.test('a known path called with another method is 405 with Allow, to callers with a key only', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  for (const [method, url, allow] of cases) {
    for (const by of [key, adminKey]) {
      const { status, headers, body } = await app.call(by, method, url);
      t.equal(status, 405, `${method} ${url}`);
      t.equal(headers.allow, allow, `${method} ${url}`);
      t.match(headers['x-request-id'], /./);
      if (method === 'HEAD') continue;
      t.strictSame(body, {
        success: false,
        statusCode: 405,
        errors: [{ code: 'method_not_allowed', message: `this path takes ${allow}` }],
      });
    }
    const nobody = await app.call(null, method, url);
    t.equal(nobody.status, 401, `${method} ${url} without a key`);
    t.notOk('allow' in nobody.headers);
    t.equal((await app.call(`${key.slice(0, -1)}_`, method, url)).status, 401, 'an unknown key');
  }
});

t.test('paths without a key need none for 405, and count for the address', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_ADDRESS: '2' });
  const refused = await app.call(null, 'POST', '/health/live', {});
  t.equal(refused.status, 405);
  t.equal(refused.headers.allow, 'GET, HEAD');
  t.equal((await app.call(null, 'GET', '/nowhere')).status, 404);
  t.equal((await app.call(null, 'POST', '/health/live')).status, 429);
});

t.test('a request with another method counts against the rate limit of its integration', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('AGENT', { requestsPerMinute: 1 });
  t.equal((await app.call(key, 'GET', '/v1/evaluate')).status, 405);
  t.equal((await app.call(key, 'GET', '/v1/evaluate')).status, 429);
});

t.test('the body of such a request is not read, whatever it is', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const sent = { 'content-type': 'application/json' };
  t.equal((await app.call(key, 'PUT', '/v1/evaluate', '{"broken', sent)).status, 405);
  t.equal((await app.call(key, 'POST', '/nowhere', '{"broken', sent)).status, 404);
});
