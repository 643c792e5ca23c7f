import t, { type Test } from 'tap';
import type { SessionScope } from '../../src/features/integrations/words.ts';
import { adminKey, startApp } from '../helpers/app.ts';
import { blockAfter, rule } from '../helpers/policies.ts';
import { callTool, connect, initialize, legacy, type Result, send } from './rpc.ts';

const trace = (id: string) => ({ traceparent: `00-${id.padStart(32, '0')}-00f067aa0ba902b7-01` });
const action = { input: { tool: 'web.search' } };
const sessionOf = (result: Result): string => result.structuredContent.sessionId;

t.test('evaluations of one client share a session without a word, for half an hour of rest', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const evaluate = async () => sessionOf(await callTool(app, key, 'evaluate', action));
  const first = await evaluate();
  app.clock.advance(29 * 60_000);
  t.equal(await evaluate(), first);
  app.clock.advance(29 * 60_000);
  t.equal(await evaluate(), first, 'every use starts the half hour again');
  t.equal((await callTool(app, key, 'get_session')).structuredContent.id, first);
  app.clock.advance(30 * 60_000);
  t.match(await callTool(app, key, 'get_session'), { isError: true }, 'reading opens none');
  const second = await evaluate();
  t.not(second, first);
  const { body } = await app.call(key, 'GET', '/v1/evaluation-sessions?externalSessionId=client:loopback');
  t.strictSame(
    body.data.map((session: Result) => [session.id, session.actionCount]),
    [
      [second, 1],
      [first, 3],
    ],
  );
});

t.test('a session that ended or expired is left for a new one', async (t) => {
  const app = await startApp(t, { ASSIZE_SESSION_MAX_DAYS: '0.01' });
  const { key } = await app.integration('MCP_SERVER');
  const evaluate = async () => sessionOf(await callTool(app, key, 'evaluate', action));
  const first = await evaluate();
  t.equal((await callTool(app, key, 'end_session')).structuredContent.id, first);
  const second = await evaluate();
  t.not(second, first);
  app.clock.advance(0.01 * 86_400_000);
  t.not(await evaluate(), second);
});

t.test(
  'the session is that of the argument, else of _meta, of the connection, of the trace, of the client',
  async (t) => {
    const app = await startApp(t);
    const { id, key } = await app.integration('MCP_SERVER', { sessionScope: 'connection' });
    const open = async () => (await callTool(app, key, 'start_session')).structuredContent.id as string;
    const [argument, inMeta] = [await open(), await open()];
    const connection = await connect(app, key);
    const meta = { 'dev.assize/sessionId': inMeta, ...trace('a') };
    const evaluate = async (args: object, how: object) =>
      sessionOf(await callTool(app, key, 'evaluate', { ...action, ...args }, how));
    t.equal(await evaluate({ sessionId: argument }, { meta, connection }), argument);
    t.equal(await evaluate({}, { meta, connection }), inMeta);
    t.equal(await evaluate({}, { meta: trace('a'), connection }), connection);
    const settings = { settings: { sessionScope: 'trace' } };
    await app.call(adminKey, 'PATCH', `/v1/integrations/${id}`, settings);
    t.equal(await evaluate({}, { meta: trace('a'), connection }), connection);
    const traced = await evaluate({}, { meta: trace('a') });
    t.equal(
      await evaluate({}, { meta: trace('a'), client: 'another' }),
      traced,
      'a trace goes through clients',
    );
    t.not(await evaluate({}, { meta: trace('b') }), traced);
    const named = await evaluate({}, {});
    t.equal(await evaluate({}, { meta: { traceparent: 'nonsense' } }), named, 'what is no trace is none');
    t.equal(await evaluate({}, { meta: trace('0') }), named, 'the trace id of zeros is none');
    t.equal(new Set([argument, inMeta, connection, traced, named]).size, 5);
  },
);

t.test('a session in _meta that cannot be one is refused', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const stranger = await app.integration('MCP_SERVER');
  const foreign = (await callTool(app, stranger.key, 'start_session')).structuredContent.id;
  for (const [id, text] of [
    ['x', /must be a UUID/],
    [7, /must be a UUID/],
    [foreign, /^not_found/],
  ] as const) {
    const result = await callTool(app, key, 'evaluate', action, { meta: { 'dev.assize/sessionId': id } });
    t.equal(result.isError, true);
    t.match(result.content[0].text, text);
  }
});

t.test('sessions are apart by integration', async (t) => {
  const app = await startApp(t);
  const one = await app.integration('MCP_SERVER');
  const two = await app.integration('MCP_SERVER');
  const evaluate = async (key: string) => (await callTool(app, key, 'evaluate', action)).structuredContent;
  const ours = await evaluate(one.key);
  t.not((await evaluate(two.key)).sessionId, ours.sessionId);
  for (const tool of ['get_session', 'end_session']) {
    t.match(await callTool(app, two.key, tool, { sessionId: ours.sessionId }), { isError: true }, tool);
  }
  t.match((await callTool(app, two.key, 'list_reviews')).structuredContent, { data: [] });
});

/** What is decided about calls under a policy that blocks the third action of a session. */
async function decisions(t: Test, sessionScope: SessionScope, calls: Parameters<typeof callTool>[4][]) {
  const app = await startApp(t, { ASSIZE_TRUST_PROXY: 'true' });
  const { id, key } = await app.integration('MCP_SERVER', { sessionScope });
  await app.policy(id, blockAfter(2));
  const decided: string[] = [];
  for (const how of calls) {
    const result = await callTool(app, key, 'evaluate', action, how);
    decided.push(result.structuredContent.enforcementAction);
  }
  return decided;
}
const [allow, block] = ['ALLOW', 'BLOCK'] as const;

t.test('a new client name or trace on each call lifts no limit, unless the scope is trace', async (t) => {
  const renamed = ['a', 'b', 'c', 'x'.repeat(5_000)].map((client, at) => ({
    client,
    meta: trace(`${at + 1}`),
  }));
  const nameless = { meta: { 'io.modelcontextprotocol/clientInfo': undefined } };
  for (const scope of ['client', 'integration', 'connection'] as const) {
    const decided = await decisions(t, scope, [...renamed, nameless]);
    t.strictSame(decided, [allow, allow, block, block, block], scope);
  }
  t.strictSame(await decisions(t, 'trace', renamed), [allow, allow, allow, allow]);
});

t.test('a client is a network: its loopback addresses and the addresses of one /64 are one', async (t) => {
  const from = (...addresses: string[]) => addresses.map((address) => ({ address }));
  const one = [allow, allow, block];
  t.strictSame(await decisions(t, 'client', from('127.0.0.1', '127.0.0.2', '::1')), one);
  t.strictSame(await decisions(t, 'client', from('203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7')), one);
  t.strictSame(
    await decisions(t, 'client', from('2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::')),
    one,
  );
  t.strictSame(await decisions(t, 'client', from('::2', '::3:0', '0:0:0:0:1::')), one);
  t.strictSame(await decisions(t, 'client', from('nonsense', 'x'.repeat(900), '1.2.3.4.5')), one);
  const apart = from('203.0.113.7', '203.0.113.7', '203.0.113.8', '2001:db8:1:2::1', '2001:db8:1:3::1');
  t.strictSame(await decisions(t, 'client', apart), [allow, allow, allow, allow, allow]);
  t.strictSame(await decisions(t, 'integration', apart), [allow, allow, block, block, block]);
});

t.test(
  'a client that connects for every call has a history, unless each connection has its own',
  async (t) => {
    for (const [sessionScope, expected] of [
      ['client', [allow, allow, block]],
      ['integration', [allow, allow, block]],
      ['trace', [allow, allow, block]],
      ['connection', [allow, allow, allow]],
    ] as const) {
      const app = await startApp(t);
      const { id, key } = await app.integration('MCP_SERVER', { sessionScope });
      await app.policy(id, blockAfter(2));
      const decided: string[] = [];
      for (let at = 0; at < 3; at++) {
        const connection = await connect(app, key, `host ${at}`);
        const result = await callTool(app, key, 'evaluate', action, { connection });
        decided.push(result.structuredContent.enforcementAction);
        const ended = await app.call(key, 'DELETE', '/v1/mcp', undefined, { 'mcp-session-id': connection });
        t.equal(ended.status, sessionScope === 'connection' ? 204 : 405);
      }
      t.strictSame(decided, expected, sessionScope);
      const { body } = await app.call(key, 'GET', '/v1/evaluation-sessions');
      t.equal(
        body.pagination.total,
        sessionScope === 'connection' ? 3 : 1,
        'a connection opens no other session',
      );
    }
  },
);

t.test('a shared session is ended by no connection, even when the id of it is sent', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const shared = sessionOf(await callTool(app, key, 'evaluate', action));
  const headers = { 'mcp-session-id': shared };
  t.equal((await app.call(key, 'DELETE', '/v1/mcp', undefined, headers)).status, 405);
  t.equal(sessionOf(await callTool(app, key, 'evaluate', action)), shared);
});

t.test('parallel first evaluations share one session, and a limit of k lets exactly k through', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, blockAfter(5));
  const results = await Promise.all(Array.from({ length: 20 }, () => callTool(app, key, 'evaluate', action)));
  t.equal(new Set(results.map(sessionOf)).size, 1);
  t.equal(results.filter((result) => result.structuredContent.enforcementAction === 'ALLOW').length, 5);
});

t.test(
  'a connection of the older revisions is a session: opened by initialize, ended by DELETE',
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration('MCP_SERVER', { sessionScope: 'connection' });
    const [one, two] = [await connect(app, key, 'host'), await connect(app, key, 'host')];
    t.not(one, two, 'two connections of one client are two sessions');
    await callTool(app, key, 'evaluate', action, { connection: one });
    const read = (id: string) => app.call(key, 'GET', `/v1/evaluation-sessions/${id}`);
    t.match((await read(one)).body.data, {
      actionCount: 1,
      externalSessionId: 'connection:host',
      status: 'ACTIVE',
    });
    t.match((await read(two)).body.data, { actionCount: 0 });
    t.equal((await callTool(app, key, 'get_session', {}, { connection: one })).structuredContent.id, one);
    await app.call(key, 'DELETE', '/v1/mcp', undefined, { 'mcp-session-id': one });
    t.match((await read(one)).body.data, { status: 'COMPLETED' });
    t.equal((await send(app, key, legacy('ping', {}, two))).status, 200, 'the other goes on');
  },
);

t.test('a session that its client leaves is ended after half an hour, in every scope', async (t) => {
  for (const sessionScope of ['client', 'integration', 'connection', 'trace'] as const) {
    const app = await startApp(t);
    const { key } = await app.integration('MCP_SERVER', { sessionScope });
    const connection = await connect(app, key);
    const how = { connection, meta: trace('a') };
    const left = sessionOf(await callTool(app, key, 'evaluate', action, how));
    const named = sessionOf(await callTool(app, key, 'evaluate', { ...action, externalSessionId: 'mine' }));
    const statusOf = async (id: string) =>
      (await app.call(key, 'GET', `/v1/evaluation-sessions/${id}`)).body.data.status;
    app.clock.advance(30 * 60_000 - 1);
    await app.services.idleSessions.sweep();
    t.equal(await statusOf(left), 'ACTIVE');
    app.clock.advance(1);
    await app.services.idleSessions.sweep();
    t.strictSame([await statusOf(left), await statusOf(named)], ['COMPLETED', 'ACTIVE'], sessionScope);
    if (sessionScope !== 'connection') continue;
    t.equal((await send(app, key, legacy('ping', {}, connection))).status, 404, 'clients connect again');
  }
});

t.test('a session in which an action waits for approval is not ended', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  await app.policy(id, rule('tool == "pay"', 'APPROVAL_REQUIRED', 'reviewExpirySeconds: 7200'));
  const pay = { input: { tool: 'pay' } };
  const { sessionId, reviewRequestId } = (await callTool(app, key, 'evaluate', pay)).structuredContent;
  app.clock.advance(60 * 60_000);
  await app.services.idleSessions.sweep();
  await app.call(adminKey, 'POST', `/v1/reviews/${reviewRequestId}/approve`, {});
  await app.services.idleSessions.sweep();
  const used = await callTool(app, key, 'evaluate', { ...pay, sessionId, reviewRequestId });
  t.equal(used.structuredContent.enforcementAction, 'ALLOW');
  app.clock.advance(30 * 60_000);
  await app.services.idleSessions.sweep();
  t.match((await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionId}`)).body.data, {
    status: 'COMPLETED',
  });
});

t.test('names out of use are forgotten', async (t) => {
  const app = await startApp(t, { ASSIZE_TRUST_PROXY: 'true' });
  const { id, key } = await app.integration('MCP_SERVER');
  const address = (last: number) => `203.0.113.${last}`;
  for (const last of [1, 2, 3]) await callTool(app, key, 'evaluate', action, { address: address(last) });
  app.clock.advance(31 * 60_000);
  await callTool(app, key, 'evaluate', action, { address: address(4) });
  const known = [];
  for (const last of [1, 2, 3, 4]) {
    if (await app.store.sessions.findNamed(id, `client:${address(last)}`, 0, app.clock.now()))
      known.push(last);
  }
  t.strictSame(known, [3, 4], 'two for every one that is used');
});

t.test('a connection that is refused opens no session', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER', { sessionScope: 'connection' });
  const { body, headers } = initialize();
  const refused = await send(app, key, { body, headers: { ...headers, accept: 'application/json' } });
  t.equal(refused.status, 406);
  t.equal(refused.headers['mcp-session-id'], undefined);
  const { body: list } = await app.call(key, 'GET', '/v1/evaluation-sessions');
  t.equal(list.pagination.total, 0);
});

t.test('a call joins a session by its external id, and a result follows its action', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const evaluate = (more: object) => callTool(app, key, 'evaluate', { ...action, ...more });
  const joined = await evaluate({ externalSessionId: 'e', metadata: { b: 1, a: 2 } });
  t.equal(sessionOf(await evaluate({ externalSessionId: 'e' })), sessionOf(joined));
  const { evaluationRunId: resultOf } = joined.structuredContent;
  const result = await evaluate({ phase: 'RESULT', resultOf, status: 'OK' });
  t.equal(sessionOf(result), sessionOf(joined));
  const { text } = await app.call(key, 'GET', `/v1/evaluation-sessions/${sessionOf(joined)}`);
  t.match(text, '"metadata":{"b":1,"a":2}');
  t.match(
    await evaluate({ metadata: {} }),
    { isError: true },
    'the shared session is not opened by one call',
  );
  t.match(await evaluate({ externalSessionId: 'x', metadata: { a: '\0' } }), { isError: true });
});

t.test('requireSession refuses calls that name no session', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER', { requireSession: true });
  const refused = await callTool(app, key, 'evaluate', action);
  t.match(refused, { isError: true });
  t.match(JSON.stringify(refused), /requires a session/);
  const named = await callTool(app, key, 'evaluate', { ...action, externalSessionId: 'e' });
  t.match(named.structuredContent, { enforcementAction: 'ALLOW' });
});
