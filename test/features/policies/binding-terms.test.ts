import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { until } from '../../helpers/until.ts';

const yaml = { 'content-type': 'application/yaml' };
const limited = (params: string, more = '') =>
  `schemaVersion: 1\nname: limited\n${more}params: ${params}\nrules:\n  - { id: r, when: input.n > params.most, effect: BLOCK }\n`;
const most = limited('{ most: { type: int, default: 10, minimum: 1 } }');

const bind = (app: TestApp, id: string, policyId: string, terms?: unknown) =>
  app.call(adminKey, 'PUT', `/v1/integrations/${id}/policies/${policyId}`, terms);
const house = (app: TestApp, policyId: string, terms?: unknown) =>
  app.call(adminKey, 'PUT', `/v1/house-policies/${policyId}`, terms);
const active = async (app: TestApp, document: string): Promise<string> =>
  (await app.call(adminKey, 'POST', '/v1/policies?activate=true', document, yaml)).body.data.id;
const decide = async (app: TestApp, key: string, n: number) =>
  (await app.call(key, 'POST', '/v1/evaluate', { input: { n } })).body.data;

t.test('one policy decides by the params of each binding', async (t) => {
  const app = await startApp(t);
  const [a, b] = [await app.integration(), await app.integration()];
  const policyId = await active(app, most);
  await bind(app, a.id, policyId);
  const bound = await bind(app, b.id, policyId, { params: { most: 20 } });
  t.match(bound.body.data, { params: { most: 20 }, mode: null });
  const actions = async (n: number) =>
    (await Promise.all([a, b].map(({ key }) => decide(app, key, n)))).map((one) => one.enforcementAction);
  t.strictSame(await actions(15), ['BLOCK', 'ALLOW']);
  t.strictSame(await actions(25), ['BLOCK', 'BLOCK']);
  app.clock.advance(1_000);
  await bind(app, b.id, policyId, { params: { most: 30 } });
  t.strictSame(await actions(25), ['BLOCK', 'ALLOW']);
  await bind(app, b.id, policyId);
  t.strictSame(await actions(25), ['BLOCK', 'ALLOW'], 'a binding without a body stays as it is');
  const { body } = await app.call(adminKey, 'GET', `/v1/integrations/${b.id}/policies`);
  t.match(body.data, [
    { id: policyId, binding: { params: { most: 30 }, mode: null, updatedAt: '2030-01-01T00:00:01.000Z' } },
  ]);
  await bind(app, b.id, policyId, {});
  t.strictSame(await actions(15), ['BLOCK', 'BLOCK'], 'an empty body replaces them');
});

t.test('what a policy does not take is refused, naming the param', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await active(app, most);
  await bind(app, id, policyId, { params: { most: 5 } });
  for (const [params, path, message] of [
    [{ most: 'x' }, '/params/most', /expected int/],
    [{ most: 0 }, '/params/most', /at least 1/],
    [{ mots: 1 }, '/params/mots', /no such param; it has most/],
  ] as const)
    t.match(await bind(app, id, policyId, { params }), {
      status: 400,
      body: { errors: [{ code: 'invalid', path, message }] },
    });
  t.match(await decide(app, key, 6), { enforcementAction: 'BLOCK' }, 'the binding is as it was');
  const big = 12_345_678_901_234_567_890n;
  t.match(await bind(app, id, policyId, { params: { most: Number(big) } }), { status: 400 });
});

t.test('a param without a default has to be given by each binding', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await active(app, limited('{ most: { type: number } }'));
  t.match(await bind(app, id, policyId), {
    status: 400,
    body: { errors: [{ path: '/params/most', message: /has no default/ }] },
  });
  t.equal((await bind(app, id, policyId, { params: { most: 0.5 } })).status, 200);
  t.match(await decide(app, key, 1), { enforcementAction: 'BLOCK' });
  const kept = await app.call(
    adminKey,
    'PUT',
    `/v1/policies/${policyId}`,
    limited('{ most: { type: string } }'),
    yaml,
  );
  t.match(kept, {
    status: 409,
    body: { errors: [{ message: /params it is bound with to the integration/ }] },
  });
  t.match(await decide(app, key, 1), { enforcementAction: 'BLOCK' }, 'the old version decides');
});

t.test('a binding in mode MONITOR records what it finds, and stops nothing', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await active(app, most);
  await bind(app, id, policyId, { mode: 'MONITOR' });
  t.match(await decide(app, key, 11), {
    enforcementAction: 'ALLOW',
    violations: [{ mode: 'MONITOR', enforcementAction: 'BLOCK' }],
  });
  await bind(app, id, policyId, { mode: null });
  t.match(await decide(app, key, 11), { enforcementAction: 'BLOCK' });
  const monitored = await active(app, most.replace('name: limited', 'name: watched\nmode: MONITOR'));
  const other = await app.integration();
  await bind(app, other.id, monitored);
  t.match(await decide(app, other.key, 11), { enforcementAction: 'ALLOW' });
  await bind(app, other.id, monitored, { mode: 'ENFORCE' });
  t.match(await decide(app, other.key, 11), { enforcementAction: 'BLOCK' });
});

t.test('an allow under other params is not replayed', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await active(app, most);
  await bind(app, id, policyId, { params: { most: 50 } });
  const once = () => app.call(key, 'POST', '/v1/evaluate', { input: { n: 20 } }, { 'idempotency-key': 'k' });
  t.match((await once()).body.data, { enforcementAction: 'ALLOW' });
  t.match((await once()).body.data, { replayed: true });
  await bind(app, id, policyId, { params: { most: 10 } });
  t.equal((await once()).status, 409);
});

t.test('a house policy decides for every integration, and its bindings only make it stricter', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const policyId = await active(app, most);
  t.match((await house(app, policyId)).body.data, { policyId, params: {}, policy: { name: 'limited' } });
  t.match(await decide(app, key, 11), { enforcementAction: 'BLOCK', policiesEvaluated: 1 });
  const later = await app.integration();
  t.match(await decide(app, later.key, 11), { enforcementAction: 'BLOCK' }, 'those to come included');

  await bind(app, id, policyId, { params: { most: 100 } });
  t.match(await decide(app, key, 11), { enforcementAction: 'BLOCK', policiesEvaluated: 1 }, 'not weaker');
  await bind(app, id, policyId, { params: { most: 100 }, mode: 'MONITOR' });
  t.match(await decide(app, key, 11), { enforcementAction: 'BLOCK' }, 'nor by mode');
  await bind(app, id, policyId, { params: { most: 5 } });
  t.match(await decide(app, key, 6), { enforcementAction: 'BLOCK' }, 'but stricter');
  t.match(await decide(app, later.key, 6), { enforcementAction: 'ALLOW' });
  const evaluated = await decide(app, key, 11);
  const { body } = await app.call(adminKey, 'GET', `/v1/evaluations/${evaluated.evaluationRunId}`);
  t.strictSame(body.data.policies, [{ policyId, version: 1 }], 'is one policy in the record');

  await house(app, policyId, { mode: 'MONITOR' });
  t.match(await decide(app, later.key, 11), { enforcementAction: 'ALLOW' });
  t.match(await decide(app, key, 6), { enforcementAction: 'BLOCK' }, 'a binding may enforce what is watched');
  t.match((await app.call(adminKey, 'GET', '/v1/house-policies')).body, {
    data: [{ policyId, mode: 'MONITOR' }],
    pagination: { total: 1 },
  });
  t.equal((await app.call(adminKey, 'DELETE', `/v1/house-policies/${policyId}`)).status, 200);
  t.match(await decide(app, later.key, 11), { enforcementAction: 'ALLOW', policiesEvaluated: 0 });
  t.equal((await app.call(adminKey, 'DELETE', `/v1/house-policies/${policyId}`)).status, 404);
  const audited = await app.call(adminKey, 'GET', '/v1/audit?resource=house-policies');
  t.match(audited.body.data.at(-1), { action: 'bindHousePolicy', after: { params: {}, mode: null } });
});

t.test('a counter of a house policy that is bound as well counts each action once', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT');
  const document =
    'schemaVersion: 1\nname: c\nparams: { x: 1 }\ncounters: { calls: { over: integration, within: 1h, where: input.n > 0 } }\nrules:\n  - { id: r, when: counters.calls >= 2, effect: BLOCK }\n';
  const policyId = await active(app, document);
  await house(app, policyId);
  await bind(app, id, policyId, { params: { x: 2 } });
  const actions = [];
  for (let n = 0; n < 3; n++) actions.push((await decide(app, key, 1)).enforcementAction);
  t.strictSame(actions, ['ALLOW', 'ALLOW', 'BLOCK']);
});

t.test('an integration that loses its last enforced policy is told in the log and by an event', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('AGENT', { whenNoPolicy: 'BLOCK' });
  const policyId = await active(app, most);
  const losses = () => app.log.filter((line) => line.includes('lost its last enforced policy'));
  let lossCount = 0;
  const change = async (method: 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown, headers = {}) => {
    const response = await app.call(adminKey, method, path, body, headers);
    t.ok(response.status < 300, `${method} ${path} ${response.text}`);
  };
  const changeThatUnprotects = async (...given: Parameters<typeof change>) => {
    t.equal(losses().length, lossCount, 'changes before were harmless');
    await change(...given);
    await until(losses, ({ length }) => length > lossCount);
    t.match(JSON.parse(losses()[lossCount++] ?? ''), { integrationId: id, integrationName: 'test AGENT' });
  };
  const binding = `/v1/integrations/${id}/policies/${policyId}`;
  const policy = `/v1/policies/${policyId}`;
  await change('PUT', binding);
  await changeThatUnprotects('PUT', binding, { mode: 'MONITOR' });
  t.match(await decide(app, key, 1), { enforcementAction: 'BLOCK', violations: [{ reason: 'no_policy' }] });
  await change('PUT', binding, {});
  await changeThatUnprotects('DELETE', binding);
  await change('PUT', `/v1/house-policies/${policyId}`);
  await changeThatUnprotects('DELETE', `/v1/house-policies/${policyId}`);
  await change('PUT', binding);
  await changeThatUnprotects('PUT', policy, most.replace('params:', 'mode: MONITOR\nparams:'), yaml);
  await change('POST', `${policy}/rollback`);
  await changeThatUnprotects('POST', `${policy}/deprecate`);
  await change('POST', `${policy}/activate`);
  await change('POST', `${policy}/schedule`, { version: 2, at: '2030-01-02T00:00:00Z' });
  app.clock.advance(86_400_000);
  await app.services.dueVersions.sweep();
  await until(losses, ({ length }) => length > lossCount);
  await change('DELETE', `/v1/integrations/${id}`);
  const events = await app.call(
    adminKey,
    'GET',
    '/v1/events?after=0&type=integration.unprotected&size=200',
    undefined,
    { accept: 'application/json' },
  );
  t.equal(events.body.data.events.length, 6, 'one for each line');
  const activations = await app.call(adminKey, 'GET', '/v1/events?after=0&type=policy.activated', undefined, {
    accept: 'application/json',
  });
  t.match(activations.body.data.events.at(-1), {
    time: '2030-01-02T00:00:00.000Z',
    data: { resourceId: policyId, status: 'ACTIVE', version: 2 },
  });
  t.notOk('actor' in activations.body.data.events.at(-1).data, 'nobody called: it was scheduled');
  t.match(events.body.data.events[0], {
    subject: `integrations/${id}`,
    data: { integrationId: id, integrationName: 'test AGENT', whenNoPolicy: 'BLOCK' },
  });
});
