import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';

const url = '/v1/operators';
const ada = { name: 'Ada', email: 'ada@example.com', roles: ['REVIEWER'], groups: ['payments'] };

async function withKey(app: TestApp, more: object = {}, key: object = {}) {
  const made = (await app.call(adminKey, 'POST', url, { name: 'n', roles: ['REVIEWER'], ...more })).body.data;
  const { body } = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.id, ...key });
  return { id: made.id as string, key: body.data.key as string, keyId: body.data.id as string };
}

t.test('an operator is created, read with its keys, listed and changed', async (t) => {
  const app = await startApp(t);
  const made = await app.call(adminKey, 'POST', url, {
    ...ada,
    entityId: 'AAAAAAAA-0000-4000-8000-000000000000',
  });
  t.equal(made.status, 201);
  const operator = made.body.data;
  t.strictSame(operator, {
    id: operator.id,
    ...ada,
    status: 'ACTIVE',
    entityId: 'aaaaaaaa-0000-4000-8000-000000000000',
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.000Z',
    keys: [],
  });
  const key = {
    operatorId: operator.id,
    name: 'laptop',
    ipRanges: ['127.0.0.0/8'],
    expiresAt: '2030-06-01T00:00:00Z',
  };
  const created = (await app.call(adminKey, 'POST', '/v1/operator-keys', key)).body.data;
  const { key: secret, ...shown } = created;
  t.match(shown, {
    ...key,
    expiresAt: '2030-06-01T00:00:00.000Z',
    lastFour: secret.slice(-4),
    lastUsedAt: null,
  });
  app.clock.advance(1_000);
  const changed = await app.call(adminKey, 'PATCH', `${url}/${operator.id}`, { email: null, groups: [] });
  t.strictSame(changed.body.data, {
    ...operator,
    email: null,
    groups: [],
    updatedAt: '2030-01-01T00:00:01.000Z',
    keys: [shown],
  });
  t.strictSame((await app.call(adminKey, 'GET', `${url}/${operator.id}`)).body, changed.body);
  const { keys: _, ...account } = changed.body.data;
  const { body } = await app.call(adminKey, 'GET', `${url}?role=REVIEWER&status=ACTIVE`);
  t.strictSame(body.data, [{ ...account, keyCount: 1 }]);
  t.equal((await app.call(adminKey, 'GET', url)).body.pagination.total, 2, 'the first owner too');
});

t.test(
  'a key works within its addresses, until it expires, its operator is disabled or it is revoked',
  async (t) => {
    const app = await startApp(t, { ASSIZE_TRUST_PROXY: 'true' });
    const { id, key, keyId } = await withKey(
      app,
      {},
      { ipRanges: ['203.0.113.0/24', '2001:db8::/32'], expiresAt: '2030-01-02T00:00:00Z' },
    );
    const from = async (address: string) =>
      app.call(key, 'GET', `${url}/me`, undefined, { 'x-forwarded-for': address });
    for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1'])
      t.equal((await from(address)).status, 200, address);
    const wrong = await app.call(`asz_admin_${'x'.repeat(43)}`, 'GET', `${url}/me`);
    for (const address of ['203.0.114.1', '127.0.0.1', '2001:db9::1']) {
      const refused = await from(address);
      t.strictSame([refused.status, refused.text], [401, wrong.text], address);
    }
    await app.call(adminKey, 'PATCH', `${url}/${id}`, { status: 'DISABLED' });
    t.strictSame([(await from('203.0.113.9')).status, (await from('203.0.113.9')).text], [401, wrong.text]);
    await app.call(adminKey, 'PATCH', `${url}/${id}`, { status: 'ACTIVE' });
    t.equal((await from('203.0.113.9')).status, 200);
    app.clock.advance(86_400_000);
    t.equal((await from('203.0.113.9')).status, 401, 'expired');
    t.equal((await app.call(adminKey, 'POST', `/v1/operator-keys/${keyId}/revoke`)).status, 200);
  },
);

t.test('the last use of a key is shown, to the minute', async (t) => {
  const app = await startApp(t);
  const { id, key } = await withKey(app);
  const lastUsed = async () => {
    // It is written after the request was answered, and before whatever is written later.
    await app.store.ping();
    return (await app.call(adminKey, 'GET', `${url}/${id}`)).body.data.keys[0].lastUsedAt;
  };
  t.equal(await lastUsed(), null);
  app.clock.advance(5_000);
  await app.call(key, 'GET', `${url}/me`);
  t.equal(await lastUsed(), '2030-01-01T00:00:05.000Z');
  app.clock.advance(59_000);
  await app.call(key, 'GET', `${url}/me`);
  t.equal(await lastUsed(), '2030-01-01T00:00:05.000Z');
  app.clock.advance(1_000);
  await app.call(key, 'GET', `${url}/me`);
  t.equal(await lastUsed(), '2030-01-01T00:01:05.000Z');
});

t.test('an operator is told who it is and what it may do', async (t) => {
  const app = await startApp(t);
  const { id, key, keyId } = await withKey(app, ada);
  t.strictSame((await app.call(key, 'GET', `${url}/me`)).body.data, {
    id,
    name: ada.name,
    roles: ada.roles,
    groups: ada.groups,
    keyId,
    // biome-ignore format: short texts read better in rows
    permissions: [
      'self:read', 'integrations:read', 'policies:read', 'lists:read', 'bindings:read', 'proposals:read',
      'sessions:read', 'sessions:write', 'evaluations:read', 'violations:read', 'violations:triage',
      'entities:read', 'reviews:read', 'reviews:decide', 'events:read',
    ],
    fourEyes: [],
  });
  const careful = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  t.strictSame((await careful.call(adminKey, 'GET', `${url}/me`)).body.data.fourEyes, ['policies']);
});

t.test('nobody locks out the last owner', async (t) => {
  const app = await startApp(t);
  const { id: own } = (await app.call(adminKey, 'GET', `${url}/me`)).body.data;
  const other = await withKey(app, { roles: ['OWNER'] }, { expiresAt: '2031-01-01T00:00:00Z' });
  const refused = { status: 409, body: { errors: [{ message: /^one active owner must keep a key/ }] } };
  for (const change of [{ status: 'DISABLED' }, { roles: ['AUDITOR'] }]) {
    t.match(
      await app.call(other.key, 'PATCH', `${url}/${own}`, change),
      refused,
      'a key that expires is not enough',
    );
  }
  const lasting = await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: other.id });
  t.equal(
    (await app.call(lasting.body.data.key, 'PATCH', `${url}/${own}`, { roles: ['AUDITOR'] })).status,
    200,
  );
  t.equal((await app.call(adminKey, 'PATCH', `${url}/${own}`, { roles: ['OWNER'] })).status, 403, 'at once');
  t.match(
    await app.call(lasting.body.data.key, 'PATCH', `${url}/${other.id}`, { status: 'DISABLED' }),
    refused,
  );
});

t.test('an e-mail address belongs to one operator', async (t) => {
  const app = await startApp(t);
  await app.call(adminKey, 'POST', url, ada);
  const taken = { status: 409, body: { errors: [{ code: 'conflict', path: '/email' }] } };
  t.match(await app.call(adminKey, 'POST', url, { ...ada, email: 'ADA@example.com' }), taken);
  const { id } = await withKey(app);
  t.match(await app.call(adminKey, 'PATCH', `${url}/${id}`, { email: ada.email }), taken);
});

t.test('an operator has at most 20 keys', async (t) => {
  const app = await startApp(t);
  for (let count = 2; count <= 20; count++) await app.call(adminKey, 'POST', '/v1/operator-keys');
  const { status, body } = await app.call(adminKey, 'POST', '/v1/operator-keys');
  t.match([status, body.errors[0].message], [409, 'the operator has 20 keys: revoke one first']);
});

t.test('a review names the operator who decided it', async (t) => {
  const app = await startApp(t);
  const { id, key } = await withKey(app, ada);
  const { heldIntegration } = await import('../../helpers/reviews.ts');
  const held = await heldIntegration(app);
  const review = await held.review();
  const decided = await app.call(key, 'POST', `/v1/reviews/${review}/approve`);
  t.strictSame(decided.body.data.decidedBy, { id, name: 'Ada' });
  t.strictSame((await app.call(held.key, 'GET', `/v1/reviews/${review}`)).body.data.decidedBy, {
    id,
    name: 'Ada',
  });
});

t.test('only who may decide a review sees what retention would hide', async (t) => {
  const app = await startApp(t);
  const { policy } = app;
  const integration = await app.integration('AGENT', { contentRetention: 'none' });
  const { hold, pay } = await import('../../helpers/reviews.ts');
  await policy(integration.id, hold());
  const { body } = await app.call(integration.key, 'POST', '/v1/evaluate', pay);
  const read = async (key: string) =>
    (await app.call(key, 'GET', `/v1/reviews/${body.data.reviewRequestId}`)).body.data.input;
  t.match(await read((await withKey(app)).key), pay.input);
  for (const role of ['POLICY_EDITOR', 'AUDITOR', 'READ_ONLY']) {
    t.equal(await read((await withKey(app, { roles: [role] })).key), null, role);
  }
});
