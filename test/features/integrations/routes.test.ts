// also on PostgreSQL

import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { isPostgres } from '../../../src/store/address.ts';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { openDump } from '../../helpers/database-dump.ts';
import { until } from '../../helpers/until.ts';

const keyPattern = /^asz_live_[A-Za-z0-9_-]{43}$/;
const secretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/;
const create = (app: TestApp, body: object) => app.call(adminKey, 'POST', '/v1/integrations', body);
const works = async (app: TestApp, key: string) =>
  (await app.call(key, 'POST', '/v1/evaluate', { input: {} })).status;

t.test('creating shows the key and the signing secret once, and every field', async (t) => {
  const app = await startApp(t);
  const { status, body } = await create(app, { name: 'Büro ✓', kind: 'REST_API' });
  t.equal(status, 201);
  const { id, apiKey, webhookSecret } = body.data;
  t.match(apiKey, keyPattern);
  t.match(webhookSecret, secretPattern);
  t.strictSame(body, {
    success: true,
    statusCode: 201,
    data: {
      id,
      name: 'Büro ✓',
      status: 'ACTIVE',
      deletedAt: null,
      kind: 'REST_API',
      description: null,
      settings: {
        contentRetention: 'redacted',
        reviewInput: 'full',
        detectionSensitivity: 'balanced',
        disabledTags: [],
        enabledTags: [],
        sessionScope: 'client',
        requireSession: false,
        whenNoPolicy: 'ALLOW',
        unknownTools: 'ALLOW',
        onSchemaMismatch: 'BLOCK',
        identity: null,
        delegatesTo: [],
        afterRejection: 'BLOCK',
        maxPendingReviews: 1_000,
        maxPendingReviewsInSession: 20,
        maxOpenSessions: null,
        maxBytesPerDay: null,
        requestsPerMinute: null,
      },
      apiKeyPrefix: apiKey.slice(0, 13),
      apiKeyExpiresAt: null,
      createdAt: '2030-01-01T00:00:00.000Z',
      updatedAt: '2030-01-01T00:00:00.000Z',
      warnings: [{ code: 'no_policy_bound', message: 'no policy is bound: everything is allowed' }],
      apiKey,
      webhookSecret,
    },
  });
  t.equal(await works(app, apiKey), 200);
});

t.test('given settings join the defaults', async (t) => {
  const app = await startApp(t);
  const settings = { contentRetention: 'none', disabledTags: ['IP_ADDRESS'], requestsPerMinute: 0 };
  const { body } = await create(app, { name: 'x', kind: 'AGENT', description: 'why', settings });
  t.match(body.data, { description: 'why', settings: { ...settings, detectionSensitivity: 'balanced' } });
});

t.test('reads and lists newest first, by page, and never shows a key or a secret again', async (t) => {
  const app = await startApp(t);
  const made = [];
  for (const name of ['a', 'b', 'c']) made.push((await create(app, { name, kind: 'AGENT' })).body.data);
  const [a, b, c] = made;
  const { apiKey, webhookSecret, ...shown } = a;
  const read = await app.call(adminKey, 'GET', `/v1/integrations/${a.id.toUpperCase()}`);
  t.strictSame(read.body, { success: true, statusCode: 200, data: shown });
  const first = await app.call(adminKey, 'GET', '/v1/integrations?size=2');
  t.strictSame(
    first.body.data.map((item: { id: string }) => item.id),
    [c.id, b.id],
  );
  t.strictSame(first.body.pagination, { total: 3, page: 1, size: 2 });
  const second = await app.call(adminKey, 'GET', '/v1/integrations?size=2&page=2');
  const { warnings: _, ...listed } = shown;
  t.strictSame(second.body.data, [listed]);
  for (const { text } of [read, first, second]) {
    for (const item of made) {
      t.notOk(text.includes(item.apiKey) || text.includes(item.webhookSecret));
      t.notOk(text.includes(hash('sha256', item.apiKey)), 'not even the hash');
    }
  }
});

t.test(
  'a second one of the same name is created with a warning, and a list can be asked for a name',
  async (t) => {
    const app = await startApp(t);
    const [first, second] = [
      await create(app, { name: 'crm', kind: 'AGENT' }),
      await create(app, { name: 'crm', kind: 'AGENT' }),
    ];
    const { warnings } = second.body.data;
    t.match(warnings, [
      { code: 'no_policy_bound' },
      { code: 'name_taken', message: `integration ${first.body.data.id} has` },
    ]);
    await create(app, { name: 'other', kind: 'AGENT' });
    const { body } = await app.call(adminKey, 'GET', '/v1/integrations?name=crm');
    t.strictSame([body.data[1].id, body.pagination.total], [first.body.data.id, 2]);
    await app.call(adminKey, 'DELETE', `/v1/integrations/${first.body.data.id}`);
    await app.call(adminKey, 'DELETE', `/v1/integrations/${second.body.data.id}`);
    t.strictSame(
      (await create(app, { name: 'crm', kind: 'AGENT' })).body.data.warnings.length,
      1,
      'deleted ones do not count',
    );
  },
);

t.test('no key is kept or logged; of it only the hash is in the database', async (t) => {
  const app = await startApp(t, { ASSIZE_LOG_LEVEL: 'trace' });
  const { id, key } = await app.integration();
  const { body } = await app.call(adminKey, 'POST', `/v1/integrations/${id}/regenerate-key`);
  await works(app, key);
  await works(app, body.data.apiKey);
  const files = ['', '-wal', '-shm'].map((ending) => app.database + ending).filter(existsSync);
  const kept = isPostgres(app.database)
    ? await (await openDump(t, app.database))()
    : Buffer.concat(files.map((file) => readFileSync(file)));
  for (const secret of [key, body.data.apiKey, adminKey]) {
    t.ok(kept.includes(hash('sha256', secret)), 'the test looks at the right files');
    t.notOk(kept.includes(secret));
    t.notOk(kept.includes(secret.slice(secret.lastIndexOf('_live_') + 6)), 'nor its random part');
  }
  const log = app.log.join('');
  t.match(log, /regenerate-key/, 'requests are logged at this level');
  t.notMatch(log, /asz_live_|asz_admin_|whsec_|Bearer/);
});

t.test('a change merges settings, keeps what is absent, and moves updatedAt', async (t) => {
  const app = await startApp(t);
  const { id } = (
    await create(app, {
      name: 'x',
      kind: 'AGENT',
      description: 'd',
      settings: { disabledTags: ['IP_ADDRESS'], requestsPerMinute: 7 },
    })
  ).body.data;
  const patch = async (body: object) => {
    app.clock.advance(1_000);
    const { status, body: response } = await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, body);
    t.equal(status, 200);
    return response.data;
  };
  t.match(await patch({ settings: { contentRetention: 'full' } }), {
    name: 'x',
    description: 'd',
    settings: {
      contentRetention: 'full',
      detectionSensitivity: 'balanced',
      disabledTags: ['IP_ADDRESS'],
      enabledTags: [],
      requestsPerMinute: 7,
    },
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:01.000Z',
  });
  t.match(await patch({ name: 'y' }), { name: 'y', settings: { contentRetention: 'full' } });
  t.match(await patch({ description: null, settings: { requestsPerMinute: null } }), {
    name: 'y',
    description: null,
    settings: { contentRetention: 'full', disabledTags: ['IP_ADDRESS'], requestsPerMinute: null },
  });
  const { body } = await app.call(adminKey, 'GET', `/v1/integrations/${id}`);
  t.match(body.data, { name: 'y', description: null, updatedAt: '2030-01-01T00:00:03.000Z' });
});

t.test('changed settings hold from the next request on', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const tags = async () =>
    (await app.call(key, 'POST', '/v1/evaluate', { input: { to: 'ada@example.com' } })).body.data.dataTags;
  t.strictSame(await tags(), ['PII', 'EMAIL_ADDRESS']);
  await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, {
    settings: { disabledTags: ['EMAIL_ADDRESS'] },
  });
  t.strictSame(await tags(), []);
});

t.test('a new key kills the old one at once, and can expire', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const regenerate = async (body?: object) =>
    (await app.call(adminKey, 'POST', `/v1/integrations/${id}/regenerate-key`, body)).body.data;
  const unknown = await app.call(`asz_live_${'x'.repeat(43)}`, 'POST', '/v1/evaluate', { input: {} });
  t.equal(await works(app, key), 200);
  const second = await regenerate();
  t.match(second.apiKey, keyPattern);
  t.equal(second.apiKeyPrefix, second.apiKey.slice(0, 13));
  t.notOk('webhookSecret' in second);
  const revoked = await app.call(key, 'POST', '/v1/evaluate', { input: {} });
  t.equal(revoked.status, 401);
  t.equal(revoked.text, unknown.text, 'a revoked key and an unknown one are answered alike');
  t.equal(await works(app, second.apiKey), 200);

  const third = await regenerate({ apiKeyExpiresAt: '2030-01-01T02:00:00.000+01:00' });
  t.equal(third.apiKeyExpiresAt, '2030-01-01T01:00:00.000Z');
  app.clock.advance(3_599_999);
  t.equal(await works(app, third.apiKey), 200, 'a millisecond before');
  app.clock.advance(1);
  t.equal(await works(app, third.apiKey), 401, 'at the very moment');
  t.equal((await regenerate({ apiKeyExpiresAt: null })).apiKeyExpiresAt, null);
});

t.test('a key that is due when it is created expires by the clock too', async (t) => {
  const app = await startApp(t);
  const { body } = await create(app, {
    name: 'x',
    kind: 'AGENT',
    apiKeyExpiresAt: '2030-01-01T00:00:00.001Z',
  });
  t.equal(await works(app, body.data.apiKey), 200);
  app.clock.advance(1);
  t.equal(await works(app, body.data.apiKey), 401);
});

/** Another process on the file looks before each request; a replica on PostgreSQL is told, within a second at the latest. */
async function isRefused(app: TestApp, key: string): Promise<boolean> {
  if (!isPostgres(app.database)) return (await works(app, key)) === 401;
  return (
    (await until(
      () => works(app, key),
      (status) => status === 401,
    )) === 401
  );
}

t.test('what a second process changes holds here from the next request on', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const { id, key } = await here.integration();
  t.equal(await works(here, key), 200);
  t.equal(await works(there, key), 200, 'and the other way round');
  const { body } = await there.call(adminKey, 'POST', `/v1/integrations/${id}/regenerate-key`);
  t.ok(await isRefused(here, key), 'the old key');
  t.equal(await works(here, body.data.apiKey), 200, 'the new key');
  await there.call(adminKey, 'DELETE', `/v1/integrations/${id}`);
  t.ok(await isRefused(here, body.data.apiKey), 'the key of a deleted integration');
});

t.test('a new signing secret is shown once', async (t) => {
  const app = await startApp(t);
  const { id, webhookSecret } = await app.integration();
  const { status, body } = await app.call(
    adminKey,
    'POST',
    `/v1/integrations/${id.toUpperCase()}/regenerate-webhook-secret`,
  );
  t.equal(status, 200);
  t.strictSame(Object.keys(body.data), ['id', 'webhookSecret']);
  t.equal(body.data.id, id);
  t.match(body.data.webhookSecret, secretPattern);
  t.not(body.data.webhookSecret, webhookSecret);
});

t.test('deleting revokes the key, and keeps the record of the integration', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  await app.policy(
    id,
    'schemaVersion: 1\nname: hold\nrules: [{ id: r, when: tool == "x", effect: APPROVAL_REQUIRED }]\n',
  );
  await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  const deleted = await app.call(adminKey, 'DELETE', `/v1/integrations/${id}`);
  t.equal(deleted.status, 200);
  t.match(deleted.body.data, { id, apiKeyPrefix: null, apiKeyExpiresAt: null });
  t.equal(await works(app, key), 401);
  const read = await app.call(adminKey, 'GET', `/v1/integrations/${id}`);
  t.match(read.body.data, {
    id,
    status: 'DELETED',
    deletedAt: '2030-01-01T00:00:00.000Z',
    apiKeyPrefix: null,
  });
  t.equal((await app.call(adminKey, 'DELETE', `/v1/integrations/${id}`)).status, 404, 'a second time');
  t.equal((await app.call(adminKey, 'GET', '/v1/integrations')).body.pagination.total, 0);
  const reviews = await app.call(adminKey, 'GET', `/v1/reviews?integrationId=${id}`);
  t.equal(reviews.body.pagination.total, 1, 'what it recorded is still there');
});
