import { join } from 'node:path';
import t, { type Test } from 'tap';
import { replayedResponse } from '../../src/evaluate/idempotency.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { adminKey, allMigrations, startApp, type TestApp, temporaryFolder } from '../helpers/app.ts';
import { openDump } from '../helpers/database-dump.ts';
import { blockAfter, rule } from '../helpers/policies.ts';
import { heldIntegration, pay } from '../helpers/reviews.ts';

/** Sends evaluates of one integration, in one session, each under a key. */
async function keyed(app: TestApp, integration: { key: string }) {
  const { body } = await app.call(integration.key, 'POST', '/v1/evaluation-sessions');
  const sessionId: string = body.data.id;
  return {
    sessionId,
    send: (key: string, request: object = {}) =>
      app.call(
        integration.key,
        'POST',
        '/v1/evaluate',
        { input: { tool: 'web.search' }, sessionId, ...request },
        { 'idempotency-key': key },
      ),
    end: () => app.call(integration.key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`),
    count: async () =>
      (await app.call(integration.key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data.actionCount,
  };
}
const refusal = (why: RegExp) => ({ statusCode: 409, errors: [{ code: 'conflict', message: why }] });

t.test('no key lets more actions through than a budget has', async (t) => {
  const app = await startApp(t);
  const integration = await app.integration();
  await app.policy(integration.id, blockAfter(3));
  const { send, count } = await keyed(app, integration);
  const responses = [];
  for (let n = 0; n < 40; n++) responses.push((await send(`k${n % 5}`)).body.data);
  const fresh = responses.filter(({ replayed }) => !replayed);
  t.equal(fresh.filter(({ enforcementAction }) => enforcementAction === 'ALLOW').length, 3);
  t.equal(fresh.length, 5);
  t.equal(await count(), 5);
});

t.test('a single-use approval gives one ALLOW that is not marked as repeated', async (t) => {
  const app = await startApp(t);
  const a = await heldIntegration(app);
  const id = await a.review();
  await a.decide(id, 'approve');
  const use = (key: string) =>
    app.call(
      a.key,
      'POST',
      '/v1/evaluate',
      { ...pay, sessionId: a.sessionId, reviewRequestId: id },
      { 'idempotency-key': key },
    );
  const responses = [];
  for (let n = 0; n < 20; n++) responses.push((await use(`k${n % 4}`)).body.data);
  const allowed = responses.filter(
    ({ enforcementAction: action, replayed }) => action === 'ALLOW' && !replayed,
  );
  t.equal(allowed.length, 1);
});

t.test('an ended or expired session gives no ALLOW again, and every refusal', async (t) => {
  const app = await startApp(t);
  const integration = await app.integration();
  await app.policy(integration.id, rule('tool == "blocked"', 'BLOCK'));
  await app.policy(integration.id, rule('tool == "warned"', 'WARN').replace('one-rule', 'warn'));
  const a = await keyed(app, integration);
  const blocked = { input: { tool: 'blocked' } };
  const warned = { input: { tool: 'warned' } };
  await a.send('allow');
  await a.send('warn', warned);
  const refused = (await a.send('block', blocked)).body.data;
  await a.end();
  t.match((await a.send('allow')).body, refusal(/the session is COMPLETED/));
  t.match((await a.send('warn', warned)).body, refusal(/the session is COMPLETED/));
  t.strictSame((await a.send('block', blocked)).body.data, { ...refused, replayed: true });
  const { body } = await app.call(integration.key, 'POST', '/v1/evaluation-sessions', {
    expiresAt: '2030-01-01T00:01:00Z',
  });
  const sessionId = body.data.id;
  await a.send('expiring', { sessionId });
  app.clock.advance(60_000);
  t.match((await a.send('expiring', { sessionId })).body, refusal(/the session is EXPIRED/));
});

t.test('a session that the evaluate itself opened must still be ACTIVE', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration();
  const send = () => app.call(key, 'POST', '/v1/evaluate', { input: {} }, { 'idempotency-key': 'k' });
  const { sessionId } = (await send()).body.data;
  t.equal((await send()).body.data.replayed, true);
  await app.call(key, 'POST', `/v1/evaluation-sessions/${sessionId}/end`);
  t.match((await send()).body, refusal(/the session is COMPLETED/));
});

t.test('under other policies an ALLOW is not given again, and every refusal is', async (t) => {
  const here = await startApp(t);
  const there = await startApp(t, {}, { database: here.database, clock: here.clock });
  const integration = await here.integration();
  const blocked = { input: { tool: 'blocked' } };
  const document = rule('tool == "blocked"', 'BLOCK');
  const policyId = await here.policy(integration.id, document);
  const a = await keyed(here, integration);
  const changes: [string, () => Promise<unknown>][] = [
    ['bound', () => here.policy(integration.id, rule('false', 'WARN').replace('one-rule', 'other'))],
    [
      'changed',
      () =>
        here.call(adminKey, 'PUT', `/v1/policies/${policyId}`, `${document}#`, {
          'content-type': 'application/yaml',
        }),
    ],
    ['deprecated elsewhere', () => there.call(adminKey, 'POST', `/v1/policies/${policyId}/deprecate`)],
    [
      'bound elsewhere',
      () => there.policy(integration.id, rule('false', 'WARN').replace('one-rule', 'third')),
    ],
  ];
  const { enforcementAction } = (await a.send('block', blocked)).body.data;
  t.equal(enforcementAction, 'BLOCK');
  for (const [name, change] of changes) {
    t.equal((await a.send(name)).body.data.enforcementAction, 'ALLOW');
    t.equal((await a.send(name)).body.data.replayed, true);
    await change();
    t.match((await a.send(name)).body, refusal(/other policies are in force/), name);
    t.match((await a.send('block', blocked)).body.data, { enforcementAction: 'BLOCK', replayed: true });
  }
  const other = await here.integration();
  await a.send('unrelated');
  await here.policy(other.id, rule('true', 'BLOCK').replace('one-rule', 'unrelated'));
  t.equal((await a.send('unrelated')).body.data.replayed, true, 'policies of another integration');
});

/** An app in which `change` happens between the decision of each evaluate and its record. */
async function changedMeanwhile(t: Test, change: (app: TestApp) => Promise<unknown>): Promise<TestApp> {
  const database = join(temporaryFolder(t), 'assize.db');
  const store = await openStore(database, { migrations: allMigrations });
  const evaluations: Store['evaluations'] = {
    ...store.evaluations,
    async record(evaluation, decide) {
      await change(app);
      return store.evaluations.record(evaluation, decide);
    },
  };
  const app: TestApp = await startApp(t, {}, { database, store: { ...store, evaluations } });
  return app;
}

t.test('once an integration without a policy blocks everything, no ALLOW is given again', async (t) => {
  const app = await startApp(t);
  const integration = await app.integration();
  const { send, count } = await keyed(app, integration);
  t.equal((await send('k')).body.data.enforcementAction, 'ALLOW');
  const set = (whenNoPolicy: string) =>
    app.call(adminKey, 'PATCH', `/v1/integrations/${integration.id}`, { settings: { whenNoPolicy } });
  await set('BLOCK');
  t.match((await send('k')).body, refusal(/other policies are in force/));
  const blocked = (await send('fresh')).body.data;
  t.equal(blocked.enforcementAction, 'BLOCK');
  t.strictSame((await send('fresh')).body.data, { ...blocked, replayed: true }, 'a refusal is given again');
  t.equal(await count(), 2);
  await set('ALLOW');
  t.equal((await send('k')).body.data.replayed, true);

  await set('BLOCK');
  await app.policy(integration.id, blockAfter(9));
  t.equal((await send('enforced')).body.data.enforcementAction, 'ALLOW');
  t.equal((await send('enforced')).body.data.replayed, true, 'an enforced policy decides as ever');
});

t.test('an action is decided again when other policies come into force before it is recorded', async (t) => {
  let changes = 0;
  const app = await changedMeanwhile(t, async () => {
    if (changes++ === 0) await app.policy(id, rule('tool == "x"', 'BLOCK'));
  });
  const { id, key } = await app.integration();
  const { body } = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.equal(body.data.enforcementAction, 'BLOCK');
  const read = await app.call(key, 'GET', `/v1/evaluation-sessions/${body.data.sessionId}`);
  t.match(read.body.data, { actionCount: 1, blockCount: 1 });
});

t.test('while policies keep changing nothing is decided', async (t) => {
  let changes = 0;
  const app = await changedMeanwhile(t, () =>
    app.policy(id, rule('true', 'WARN').replace('one-rule', `policy-${++changes}`)),
  );
  const { id, key } = await app.integration();
  const { status } = await app.call(key, 'POST', '/v1/evaluate', { input: { tool: 'x' } });
  t.equal(status, 503);
  t.equal(changes, 3);
  t.equal((await app.call(key, 'GET', '/v1/evaluation-sessions')).body.pagination.total, 0);
});

t.test('ASSIZE_IDEMPOTENCY_MINUTES says for how long, and 0 turns keys off', async (t) => {
  const off = await startApp(t, { ASSIZE_IDEMPOTENCY_MINUTES: '0' });
  const { key } = await off.integration();
  for (const path of ['/v1/evaluate', '/v1/evaluation-sessions']) {
    const body = path === '/v1/evaluate' ? { input: {} } : {};
    const { status, body: response } = await off.call(key, 'POST', path, body, { 'idempotency-key': 'k' });
    t.equal(status, 400);
    t.match(response.errors, [{ code: 'invalid', message: /turned off/ }]);
    t.match((await off.call(key, 'POST', path, body)).status, /20[01]/, 'without one all is well');
  }
  const { body } = await off.call(key, 'GET', '/v1/evaluation-sessions');
  t.equal(body.pagination.total, 2, 'a refused request records nothing');
  const short = await startApp(t, { ASSIZE_IDEMPOTENCY_MINUTES: '1' });
  const { send } = await keyed(short, await short.integration());
  await send('k');
  short.clock.advance(60_001);
  t.notOk('replayed' in (await send('k')).body.data);
});

t.test('what is stored under a key holds no content', async (t) => {
  const app = await startApp(t);
  const integration = await app.integration('AGENT', { contentRetention: 'none' });
  const { send } = await keyed(app, integration);
  const request = { input: { tool: 'x', to: 'ada@example.com' }, correlationId: 'for bob@example.com' };
  const first = (await send('key of eve@example.com', request)).body.data;
  const again = (await send('key of eve@example.com', request)).body.data;
  t.strictSame(again, { ...first, replayed: true });
  t.equal(again.correlationId, 'for bob@example.com');
  t.notMatch(await (await openDump(t, app.database))(), /@example\.com/);
});

t.test('settings that change between a decision and its record decide', async (t) => {
  let id = '';
  let changes = 0;
  const app = await changedMeanwhile(t, async (app) => {
    if (changes++ > 0) return;
    const settings = { settings: { whenNoPolicy: 'BLOCK' } };
    await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, settings);
  });
  const integration = await app.integration();
  id = integration.id;
  const { send, count } = await keyed(app, integration);
  t.match((await send('k')).body.data, { enforcementAction: 'BLOCK' });
  t.equal(changes, 2, 'it was decided again');
  t.equal(await count(), 1);
});

t.test('the data of a repeated response has its numbers digit for digit', async (t) => {
  t.match(replayedResponse('{"a":12345678901234567890}'), {
    data: { a: 12345678901234567890n, replayed: true },
    text: '{"a":12345678901234567890,"replayed":true}',
  });
});
