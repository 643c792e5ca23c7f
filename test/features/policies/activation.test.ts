import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

const yaml = { 'content-type': 'application/yaml' };
const decide = async (app: TestApp, key: string) =>
  (await app.call(key, 'POST', '/v1/evaluate', { input: {} })).body.data.enforcementAction;
const update = (app: TestApp, id: string, effect: string, headers = {}) =>
  app.call(adminKey, 'PUT', `/v1/policies/${id}`, rule('true', effect), { ...yaml, ...headers });
const post = (app: TestApp, id: string, verb: string, body?: object, headers = {}) =>
  app.call(adminKey, 'POST', `/v1/policies/${id}/${verb}`, body, headers);

t.test('a rollback lets an earlier version decide again', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration();
  const id = await app.policy(integrationId, rule('true', 'WARN'));
  t.match(await post(app, id, 'rollback'), {
    status: 409,
    body: { errors: [{ message: /no other version/ }] },
  });
  await update(app, id, 'BLOCK');
  t.equal(await decide(app, key), 'BLOCK');
  t.match((await post(app, id, 'rollback')).body.data, { version: 1, latestVersion: 2, status: 'ACTIVE' });
  t.equal(await decide(app, key), 'WARN');
  t.match(await post(app, id, 'rollback', { version: 2 }), { status: 409 });
  t.match(await post(app, id, 'rollback', { version: 9 }), {
    status: 400,
    body: { errors: [{ path: '/version' }] },
  });
  await post(app, id, 'deprecate');
  t.match(await post(app, id, 'rollback', { version: 1 }), {
    status: 409,
    body: { errors: [{ message: /not ACTIVE/ }] },
  });
});

t.test('a scheduled version decides from its moment on, to the millisecond', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, key } = await app.integration();
  const id = await app.policy(integrationId, rule('true', 'WARN'));
  await update(app, id, 'BLOCK');
  await post(app, id, 'activate', { version: 1 });
  const scheduled = await post(app, id, 'schedule', { at: '2030-01-01T02:00:00+01:00' });
  t.match(scheduled.body.data, {
    version: 1,
    scheduledVersion: 2,
    scheduledAt: '2030-01-01T01:00:00.000Z',
  });
  app.clock.advance(3_599_999);
  t.equal(await decide(app, key), 'WARN');
  app.clock.advance(1);
  t.equal(await decide(app, key), 'BLOCK');
  t.match((await app.call(adminKey, 'GET', `/v1/policies/${id}`)).body.data, {
    version: 2,
    scheduledVersion: null,
    scheduledAt: null,
  });
  await post(app, id, 'schedule', { version: 1, at: '2030-01-02T00:00:00Z' });
  const path = `/v1/policies/${id}/schedule`;
  t.match((await app.call(adminKey, 'DELETE', path)).body.data, { scheduledVersion: null });
  t.equal((await app.call(adminKey, 'DELETE', path)).status, 409);
  app.clock.advance(86_400_000);
  t.equal(await decide(app, key), 'BLOCK');
});

t.test('a version that is due by itself is no call of whoever asks then', async (t) => {
  const app = await startApp(t);
  const { id: integrationId } = await app.integration();
  const id = await app.policy(integrationId, rule('true', 'WARN'));
  await post(app, id, 'schedule', { version: 1, at: '2030-01-01T00:00:01Z' });
  app.clock.advance(2_000);
  await app.call(adminKey, 'DELETE', `/v1/integrations/${integrationId}/policies/${id}`);
  const { body } = await app.call(adminKey, 'GET', '/v1/audit?size=3');
  t.strictSame(
    body.data.map(({ action }: { action: string }) => action),
    ['unbindPolicy', 'schedulePolicy', 'bindPolicy'],
  );
});

t.test('under four-eyes control the author can neither schedule a version nor roll back to it', async (t) => {
  const app = await startApp(t, { ASSIZE_FOUR_EYES: 'policies' });
  const { id } = (await app.call(adminKey, 'POST', '/v1/policies', rule('true', 'WARN'), yaml)).body.data;
  const own = { status: 403, body: { errors: [{ message: /^four-eyes control: / }] } };
  t.match(await post(app, id, 'schedule', { at: '2030-02-01T00:00:00Z' }), own);
  const made = await app.call(adminKey, 'POST', '/v1/operators', { name: 'Bob', roles: ['POLICY_EDITOR'] });
  const { key } = (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: made.body.data.id }))
    .body.data;
  await app.call(key, 'POST', `/v1/policies/${id}/activate`);
  await app.call(key, 'PUT', `/v1/policies/${id}`, rule('true', 'BLOCK'), yaml);
  await post(app, id, 'activate', { version: 2 });
  t.match(await post(app, id, 'rollback'), own);
  t.equal((await app.call(key, 'POST', `/v1/policies/${id}/rollback`)).status, 200);
});

t.test('a change of a policy that somebody changed in between is refused: 412', async (t) => {
  const app = await startApp(t);
  const { id } = (await app.call(adminKey, 'POST', '/v1/policies', rule('true', 'WARN'), yaml)).body.data;
  const tag = async () => (await app.call(adminKey, 'GET', `/v1/policies/${id}`)).headers.etag;
  t.equal(await tag(), '"1"');
  const updated = await update(app, id, 'BLOCK', { 'if-match': '"1"' });
  t.match(updated, { status: 200, headers: { etag: '"2"' }, body: { data: { revision: 2 } } });
  const stale = { 'if-match': '"1"' };
  for (const response of [
    await update(app, id, 'WARN', stale),
    await post(app, id, 'activate', undefined, stale),
    await post(app, id, 'rollback', undefined, stale),
    await post(app, id, 'schedule', { at: '2030-02-01T00:00:00Z' }, stale),
    await app.call(adminKey, 'DELETE', `/v1/policies/${id}/schedule`, undefined, stale),
    await post(app, id, 'deprecate', undefined, stale),
    await app.call(adminKey, 'DELETE', `/v1/policies/${id}`, undefined, stale),
  ])
    t.match(response, { status: 412, body: { errors: [{ code: 'precondition_failed', message: /ETag/ }] } });
  const activated = await post(app, id, 'activate', undefined, { 'if-match': '"1", "2"' });
  t.match(activated, { status: 200, headers: { etag: '"3"' } });
  t.equal((await post(app, id, 'deprecate', undefined, { 'if-match': '*' })).status, 200);
});

t.test('a note says why a version was written', async (t) => {
  const app = await startApp(t);
  const make = await app.call(adminKey, 'POST', '/v1/policies?note=first', rule('true', 'WARN'), yaml);
  const { id } = make.body.data;
  await app.call(
    adminKey,
    'PUT',
    `/v1/policies/${id}?note=tighter%20after%20the%20audit`,
    rule('true', 'BLOCK'),
    yaml,
  );
  await update(app, id, 'WARN');
  const { body } = await app.call(adminKey, 'GET', `/v1/policies/${id}/versions`);
  t.strictSame(
    body.data.map(({ note }: { note: string }) => note),
    [null, 'tighter after the audit', 'first'],
  );
});

t.test('activating says which counters begin at nothing', async (t) => {
  const app = await startApp(t);
  const document = `
schemaVersion: 1
name: counted
counters:
  calls: { over: session, where: tool == "a" && decision.severity == null }
  paid: { over: session, where: tool == "a", add: input.amount }
  to: { over: session, where: targetKey == "x" }
  warned: { over: session, where: session.warningCount > 0 }
  rejected: { over: session, counts: REJECTED }
rules: [{ id: r, when: "true", effect: WARN }]
`;
  const { body } = await app.call(adminKey, 'POST', '/v1/policies', document, yaml);
  t.match((await post(app, body.data.id, 'activate')).body.data, {
    status: 'ACTIVE',
    counters: [
      { name: 'calls', counts: 'RECORD' },
      { name: 'paid', counts: 'KEPT_CONTENT' },
      { name: 'to', counts: 'KEPT_CONTENT' },
      { name: 'warned', counts: 'NOTHING' },
      { name: 'rejected', counts: 'NOTHING' },
    ],
  });
});
