import t, { type Test } from 'tap';
import { adminKey, startApp } from '../../../helpers/app.ts';

const entityId = '7f4df1e6-5f0c-4a57-9a39-0d9b3f6c5f11';
const missing = '00000000-0000-4000-8000-000000000000';
const head = 'schemaVersion: 1\nname: p\n';

async function start(t: Test, kind: 'REST_API' | 'AGENT' | 'MCP_SERVER' = 'REST_API', settings = {}) {
  const app = await startApp(t);
  const { id, key } = await app.integration(kind, settings);
  const evaluate = (more: object = {}) =>
    app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' }, ...more });
  const session = async (sessionId: string) =>
    (await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data;
  return { app, id, key, evaluate, session };
}

t.test('a name opens a session with its entity and metadata, and joins it from then on', async (t) => {
  const { app, key, session } = await start(t);
  const body = `{"input":{"tool":"x"},"externalSessionId":"ticket-1","entityId":"${entityId.toUpperCase()}","metadata":{"b":1,"10":2, "a":{}}}`;
  const headers = { 'content-type': 'application/json' };
  const first = await app.call(key, 'POST', '/v1/evaluate', body, headers);
  t.equal(first.status, 200, first.text);
  const { sessionId } = first.body.data;
  const again = await app.call(key, 'POST', '/v1/evaluate', body, headers);
  const plain = await app.call(key, 'POST', '/v1/evaluate', {
    input: { tool: 'y' },
    externalSessionId: 'ticket-1',
  });
  t.strictSame([again.body.data.sessionId, plain.body.data.sessionId], [sessionId, sessionId]);
  t.match(await session(sessionId), { externalSessionId: 'ticket-1', entityId, actionCount: 3 });
  const { text } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.match(text, '"metadata":{"b":1,"10":2, "a":{}}', 'as it was sent');
});

t.test('parallel first uses of a name share one session', async (t) => {
  const { app, key, evaluate, session } = await start(t);
  const responses = await Promise.all(Array.from({ length: 50 }, () => evaluate({ externalSessionId: 'e' })));
  const ids = new Set(responses.map(({ body }) => body.data.sessionId));
  t.equal(ids.size, 1);
  t.equal((await session([...ids][0] as string)).actionCount, 50);
  const list = await app.call(key, 'GET', '/v1/evaluation-sessions');
  t.equal(list.body.pagination.total, 1);
});

t.test(
  'a name joins the newest ACTIVE session, also one that was created or is not the newest',
  async (t) => {
    const { app, key, evaluate } = await start(t);
    const create = async (more = {}) =>
      (await app.call(key, 'POST', '/v1/evaluation-sessions', { externalSessionId: 'e', ...more })).body.data;
    const joined = async () => (await evaluate({ externalSessionId: 'e' })).body.data.sessionId;
    const end = (id: string) => app.call(key, 'POST', `/v1/evaluation-sessions/${id}/end`);
    const older = await create();
    const newer = await create();
    t.equal(await joined(), newer.id);
    await end(newer.id);
    t.equal(await joined(), older.id);
    const short = await create({ expiresAt: new Date(app.clock.now() + 1_000).toISOString() });
    t.equal(await joined(), short.id);
    app.clock.advance(1_000);
    t.equal(await joined(), older.id, 'the newest has expired');
    await end(older.id);
    const opened = await joined();
    t.notOk([older.id, newer.id, short.id].includes(opened), 'with none left, another is opened');
    t.equal(await joined(), opened);
  },
);

t.test('a name belongs to one integration', async (t) => {
  const { app, evaluate } = await start(t);
  const other = await app.integration('REST_API');
  const mine = (await evaluate({ externalSessionId: 'e' })).body.data.sessionId;
  const theirs = await app.call(other.key, 'POST', '/v1/evaluate', { input: {}, externalSessionId: 'e' });
  t.equal(theirs.status, 200);
  t.not(theirs.body.data.sessionId, mine);
});

t.test('another entity than that of the session is a conflict, and records nothing', async (t) => {
  const { evaluate, session } = await start(t);
  const { sessionId } = (await evaluate({ externalSessionId: 'e', entityId })).body.data;
  const other = await evaluate({ externalSessionId: 'e', entityId: missing });
  t.equal(other.status, 409);
  t.match(other.body.errors[0], { code: 'conflict', path: '/entityId' });
  t.equal((await session(sessionId)).actionCount, 1);
  await evaluate({ externalSessionId: 'without' });
  t.equal(
    (await evaluate({ externalSessionId: 'without', entityId })).status,
    409,
    'a session without entity',
  );
});

t.test('what belongs to a new session is refused where none is opened', async (t) => {
  const { app, key, evaluate } = await start(t);
  const { id } = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data;
  const deep = JSON.parse(`${'{"a":'.repeat(17)}1${'}'.repeat(17)}`);
  const cases: [object, string][] = [
    [{ sessionId: id, externalSessionId: 'e' }, '/externalSessionId'],
    [{ sessionId: id, entityId }, '/entityId'],
    [{ sessionId: id, metadata: {} }, '/metadata'],
    [{ entityId }, '/entityId'],
    [{ metadata: {} }, '/metadata'],
    [{ externalSessionId: '' }, '/externalSessionId'],
    [{ externalSessionId: 'x'.repeat(256) }, '/externalSessionId'],
    [{ externalSessionId: 'e', entityId: 'x' }, '/entityId'],
    [{ externalSessionId: 'e', metadata: [] }, '/metadata'],
    [{ externalSessionId: 'e', metadata: { a: 'x'.repeat(16_384) } }, '/metadata'],
    [{ externalSessionId: 'e', metadata: { a: ['x\0'] } }, '/metadata'],
    [{ externalSessionId: 'e', metadata: { 'x\0': 1 } }, '/metadata'],
    [{ externalSessionId: 'e', metadata: deep }, '/metadata'],
  ];
  for (const [more, path] of cases) {
    const { status, body } = await evaluate(more);
    t.equal(status, 400, path);
    t.match(body.errors[0].path, new RegExp(`^${path}`));
  }
  const list = await app.call(key, 'GET', '/v1/evaluation-sessions');
  t.equal(list.body.pagination.total, 1, 'no session was opened');
});

t.test('an AGENT key opens a session with entity and metadata, without a name', async (t) => {
  const { evaluate, session } = await start(t, 'AGENT');
  const { sessionId } = (await evaluate({ entityId, metadata: { team: 'blue' } })).body.data;
  t.match(await session(sessionId), { entityId, metadata: { team: 'blue' }, externalSessionId: sessionId });
});

t.test('a result takes the session of its action, whatever names it', async (t) => {
  const { evaluate } = await start(t);
  const act = async () => (await evaluate({ externalSessionId: 'e' })).body.data;
  const result = async (more: object) =>
    evaluate({ phase: 'RESULT', status: 'OK', resultOf: (await act()).evaluationRunId, ...more });
  const { sessionId } = await act();
  const same = await result({ externalSessionId: 'e' });
  t.match([same.status, same.body.data.sessionId], [200, sessionId]);
  for (const [more, path] of [
    [{ externalSessionId: 'other' }, '/externalSessionId'],
    [{ entityId }, '/entityId'],
    [{ metadata: {} }, '/metadata'],
  ] as const) {
    const { status, body } = await result(more);
    t.match([status, body.errors[0].path], [400, path]);
  }
});

t.test('requireSession refuses what names no session', async (t) => {
  for (const kind of ['REST_API', 'AGENT', 'MCP_SERVER'] as const) {
    const { app, key, evaluate } = await start(t, kind, { requireSession: true });
    for (const more of [{}, { phase: 'PROMPT' }]) {
      const { status, body } = await evaluate(more);
      t.equal(status, 400, kind);
      t.match(body.errors[0], { code: 'invalid', path: '/sessionId', message: /requires a session/ });
    }
    const { id } = (await app.call(key, 'POST', '/v1/evaluation-sessions', {})).body.data;
    t.equal((await evaluate({ sessionId: id })).status, 200);
    const named = await evaluate({ externalSessionId: 'e' });
    t.equal(named.status, 200);
    const { evaluationRunId: resultOf } = named.body.data;
    t.equal((await evaluate({ phase: 'RESULT', resultOf, status: 'OK' })).status, 200);
  }
});

t.test('whenNoPolicy: BLOCK lets nothing pass while no policy is enforced', async (t) => {
  const { app, id, evaluate } = await start(t, 'REST_API', { whenNoPolicy: 'BLOCK' });
  const none = (await evaluate()).body.data;
  t.match(none, { outcome: 'DENY', enforcementAction: 'BLOCK', severity: 'HIGH', policiesEvaluated: 0 });
  t.equal(none.violations.length, 1);
  t.match(none.violations[0], {
    reason: 'no_policy',
    policyId: '',
    policyVersion: 0,
    enforcementAction: 'BLOCK',
  });
  const prompt = await evaluate({ phase: 'PROMPT' });
  t.equal(prompt.body.data.enforcementAction, 'BLOCK', 'no phase is left out');

  const watched = await app.policy(
    id,
    `${head}mode: MONITOR\nrules: [{ id: a, when: "true", effect: BLOCK }]\n`,
  );
  const monitored = (await evaluate()).body.data;
  t.match(
    monitored,
    { enforcementAction: 'BLOCK', policiesEvaluated: 1 },
    'a monitored policy stops nothing',
  );
  t.match(monitored.violations, [{ reason: 'no_policy' }, { policyId: watched, mode: 'MONITOR' }]);

  const policy = await app.policy(id, `${head}rules: [{ id: a, when: tool == "y", effect: BLOCK }]\n`);
  t.match((await evaluate()).body.data, { enforcementAction: 'ALLOW', policiesEvaluated: 2 });
  await app.call(adminKey, 'POST', `/v1/policies/${policy}/deprecate`);
  t.equal((await evaluate()).body.data.enforcementAction, 'BLOCK', 'a policy that is not ACTIVE is none');
});

t.test(
  'without policies everything passes by default, and the answer says that none took part',
  async (t) => {
    const { evaluate } = await start(t);
    t.match((await evaluate()).body.data, { enforcementAction: 'ALLOW', policiesEvaluated: 0 });
  },
);
