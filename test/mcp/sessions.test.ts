import t from 'tap';
import { startApp } from '../helpers/app.ts';
import { blockAfter } from '../helpers/policies.ts';
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
  const { body } = await app.call(key, 'GET', '/v1/evaluation-sessions?externalSessionId=client:test');
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
  'what says the session: the argument, then _meta, then the connection, then trace, then client',
  async (t) => {
    const app = await startApp(t);
    const { key } = await app.integration('MCP_SERVER');
    const open = async () => (await callTool(app, key, 'start_session')).structuredContent.id as string;
    const [argument, inMeta] = [await open(), await open()];
    const connection = await connect(app, key);
    const meta = { 'dev.assize/sessionId': inMeta, ...trace('a') };
    const evaluate = async (args: object, how: object) =>
      sessionOf(await callTool(app, key, 'evaluate', { ...action, ...args }, how));
    t.equal(await evaluate({ sessionId: argument }, { meta, connection }), argument);
    t.equal(await evaluate({}, { meta, connection }), inMeta);
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

t.test('sessions are apart by client and by integration; who gives no name shares one', async (t) => {
  const app = await startApp(t);
  const one = await app.integration('MCP_SERVER');
  const two = await app.integration('MCP_SERVER');
  await app.policy(one.id, blockAfter(1));
  const evaluate = async (key: string, how: object) =>
    (await callTool(app, key, 'evaluate', action, how)).structuredContent;
  const ours = await evaluate(one.key, { client: 'a' });
  t.equal(ours.enforcementAction, 'ALLOW');
  t.equal(
    (await evaluate(one.key, { client: 'a' })).enforcementAction,
    'BLOCK',
    'memory without a session id',
  );
  t.equal((await evaluate(one.key, { client: 'b' })).enforcementAction, 'ALLOW', 'another client');
  t.not((await evaluate(two.key, { client: 'a' })).sessionId, ours.sessionId, 'another integration');
  const nameless = { meta: { 'io.modelcontextprotocol/clientInfo': undefined } };
  t.equal((await evaluate(one.key, nameless)).enforcementAction, 'ALLOW');
  t.equal((await evaluate(one.key, nameless)).enforcementAction, 'BLOCK');
  const long = { client: 'x'.repeat(5_000) };
  t.equal((await evaluate(one.key, long)).sessionId, (await evaluate(one.key, long)).sessionId);
  for (const tool of ['get_session', 'end_session']) {
    t.match(await callTool(app, two.key, tool, { sessionId: ours.sessionId }), { isError: true }, tool);
  }
  t.match((await callTool(app, two.key, 'list_reviews')).structuredContent, { data: [] });
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
    const { key } = await app.integration('MCP_SERVER');
    const [one, two] = [await connect(app, key, 'host'), await connect(app, key, 'host')];
    t.not(one, two, 'two connections of one client are two sessions');
    await callTool(app, key, 'evaluate', action, { connection: one });
    const read = (id: string) => app.call(key, 'GET', `/v1/evaluation-sessions/${id}`);
    t.match((await read(one)).body.data, {
      actionCount: 1,
      externalSessionId: 'client:host',
      status: 'ACTIVE',
    });
    t.match((await read(two)).body.data, { actionCount: 0 });
    t.equal((await callTool(app, key, 'get_session', {}, { connection: one })).structuredContent.id, one);
    await app.call(key, 'DELETE', '/v1/mcp', undefined, { 'mcp-session-id': one });
    t.match((await read(one)).body.data, { status: 'COMPLETED' });
    t.equal((await send(app, key, legacy('ping', {}, two))).status, 200, 'the other goes on');
  },
);

t.test('names out of use are forgotten', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration('MCP_SERVER');
  for (const client of ['a', 'b', 'c']) await callTool(app, key, 'evaluate', action, { client });
  app.clock.advance(31 * 60_000);
  await callTool(app, key, 'evaluate', action, { client: 'd' });
  const known = [];
  for (const client of ['a', 'b', 'c', 'd']) {
    if (await app.store.sessions.findNamed(id, `client:${client}`, 0, app.clock.now())) known.push(client);
  }
  t.strictSame(known, ['c', 'd'], 'two for every one that is used');
});

t.test('a connection that is refused opens no session', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const { body, headers } = initialize();
  const refused = await send(app, key, { body, headers: { ...headers, accept: 'application/json' } });
  t.equal(refused.status, 406);
  t.equal(refused.headers['mcp-session-id'], undefined);
  const { body: list } = await app.call(key, 'GET', '/v1/evaluation-sessions');
  t.equal(list.pagination.total, 0);
});
