import t from 'tap';
import { adminKey, startApp, type TestApp } from '../../helpers/app.ts';
import { rule } from '../../helpers/policies.ts';

const url = '/v1/violations';
const post = (app: TestApp, id: string, verb: string, body?: object, key = adminKey) =>
  app.call(key, 'POST', `${url}/${id}/${verb}`, body);

async function violated(app: TestApp, count = 1) {
  const { id, key } = await app.integration();
  const policyId = await app.policy(id, rule('tool == "x"', 'WARN'));
  const entityId = 'aaaaaaaa-0000-4000-8000-000000000000';
  const session = await app.call(key, 'POST', '/v1/evaluation-sessions', { entityId });
  const sessionId = session.body.data.id as string;
  const evaluations = [];
  for (let n = 0; n < count; n++)
    evaluations.push(
      (await app.call(key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'x' } })).body.data,
    );
  return { id, key, policyId, sessionId, entityId, evaluations };
}

t.test('a violation is acknowledged, then resolved with what was done about it', async (t) => {
  const app = await startApp(t);
  const { id: integrationId, policyId, sessionId, entityId, evaluations } = await violated(app);
  const [violation] = evaluations[0].violations;
  const read = await app.call(adminKey, 'GET', `${url}/${violation.id}`);
  const shown = {
    ...violation,
    evaluationRunId: evaluations[0].evaluationRunId,
    integrationId,
    sessionId,
    entityId,
    tool: 'x',
    status: 'NEW',
    resolution: null,
    dismissal: null,
    note: null,
    triagedBy: null,
    triagedAt: null,
    createdAt: '2030-01-01T00:00:00.000Z',
  };
  t.same(read.body.data, shown);
  t.equal(read.body.data.policyId, policyId);
  const me = (await app.call(adminKey, 'GET', '/v1/operators/me')).body.data;
  app.clock.advance(1_000);
  const acknowledged = await post(app, violation.id, 'acknowledge');
  t.same(acknowledged.body.data, {
    ...shown,
    status: 'ACKNOWLEDGED',
    triagedBy: { id: me.id, name: me.name },
    triagedAt: '2030-01-01T00:00:01.000Z',
  });
  t.match(await post(app, violation.id, 'acknowledge'), {
    status: 409,
    body: { errors: [{ message: `the violation is already ACKNOWLEDGED by ${me.name}` }] },
  });
  const resolved = await post(app, violation.id, 'resolve', { type: 'POLICY_CHANGED', note: 'why' });
  t.match(resolved.body.data, {
    status: 'RESOLVED',
    resolution: 'POLICY_CHANGED',
    dismissal: null,
    note: 'why',
  });
  for (const [verb, body] of [
    ['acknowledge', undefined],
    ['resolve', { type: 'OTHER' }],
    ['dismiss', { reason: 'TEST' }],
  ] as const)
    t.equal((await post(app, violation.id, verb, body)).status, 409, `${verb} when it is settled`);
  const audited = await app.call(
    adminKey,
    'GET',
    `/v1/audit?resourceId=${violation.id}&action=resolveViolation`,
  );
  t.match(audited.body.data.at(-1), { before: { status: 'ACKNOWLEDGED' }, after: { status: 'RESOLVED' } });
});

t.test('the false positives of each rule are counted', async (t) => {
  const app = await startApp(t);
  const { evaluations, policyId } = await violated(app, 5);
  const ids = evaluations.map(({ violations }) => violations[0].id as string);
  const [a = '', b = '', c = '', d = ''] = ids;
  const rules = async () => (await app.call(adminKey, 'GET', `${url}/rules`)).body.data;
  t.strictSame(await rules(), []);
  await post(app, d, 'acknowledge', { note: 'mine' });
  t.match(await rules(), [{ ruleId: 'the-rule', acknowledgedCount: 1, falsePositiveRate: null }]);
  await post(app, a, 'dismiss', { reason: 'FALSE_POSITIVE' });
  await post(app, b, 'dismiss', { reason: 'TEST' });
  await post(app, c, 'resolve', { type: 'INCIDENT' });
  const accepted = await post(app, d, 'resolve', { type: 'ACCEPTED' });
  t.equal(accepted.body.data.note, 'mine', 'a note stays until another one is given');
  t.strictSame(await rules(), [
    {
      policyId,
      ruleId: 'the-rule',
      acknowledgedCount: 0,
      resolvedCount: 2,
      dismissedCount: 2,
      falsePositiveCount: 1,
      falsePositiveRate: 0.25,
    },
  ]);
  const list = async (query: string) =>
    (await app.call(adminKey, 'GET', `${url}?${query}`)).body.data.map(({ id }: { id: string }) => id);
  t.strictSame(await list('status=NEW'), [ids[4]]);
  t.strictSame(await list('status=DISMISSED&rule=the-rule'), [b, a]);
  t.strictSame(await list('entityId=aaaaaaaa-0000-4000-8000-000000000000&size=2'), [ids[4], d]);
  t.strictSame(await list('rule=other'), []);
});

t.test('evaluations are searched by what they were about', async (t) => {
  const app = await startApp(t);
  const { id, key, entityId, evaluations } = await violated(app, 3);
  const mail = { input: { tool: 'y', to: 'ann@example.com' }, correlationId: 'c' };
  const other = (await app.call(key, 'POST', '/v1/evaluate', mail)).body.data;
  const search = async (query: string) => {
    const { status, body } = await app.call(adminKey, 'GET', `/v1/evaluations?${query}`);
    t.equal(status, 200, query);
    return body;
  };
  const ids = async (query: string) =>
    (await search(query)).data.map((one: { evaluationRunId: string }) => one.evaluationRunId);
  const three = evaluations.map(({ evaluationRunId }) => evaluationRunId).reverse();
  for (const [query, expected] of [
    ['page=1', [other.evaluationRunId, ...three]],
    ['tool=y', [other.evaluationRunId]],
    ['rule=the-rule', three],
    ['tag=EMAIL_ADDRESS', [other.evaluationRunId]],
    ['enforcementAction=WARN', three],
    [`entityId=${entityId}&tool=x`, three],
    [`integrationId=${id}&correlationId=c`, [other.evaluationRunId]],
    ['from=2030-01-01T00:00:00Z&to=2030-01-01T00:00:00Z', []],
  ] as const)
    t.strictSame(await ids(query), expected, query);
  const first = await search('tool=x&size=2');
  t.match(first.pagination, { total: 3, totalIsExact: false, page: 1, size: 2, next: three[1] });
  t.strictSame(await ids(`tool=x&before=${first.pagination.next}`), [three[2]]);
  for (const [query, path] of [
    ['tool=x&after=00000000-0000-4000-8000-000000000000', '/after'],
    ['before=00000000-0000-4000-8000-000000000000', '/before'],
    ['page=202&size=50', '/page'],
  ])
    t.match(await app.call(adminKey, 'GET', `/v1/evaluations?${query}`), {
      status: 400,
      body: { errors: [{ path }] },
    });
});
