// also on PostgreSQL

import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

const yaml = { 'content-type': 'application/yaml' };
const named = (name: string, effect = 'WARN') =>
  `schemaVersion: 1\nname: ${name}\nrules: [{ id: r, when: "true", effect: ${effect} }]\n`;
const create = async (app: TestApp, document: string, query = '') =>
  (await app.call(adminKey, 'POST', `/v1/policies${query}`, document, yaml)).body.data;
const get = async (app: TestApp, path: string) =>
  (await app.call(adminKey, 'GET', `/v1/policies${path}`)).body;
const post = (app: TestApp, path: string, body?: object) =>
  app.call(adminKey, 'POST', `/v1/policies/${path}`, body);
const evaluate = async (app: TestApp, key: string) =>
  (await app.call(key, 'POST', '/v1/evaluate', { input: {} })).body.data;

t.test('lists newest first, by page and by status, without the documents', async (t) => {
  const app = await startApp(t);
  const a = await create(app, named('a'));
  const b = await create(app, named('b'), '?activate=true');
  const c = await create(app, named('c'));
  await post(app, `${c.id}/deprecate`);
  const all = await get(app, '');
  const { document, mediaType, warnings, ...summary } = a;
  t.match(all.data[2].changedBy, { id: /^[0-9a-f-]{36}$/, name: 'owner' });
  t.strictSame(all.data[2], {
    ...summary,
    mode: 'ENFORCE',
    houseMode: null,
    enforcedCount: 0,
    monitoredCount: 0,
    changedBy: all.data[2].changedBy,
  });
  t.strictSame(
    all.data.map((policy: { name: string; status: string }) => `${policy.name} ${policy.status}`),
    ['c DEPRECATED', 'b ACTIVE', 'a DRAFT'],
  );
  t.strictSame(all.pagination, { total: 3, page: 1, size: 50 });
  for (const [status, id] of [
    ['DRAFT', a.id],
    ['ACTIVE', b.id],
    ['DEPRECATED', c.id],
  ]) {
    const { data, pagination } = await get(app, `?status=${status}`);
    t.strictSame([data.length, data[0].id, pagination.total], [1, id, 1], status);
  }
  const listedMode = async (): Promise<string> => (await get(app, '?status=DRAFT')).data[0].mode;
  for (const mode of ['MONITOR', 'ENFORCE', 'MONITOR']) {
    const document = `${named('a')}mode: ${mode}\n`;
    t.equal((await app.call(adminKey, 'PUT', `/v1/policies/${a.id}`, document, yaml)).status, 200);
    t.strictSame(
      [await listedMode(), await listedMode()],
      [mode, mode],
      'of the current version, also read again',
    );
  }
  const paged = await get(app, '?page=2&size=1');
  t.strictSame([paged.data[0].id, paged.pagination.total], [b.id, 3]);
  t.match(await get(app, '?status=draft'), { statusCode: 400, errors: [{ path: '/status' }] });
});

t.test(
  'a second one of the same name is created with a warning at its place; deprecated ones give up the name',
  async (t) => {
    const app = await startApp(t);
    const first = await create(app, named('a'));
    const second = await create(app, named('a'));
    t.match(second.warnings, [
      { line: 2, column: 1, path: '/name', code: 'name_taken', message: `policy ${first.id} has` },
    ]);
    const inJson = JSON.stringify({
      schemaVersion: 1,
      name: 'a',
      rules: [{ id: 'r', when: 'true', effect: 'WARN' }],
    });
    const third = await app.call(adminKey, 'POST', '/v1/policies', inJson, {
      'content-type': 'application/json',
    });
    t.match(third.body.data.warnings, [{ line: 1, path: '/name', code: 'name_taken' }]);
    for (const { id } of [first, second, third.body.data]) await post(app, `${id}/deprecate`);
    t.match((await create(app, named('a'))).warnings, [{ code: 'always_matches' }]);
    t.notMatch((await create(app, named('b'))).warnings, [{ code: 'name_taken' }]);
    const { data, pagination } = await get(app, '?name=a&status=DEPRECATED');
    t.strictSame([data.length, pagination.total], [3, 3]);
    t.strictSame((await get(app, '?name=A')).data, []);
  },
);

t.test('versions are immutable, given back as they were sent, newest first', async (t) => {
  const app = await startApp(t);
  const first =
    '# Zürich ✓\r\nschemaVersion: 1\r\nname: first\r\nrules: [{ id: r, when: tool == "x", effect: WARN }]   \r\n\r\n';
  const second =
    '{ "schemaVersion": 1,\n  "name": "second", "rules": [{ "id": "r", "when": "true", "effect": "WARN" }] }';
  const { id } = await create(app, first);
  app.clock.advance(1_000);
  const put = await app.call(adminKey, 'PUT', `/v1/policies/${id}`, second, {
    'content-type': 'application/json',
  });
  t.equal(put.status, 200);
  t.match(put.body.data, { id, name: 'second', version: 2, latestVersion: 2, document: second });
  const me = (await app.call(adminKey, 'GET', '/v1/operators/me')).body.data;
  const author = { id: me.id, name: me.name };
  const { data, pagination } = await get(app, `/${id}/versions`);
  t.strictSame(data, [
    {
      version: 2,
      name: 'second',
      author,
      note: null,
      mediaType: 'application/json',
      document: second,
      current: true,
      createdAt: '2030-01-01T00:00:01.000Z',
    },
    {
      version: 1,
      name: 'first',
      author,
      note: null,
      mediaType: 'application/yaml',
      document: first,
      current: false,
      createdAt: '2030-01-01T00:00:00.000Z',
    },
  ]);
  t.strictSame(pagination, { total: 2, page: 1, size: 50 });
  const paged = await get(app, `/${id}/versions?size=1&page=2`);
  t.strictSame([paged.data.length, paged.data[0].version, paged.pagination.total], [1, 1, 2]);
  const read = (await get(app, `/${id.toUpperCase()}`)).data;
  t.match(read, { id, name: 'second', document: second, mediaType: 'application/json', status: 'DRAFT' });
});

t.test('activate with a version rolls back and forward, and what decides says which version', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, named('v1', 'WARN'));
  await app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, named('v2', 'BLOCK'), yaml);
  const decided = async () => {
    const { enforcementAction, violations } = await evaluate(app, key);
    return `${enforcementAction} by ${violations[0].policyName} ${violations[0].policyVersion}`;
  };
  t.equal(await decided(), 'BLOCK by v2 2', 'a PUT on an ACTIVE policy decides from the next request on');
  const back = await post(app, `${policyId}/activate`, { version: 1 });
  t.match(back.body.data, { status: 'ACTIVE', name: 'v1', version: 1, latestVersion: 2 });
  t.equal(await decided(), 'WARN by v1 1');
  t.match((await get(app, `/${policyId}/versions`)).data, [{ current: false }, { current: true }]);
  t.equal((await get(app, `/${policyId}`)).data.document, named('v1', 'WARN'));
  await app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, named('v3', 'BLOCK'), yaml);
  t.equal(await decided(), 'BLOCK by v3 3', 'after a roll back the next version is still the next number');
  await post(app, `${policyId}/activate`, { version: 2 });
  t.equal(await decided(), 'BLOCK by v2 2');
});

t.test('a roll back by another process holds from the next request on', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const { id, key } = await here.integration();
  const policyId = await here.policy(id, named('p', 'WARN'));
  t.equal((await evaluate(here, key)).enforcementAction, 'WARN');
  await there.call(adminKey, 'PUT', `/v1/policies/${policyId}`, named('p', 'BLOCK'), yaml);
  t.equal((await evaluate(here, key)).enforcementAction, 'BLOCK');
  await post(there, `${policyId}/activate`, { version: 1 });
  t.equal((await evaluate(here, key)).enforcementAction, 'WARN');
});

t.test('activate without a version keeps the current one, from every status', async (t) => {
  const app = await startApp(t);
  const { id } = await create(app, named('a'));
  app.clock.advance(1_000);
  for (const body of [undefined, {}]) {
    const { status, body: response } = await post(app, `${id}/activate`, body);
    t.equal(status, 200);
    t.match(response.data, { status: 'ACTIVE', version: 1, updatedAt: '2030-01-01T00:00:01.000Z' });
    await post(app, `${id}/deprecate`);
  }
  t.match((await get(app, `/${id}`)).data, { status: 'DEPRECATED' });
});

t.test('a deprecated policy decides no more, and is deprecated once', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, named('p', 'BLOCK'));
  t.equal((await evaluate(app, key)).enforcementAction, 'BLOCK');
  const { status, body } = await post(app, `${policyId}/deprecate`);
  t.equal(status, 200);
  t.match(body.data, { id: policyId, status: 'DEPRECATED' });
  t.equal((await evaluate(app, key)).enforcementAction, 'ALLOW');
  const again = await post(app, `${policyId}/deprecate`);
  t.equal(again.status, 409);
  t.strictSame(again.body.errors, [{ code: 'conflict', message: 'the policy is already DEPRECATED' }]);
  await app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, named('p2', 'BLOCK'), yaml);
  t.match((await get(app, `/${policyId}`)).data, { status: 'DEPRECATED', version: 2 });
  t.equal((await evaluate(app, key)).enforcementAction, 'ALLOW', 'a new version does not wake it');
});

t.test('a policy that never decided is deleted with its versions and bindings', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const policyId = await app.policy(id, rule('true', 'BLOCK'));
  await app.call(adminKey, 'PUT', `/v1/policies/${policyId}`, named('v2'), yaml);
  const { status, body } = await app.call(adminKey, 'DELETE', `/v1/policies/${policyId}`);
  t.equal(status, 200);
  t.match(body.data, { id: policyId, name: 'v2', latestVersion: 2 });
  t.equal((await app.call(adminKey, 'GET', `/v1/policies/${policyId}`)).status, 404);
  t.equal((await app.call(adminKey, 'GET', `/v1/policies/${policyId}/versions`)).status, 404);
  t.equal((await app.call(adminKey, 'DELETE', `/v1/policies/${policyId}`)).status, 404);
  t.strictSame((await app.call(adminKey, 'GET', `/v1/integrations/${id}/policies`)).body.data, []);
});

t.test('a policy that ever decided is never deleted, even if it found nothing', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, rule('tool == "never"', 'BLOCK'));
  t.strictSame((await evaluate(app, key)).violations, []);
  const refuse = async () => {
    const { status, body } = await app.call(adminKey, 'DELETE', `/v1/policies/${policyId}`);
    t.equal(status, 409);
    t.match(body.errors, [{ code: 'conflict', message: /deprecate it instead/ }]);
  };
  await refuse();
  await post(app, `${policyId}/deprecate`);
  await app.call(adminKey, 'DELETE', `/v1/integrations/${id}/policies/${policyId}`);
  await refuse();
  t.equal((await get(app, `/${policyId}`)).data.status, 'DEPRECATED');
});

t.test('deleting and deciding at the same time never leaves a decision without its policy', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, rule('true', 'BLOCK'));
  const [decided, deleted] = await Promise.all([
    app.call(key, 'POST', '/v1/evaluate', { input: {} }),
    app.call(adminKey, 'DELETE', `/v1/policies/${policyId}`),
  ]);
  const both = `${decided.status} ${decided.body.data?.enforcementAction ?? ''} ${deleted.status}`;
  t.ok(['200 BLOCK 409', '200 ALLOW 200', '503  200'].includes(both), both);
});
