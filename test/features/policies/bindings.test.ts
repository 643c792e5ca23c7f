import t from 'tap';
import { adminKey, missingId, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

const draft = async (app: TestApp, effect = 'BLOCK', query = ''): Promise<string> => {
  const { body } = await app.call(adminKey, 'POST', `/v1/policies${query}`, rule('true', effect), {
    'content-type': 'application/yaml',
  });
  return body.data.id;
};
const bind = (app: TestApp, id: string, policyId: string) =>
  app.call(adminKey, 'PUT', `/v1/integrations/${id}/policies/${policyId}`);
const unbind = (app: TestApp, id: string, policyId: string) =>
  app.call(adminKey, 'DELETE', `/v1/integrations/${id}/policies/${policyId}`);
const decide = async (app: TestApp, key: string) =>
  (await app.call(key, 'POST', '/v1/evaluate', { input: {} })).body.data.enforcementAction;

t.test('binding is answered, is the same when repeated, and can be taken back once', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const policyId = await draft(app);
  const first = await bind(app, id, policyId);
  t.strictSame(first.body, {
    success: true,
    statusCode: 200,
    data: {
      integrationId: id,
      policyId,
      params: {},
      mode: null,
      createdAt: '2030-01-01T00:00:00.000Z',
      updatedAt: '2030-01-01T00:00:00.000Z',
    },
  });
  app.clock.advance(1_000);
  t.equal((await bind(app, id, policyId)).text, first.text, 'binding twice keeps the first binding');
  t.equal((await bind(app, id.toUpperCase(), policyId.toUpperCase())).text, first.text, 'in any spelling');
  t.equal((await unbind(app, id.toUpperCase(), policyId.toUpperCase())).text, first.text);
  t.equal((await unbind(app, id, policyId)).status, 404);
});

t.test(
  'the list of policies says how each applies, in how many integrations, and who changed it',
  async (t) => {
    const app = await startApp(t);
    const [a, b, gone] = [await app.integration(), await app.integration(), await app.integration()];
    const create = async (document: string): Promise<string> => {
      const yaml = { 'content-type': 'application/yaml' };
      return (await app.call(adminKey, 'POST', '/v1/policies', document, yaml)).body.data.id;
    };
    const monitored = await create(rule('true', 'BLOCK', 'mode: "\\x4dONITOR"'));
    const enforced = await create(`# not MONITOR\n${rule('true', 'BLOCK')}`);
    await create(rule('true', 'WARN'));
    await app.call(adminKey, 'PUT', `/v1/house-policies/${monitored}`);
    await bind(app, a.id, monitored);
    await app.call(adminKey, 'PUT', `/v1/integrations/${b.id}/policies/${monitored}`, { mode: 'ENFORCE' });
    for (const { id } of [a, b, gone]) await bind(app, id, enforced);
    await app.call(adminKey, 'DELETE', `/v1/integrations/${gone.id}`);
    const grace = (await app.call(adminKey, 'POST', '/v1/operators', { name: 'Grace', roles: ['OWNER'] }))
      .body.data;
    const { key } = (await app.call(adminKey, 'POST', '/v1/operator-keys', { operatorId: grace.id })).body
      .data;
    await app.call(key, 'PUT', `/v1/policies/${enforced}`, rule('true', 'WARN'), {
      'content-type': 'application/yaml',
    });
    const { body } = await app.call(adminKey, 'GET', '/v1/policies');
    const owner = { name: 'owner' };
    t.match(body.data, [
      { mode: 'ENFORCE', houseMode: null, enforcedCount: 0, monitoredCount: 0, changedBy: owner },
      {
        id: enforced,
        mode: 'ENFORCE',
        houseMode: null,
        enforcedCount: 2,
        monitoredCount: 0,
        changedBy: { id: grace.id, name: 'Grace' },
      },
      {
        id: monitored,
        mode: 'MONITOR',
        houseMode: 'MONITOR',
        enforcedCount: 1,
        monitoredCount: 1,
        changedBy: owner,
      },
    ]);
    t.equal(body.data.length, 3);
  },
);

t.test('lists what is bound whatever its status, newest binding first, by page', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const other = await app.integration();
  const policies = [];
  for (const query of ['', '?activate=true', '?activate=true'])
    policies.push(await draft(app, 'WARN', query));
  const [a = '', b = '', c = ''] = policies;
  await app.call(adminKey, 'POST', `/v1/policies/${c}/deprecate`);
  for (const policyId of [c, a, b]) {
    app.clock.advance(1);
    await bind(app, id, policyId);
  }
  await bind(app, other.id, a);
  const list = async (query = '') =>
    (await app.call(adminKey, 'GET', `/v1/integrations/${id}/policies${query}`)).body;
  const all = await list();
  t.strictSame(
    all.data.map((policy: { id: string; status: string }) => [policy.id, policy.status]),
    [
      [b, 'ACTIVE'],
      [a, 'DRAFT'],
      [c, 'DEPRECATED'],
    ],
  );
  t.strictSame(all.pagination, { total: 3, page: 1, size: 50 });
  t.notOk('document' in all.data[0]);
  const second = await list('?size=2&page=2');
  t.strictSame(
    second.data.map((policy: { id: string }) => policy.id),
    [c],
  );
  t.strictSame(second.pagination, { total: 3, page: 2, size: 2 });
});

t.test('binding and unbinding hold from the next request on, also by another process', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const { id, key } = await here.integration();
  const policyId = await draft(here, 'BLOCK', '?activate=true');
  t.equal(await decide(here, key), 'ALLOW');
  await bind(there, id, policyId);
  t.equal(await decide(here, key), 'BLOCK');
  await unbind(there, id, policyId);
  t.equal(await decide(here, key), 'ALLOW');
});

t.test('a DRAFT that is bound decides nothing until it is activated', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await draft(app);
  await bind(app, id, policyId);
  t.equal(await decide(app, key), 'ALLOW');
  await app.call(adminKey, 'POST', `/v1/policies/${policyId}/activate`);
  t.equal(await decide(app, key), 'BLOCK');
});

t.test('a missing integration, a deleted one and a missing policy are 404', async (t) => {
  const app = await startApp(t);
  const { id } = await app.integration();
  const gone = await app.integration();
  const policyId = await draft(app);
  await bind(app, gone.id, policyId);
  await app.call(adminKey, 'DELETE', `/v1/integrations/${gone.id}`);
  for (const [integration, policy] of [
    [missingId, policyId],
    [gone.id, policyId],
    [id, missingId],
  ] as const) {
    for (const method of ['PUT', 'DELETE'] as const) {
      const { status } = await app.call(
        adminKey,
        method,
        `/v1/integrations/${integration}/policies/${policy}`,
      );
      t.equal(status, 404, method);
    }
  }
  t.equal((await unbind(app, id, policyId)).status, 404, 'what is not bound');
  for (const integration of [missingId, gone.id]) {
    t.equal((await app.call(adminKey, 'GET', `/v1/integrations/${integration}/policies`)).status, 404);
  }
  t.equal((await app.call(adminKey, 'GET', '/v1/integrations/x/policies')).status, 400);
  t.match((await bind(app, id, 'x')).body.errors, [{ path: '/policyId', message: 'must be a UUID' }]);
});
