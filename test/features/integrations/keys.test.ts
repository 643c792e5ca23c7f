import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { until } from '../../helpers/until.ts';

const hour = 3_600_000;

const post = async (app: TestApp, path: string, body?: object) =>
  app.call(adminKey, 'POST', `/v1/integrations/${path}`, body);
const evaluates = async (app: TestApp, key: string): Promise<boolean> => {
  const { status } = await app.call(key, 'POST', '/v1/evaluate', { input: {} });
  return status === 200;
};

t.test('a key is shown once, and listed by name, last four characters, scopes and last use', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const made = await post(app, `${id}/keys`, { name: 'batch', scopes: ['read', 'evaluate'] });
  const { apiKey, ...shown } = made.body.data;
  t.equal(made.status, 201);
  t.match(apiKey, /^asz_live_[\w-]{43}$/);
  t.match(shown, {
    integrationId: id,
    name: 'batch',
    lastFour: apiKey.slice(-4),
    scopes: ['evaluate', 'read'],
  });
  t.equal((await app.call(key, 'GET', '/v1/evaluation-sessions')).status, 200, 'beside the first');
  const list = async () => (await app.call(adminKey, 'GET', `/v1/integrations/${id}/keys`)).body.data;
  // Uses are written without a request that waits for it, and to the minute.
  const usedAt = (at: string) => until(list, ([{ lastUsedAt }]) => lastUsedAt === at);
  t.strictSame((await list())[0], shown);
  await app.call(apiKey, 'GET', '/v1/evaluation-sessions');
  t.match(await usedAt('2030-01-01T00:00:00.000Z'), [
    { name: 'batch' },
    { name: 'key', scopes: { length: 4 } },
  ]);
  app.clock.advance(30_000);
  await app.call(apiKey, 'GET', '/v1/evaluation-sessions');
  app.clock.advance(30_000);
  await app.call(apiKey, 'GET', '/v1/evaluation-sessions');
  await usedAt('2030-01-01T00:01:00.000Z');
  t.notMatch(JSON.stringify((await app.call(adminKey, 'GET', '/v1/audit')).body), apiKey);
});

t.test('a key is rotated without a moment in which none works', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const [first] = (await app.call(adminKey, 'GET', `/v1/integrations/${id}/keys`)).body.data;
  const rotated = await post(app, `${id}/keys/${first.id}/rotate`, { overlapHours: 2 });
  t.match(rotated.body.data, {
    name: 'key',
    scopes: first.scopes,
    expiresAt: null,
    replaces: { id: first.id, expiresAt: '2030-01-01T02:00:00.000Z' },
  });
  const { apiKey } = rotated.body.data;
  t.strictSame([await evaluates(app, key), await evaluates(app, apiKey)], [true, true]);
  app.clock.advance(2 * hour);
  t.strictSame([await evaluates(app, key), await evaluates(app, apiKey)], [false, true]);
  t.match(await post(app, `${id}/keys/${first.id}/rotate`), { status: 409 }, 'only one that is live');
  const second = rotated.body.data.id;
  const next = await post(app, `${id}/keys/${second}/rotate`);
  t.match(next.body.data.replaces, { expiresAt: '2030-01-02T02:00:00.000Z' }, '24 hours when absent');
  const accept = { accept: 'application/json' };
  const { body } = await app.call(adminKey, 'GET', '/v1/events?type=key.rotated', undefined, accept);
  t.match(body.data.events, [{ data: { operation: 'rotateIntegrationKey', resourceId: id } }, {}]);
});

t.test('one key is revoked alone, and regenerating revokes all', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const other = await app.integration();
  const { apiKey, id: keyId } = (await post(app, `${id}/keys`, { scopes: ['evaluate', 'sessions:open'] }))
    .body.data;
  t.equal((await post(app, `${other.id}/keys/${keyId}/revoke`)).status, 404, 'a key of another integration');
  t.equal((await post(app, `${other.id}/keys/${keyId}/rotate`)).status, 404);
  t.match((await post(app, `${id}/keys/${keyId}/revoke`)).body.data, {
    revokedAt: '2030-01-01T00:00:00.000Z',
  });
  t.match(await post(app, `${id}/keys/${keyId}/revoke`), { status: 409 });
  t.strictSame([await evaluates(app, apiKey), await evaluates(app, key)], [false, true]);
  const second = (await post(app, `${id}/keys`, { name: 'narrow', scopes: ['read'] })).body.data.apiKey;
  const { apiKey: last } = (await post(app, `${id}/regenerate-key`)).body.data;
  for (const gone of [key, second]) t.equal((await app.call(gone, 'GET', '/v1/reviews')).status, 401);
  t.equal((await app.call(last, 'GET', '/v1/reviews')).status, 200);
  t.equal(await evaluates(app, last), false, 'as limited as the newest one was');
});

t.test('an integration has at most 20 live keys, also when they are made at once', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const made = await Promise.all(Array.from({ length: 30 }, () => post(app, `${id}/keys`)));
  t.equal(made.filter(({ status }) => status === 201).length, 19);
  t.match(made.find(({ status }) => status === 409)?.body.errors, [{ message: /has 20 live keys/ }]);
});
