// also on PostgreSQL

import t from 'tap';
import { adminKey, startApp } from '../../helpers/app.ts';

const sessions = '/v1/evaluation-sessions';

t.test('a session without a body has every default', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('REST_API');
  const { status, body } = await app.call(key, 'POST', sessions);
  t.equal(status, 201);
  const { id } = body.data;
  t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  t.strictSame(body, {
    success: true,
    statusCode: 201,
    data: {
      id,
      status: 'ACTIVE',
      entityId: null,
      externalSessionId: id,
      parentSessionId: null,
      rootSessionId: id,
      depth: 0,
      previousSessionId: null,
      startedAt: '2030-01-01T00:00:00.000Z',
      expiresAt: '2030-01-02T00:00:00.000Z',
      metadata: {},
    },
  });
});

t.test('fields come back as given, times in UTC', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const given = {
    entityId: '11111111-2222-4333-8444-555555555555',
    externalSessionId: 'ticket-7 ü',
    expiresAt: '2030-01-01T10:00:00.5+02:00',
    metadata: { b: 1, a: { x: [null] } },
  };
  const { body } = await app.call(key, 'POST', sessions, given);
  t.match(body.data, { ...given, expiresAt: '2030-01-01T08:00:00.500Z' });
  const read = await app.call(key, 'GET', `${sessions}/${body.data.id}`);
  t.match(read.body.data, {
    ...given,
    expiresAt: '2030-01-01T08:00:00.500Z',
    endedAt: null,
    recentActions: [],
  });
});

t.test('metadata comes back to the byte, key order and number form included', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const metadata = '{"b":1,"10":2,"2":{"z":1.50,"a":1e2},"ü":"\\u00fc"}';
  const headers = { 'content-type': 'application/json' };
  const { text, body } = await app.call(key, 'POST', sessions, `{ "metadata" : ${metadata} }`, headers);
  t.ok(text.includes(`"metadata":${metadata}`));
  const read = await app.call(key, 'GET', `${sessions}/${body.data.id}`);
  t.ok(read.text.includes(`"metadata":${metadata}`));
  const list = await app.call(key, 'GET', sessions);
  t.ok(list.text.includes(`"metadata":${metadata}`));
});

t.test('an end answers what the session saw, and closes it', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { id } = (await app.call(key, 'POST', sessions)).body.data;
  const input = { tool: 'crm.lookup', text: 'ada@example.com' };
  await app.call(key, 'POST', '/v1/evaluate', { input, sessionId: id });
  app.clock.advance(1_000);
  const { status, body } = await app.call(key, 'POST', `${sessions}/${id}/end`, { status: 'TERMINATED' });
  t.equal(status, 200);
  t.strictSame(body.data, {
    id,
    status: 'TERMINATED',
    endedAt: '2030-01-01T00:00:01.000Z',
    actionCount: 1,
    dataTags: ['PII', 'EMAIL_ADDRESS'],
    toolsUsed: ['crm.lookup'],
  });
});

t.test('an end without a body completes; a JSON content type on nothing counts as no body', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  for (const [body, headers] of [
    [undefined, {}],
    ['', { 'content-type': 'application/json', 'content-length': '0' }],
    [{}, {}],
  ] as const) {
    const { id } = (await app.call(key, 'POST', sessions)).body.data;
    const end = await app.call(key, 'POST', `${sessions}/${id}/end`, body, headers);
    t.equal(end.status, 200);
    t.equal(end.body.data.status, 'COMPLETED');
  }
  const list = await app.call(key, 'GET', sessions, undefined, { 'content-type': 'application/json' });
  t.equal(list.status, 200);
});

t.test('a session that is not ACTIVE cannot be ended again', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { id } = (await app.call(key, 'POST', sessions)).body.data;
  const racing = await Promise.all([1, 2].map(() => app.call(key, 'POST', `${sessions}/${id}/end`)));
  t.strictSame(racing.map((response) => response.status).sort(), [200, 409]);
  const late = await app.call(key, 'POST', `${sessions}/${id}/end`);
  t.strictSame(late.body.errors, [{ code: 'conflict', message: 'the session is COMPLETED' }]);
  const expired = (await app.call(key, 'POST', sessions)).body.data.id;
  app.clock.advance(86_400_000);
  t.match((await app.call(key, 'POST', `${sessions}/${expired}/end`)).body.errors, [
    { message: 'the session is EXPIRED' },
  ]);
});

t.test('expiry is at expiresAt, to the millisecond', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const { id } = (await app.call(key, 'POST', sessions)).body.data;
  app.clock.advance(86_400_000 - 1);
  t.equal((await app.call(key, 'GET', `${sessions}/${id}`)).body.data.status, 'ACTIVE');
  app.clock.advance(1);
  t.equal((await app.call(key, 'GET', `${sessions}/${id}`)).body.data.status, 'EXPIRED');
});

t.test('expiresAt lies in the future and within the longest life', async (t) => {
  const app = await startApp(t, { ASSIZE_SESSION_MAX_DAYS: '2' });
  const { key } = await app.integration();
  for (const [expiresAt, message] of [
    ['2030-01-01T00:00:00.000Z', 'must be in the future'],
    ['1999-01-01T00:00:00Z', 'must be in the future'],
    [
      '2030-01-03T00:00:00.001Z',
      'must not be after 2030-01-03T00:00:00.000Z, the maximum lifetime of a session',
    ],
  ]) {
    const { status, body } = await app.call(key, 'POST', sessions, { expiresAt });
    t.equal(status, 400);
    t.strictSame(body.errors, [{ code: 'invalid', message, path: '/expiresAt' }]);
  }
  for (const expiresAt of ['2030-01-01T00:00:00.001Z', '2030-01-03T00:00:00.000Z'])
    t.match(await app.call(key, 'POST', sessions, { expiresAt }), {
      status: 201,
      body: { data: { expiresAt } },
    });
});

t.test('lists own sessions newest first, in pages, with filters', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const other = await app.integration();
  await app.call(other.key, 'POST', sessions);
  const entityId = '11111111-2222-4333-8444-555555555555';
  const ids: string[] = [];
  for (const body of [{ externalSessionId: 'a' }, { entityId }, { expiresAt: '2030-01-01T00:00:01Z' }, {}]) {
    ids.unshift((await app.call(key, 'POST', sessions, body)).body.data.id);
  }
  await app.call(key, 'POST', `${sessions}/${ids[0]}/end`);
  app.clock.advance(2_000);
  const list = async (query: string) => {
    const { body } = await app.call(key, 'GET', `${sessions}?${query}`);
    return [body.data.map((session: { id: string }) => session.id), body.pagination];
  };
  t.strictSame(await list(''), [ids, { total: 4, page: 1, size: 50 }]);
  t.strictSame(await list('page=2&size=3'), [[ids[3]], { total: 4, page: 2, size: 3 }]);
  t.strictSame(await list('page=9&size=3'), [[], { total: 4, page: 9, size: 3 }]);
  t.strictSame((await list('status=EXPIRED'))[0], [ids[1]]);
  t.strictSame((await list('status=COMPLETED'))[0], [ids[0]]);
  t.strictSame((await list('status=TERMINATED'))[0], []);
  t.strictSame((await list('status=ACTIVE'))[0], [ids[2], ids[3]]);
  t.strictSame((await list(`entityId=${entityId.toUpperCase()}`))[0], [ids[2]]);
  t.strictSame((await list('externalSessionId=a'))[0], [ids[3]]);
});

t.test('lists the evaluations of an own session only', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const other = await app.integration();
  const { id } = (await app.call(key, 'POST', sessions)).body.data;
  for (const tool of ['a', 'b', 'c']) {
    await app.call(key, 'POST', '/v1/evaluate', { input: { tool }, sessionId: id });
  }
  const { body } = await app.call(key, 'GET', `${sessions}/${id}/evaluations?size=2`);
  t.strictSame(
    body.data.map((row: { tool: string; seq: number }) => [row.tool, row.seq]),
    [
      ['c', 3],
      ['b', 2],
    ],
  );
  t.strictSame(body.pagination, { total: 3, page: 1, size: 2 });
  const foreign = await app.call(other.key, 'GET', `${sessions}/${id}/evaluations`);
  const missing = await app.call(
    other.key,
    'GET',
    `${sessions}/00000000-0000-4000-8000-000000000000/evaluations`,
  );
  t.equal(foreign.status, 404);
  t.equal(foreign.text, missing.text);
});

t.test('an idempotency key makes create and end count once', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const once = (url: string, body: object, name: string) =>
    app.call(key, 'POST', url, body, { 'idempotency-key': name });
  const [first, second] = [await once(sessions, {}, 'c'), await once(sessions, {}, 'c')];
  t.equal(second.status, 201);
  t.strictSame(second.body.data, { ...first.body.data, replayed: true });
  const { id } = first.body.data;
  const ended = await once(`${sessions}/${id}/end`, {}, 'e');
  const again = await once(`${sessions}/${id}/end`, {}, 'e');
  t.equal(again.status, 200);
  t.strictSame(again.body.data, { ...ended.body.data, replayed: true });
  t.equal((await once(`${sessions}/${id}/end`, { status: 'TERMINATED' }, 'e')).status, 409);
  t.equal((await once(sessions, {}, 'e')).status, 409, 'a key belongs to one request, whatever its path');
  t.equal((await app.call(key, 'GET', sessions)).body.pagination.total, 1);
});

t.test('an operator reads the sessions of every integration', async (t) => {
  const app = await startApp(t);
  const [one, two] = [await app.integration(), await app.integration()];
  const made: string[] = [];
  for (const { key } of [one, two, one]) {
    made.push((await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } })).body.data.sessionId);
  }
  const list = async (query: string) => {
    const { body } = await app.call(adminKey, 'GET', `/v1/evaluation-sessions${query}`);
    for (const { id, integrationId } of body.data)
      t.equal(integrationId, id === made[1] ? two.id : one.id, 'whose session it is');
    return { ids: body.data.map(({ id }: { id: string }) => id), total: body.pagination.total };
  };
  const [first, second, third] = made;
  t.strictSame(await list(''), { ids: [third, second, first], total: 3 });
  t.strictSame(await list('?size=1&page=2'), { ids: [second], total: 3 });
  t.strictSame(await list('?status=ACTIVE&size=1'), { ids: [third], total: 3 });
  t.strictSame(await list(`?integrationId=${one.id.toUpperCase()}`), { ids: [third, first], total: 2 });
  t.strictSame(
    await list(`?integrationId=${first}`),
    { ids: [], total: 0 },
    'of an integration that is none',
  );
  const url = `/v1/evaluation-sessions/${second}`;
  for (const path of [url, `${url}/evaluations`]) {
    const own = await app.call(two.key, 'GET', path);
    const { body } = await app.call(adminKey, 'GET', path);
    // Counters, and how near their limits are, are for operators alone.
    if (path === url) delete body.data.counters;
    t.strictSame(body, own.body, 'as their integration does');
    t.equal((await app.call(one.key, 'GET', path)).status, 404);
  }
  const foreign = await app.call(one.key, 'GET', `/v1/evaluation-sessions?integrationId=${two.id}`);
  t.equal(foreign.status, 400, 'an integration may not choose');
  t.match(foreign.body.errors, [{ code: 'invalid', path: '/integrationId' }]);
  const own = await app.call(one.key, 'GET', `/v1/evaluation-sessions?integrationId=${one.id}`);
  t.equal(own.text, foreign.text, 'nor name itself');
});

t.test(
  'an operator ends a session of any integration, with those below it, and the audit says so',
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration('AGENT');
    const open = async (body: object) =>
      (await app.call(key, 'POST', '/v1/evaluation-sessions', body)).body.data.id as string;
    const parent = await open({});
    const child = await open({ parentSessionId: parent });
    const grandchild = await open({ parentSessionId: child });
    const url = `/v1/evaluation-sessions/${parent}`;
    const ids = async (query: string) =>
      (await app.call(adminKey, 'GET', `/v1/evaluation-sessions?${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    t.strictSame(await ids(`parentSessionId=${parent.toUpperCase()}`), [child]);
    t.strictSame(await ids(`parentSessionId=${child}&status=ACTIVE`), [grandchild]);
    t.strictSame(await ids(`parentSessionId=${grandchild}`), []);
    const stranger = await app.integration('AGENT');
    const seen = await app.call(stranger.key, 'GET', `/v1/evaluation-sessions?parentSessionId=${parent}`);
    t.strictSame(seen.body.data, [], 'of another integration there are none');

    const end = (caller: string, once: string, body: object = { status: 'TERMINATED' }) =>
      app.call(caller, 'POST', `${url}/end`, body, { 'idempotency-key': once });
    const ended = await end(adminKey, 'e');
    t.match(ended.body.data, { id: parent, status: 'TERMINATED' });
    t.strictSame((await end(adminKey, 'e')).body.data, { ...ended.body.data, replayed: true });
    t.equal((await end(adminKey, 'e', {})).status, 409, 'another request under the same key');
    t.equal((await end(key, 'e')).status, 409, 'the same key of the integration is another one');
    t.equal((await app.call(adminKey, 'POST', `${url}/end`)).status, 409);
    t.strictSame(await ids(`parentSessionId=${parent}&status=TERMINATED`), [child]);
    const { status, body } = await app.call(key, 'POST', '/v1/evaluate', {
      sessionId: grandchild,
      input: {},
    });
    t.match([status, body.errors[0].message], [409, 'the session is TERMINATED']);
    const { data } = (await app.call(adminKey, 'GET', '/v1/audit?action=endEvaluationSession')).body;
    t.match(data.at(-1), {
      resourceId: parent,
      outcome: 'SUCCEEDED',
      before: { status: 'ACTIVE' },
      after: { status: 'TERMINATED' },
    });
    const told = await app.call(adminKey, 'GET', '/v1/events?after=0&type=management.changed', undefined, {
      accept: 'application/json',
    });
    t.notMatch(told.text, 'endEvaluationSession', 'session.ended says it');
    t.equal(
      (await app.call(adminKey, 'POST', `/v1/evaluation-sessions/${crypto.randomUUID()}/end`)).status,
      404,
    );
  },
);
