import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';
import { openDump } from '../../helpers/database-dump.ts';

const url = '/v1/operator-keys';

t.test('another operator key is shown once, works at once, and is refused once revoked', async (t) => {
  const app = await startApp(t);
  const made = await app.call(adminKey, 'POST', url);
  t.equal(made.status, 201);
  const { key, ...created } = made.body.data;
  t.match(key, /^asz_admin_[A-Za-z0-9_-]{43}$/);
  t.match(created, {
    name: 'key',
    lastFour: key.slice(-4),
    current: false,
    createdAt: '2030-01-01T00:00:00.000Z',
    revokedAt: null,
  });
  t.notMatch(await (await openDump(t, app.database))(), key, 'only its hash is kept');

  const { body, text } = await app.call(key, 'GET', url);
  t.notMatch(text, /asz_admin_/);
  t.strictSame(body.data[0], { ...created, current: true, lastUsedAt: body.data[0].lastUsedAt });
  t.match(body, { data: { length: 2 }, pagination: { total: 2, page: 1, size: 50 } });

  app.clock.advance(1_000);
  const revoked = await app.call(adminKey, 'POST', `${url}/${created.id}/revoke`);
  t.match(revoked.body.data, {
    ...created,
    lastUsedAt: created.createdAt,
    revokedAt: '2030-01-01T00:00:01.000Z',
  });
  t.equal((await app.call(key, 'GET', url)).status, 401);
  const again = await app.call(adminKey, 'POST', `${url}/${created.id}/revoke`);
  t.match(again, { status: 409, body: { errors: [{ message: 'the key is already revoked' }] } });
});

t.test('the last operator key is never revoked', async (t) => {
  const app = await startApp(t);
  const [own] = (await app.call(adminKey, 'GET', url)).body.data;
  const { status, body } = await app.call(adminKey, 'POST', `${url}/${own.id}/revoke`);
  t.equal(status, 409);
  t.match(body.errors[0].message, /^one active owner must keep a key/);
  t.equal((await app.call(adminKey, 'GET', url)).status, 200);
  const missing = await app.call(adminKey, 'POST', `${url}/01980000-0000-7000-8000-000000000000/revoke`);
  t.equal(missing.status, 404);
});
