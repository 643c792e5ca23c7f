import t from 'tap';
import { adminKey, startApp } from '../helpers/app.ts';
import {
  callTool,
  connect,
  initialize,
  legacy,
  modern,
  type Reply,
  revision,
  type Sent,
  send,
} from './rpc.ts';

const list = modern('tools/list');
const evaluate = { name: 'evaluate', arguments: { input: { tool: 'x' } } };
const withHeaders = (sent: Sent, headers: Record<string, string>): Sent => ({
  ...sent,
  headers: { ...sent.headers, ...headers },
});
const withoutHeader = (sent: Sent, name: string): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(sent.headers).filter(([key]) => key !== name)),
});
const withBody = (sent: Sent, body: unknown): Sent => ({ ...sent, body });
/** The request without one key of its envelope, or with another value for it. */
const withMeta = (key: string, value?: unknown): Sent => {
  const { params, ...body } = list.body as { params: { _meta: object } };
  return withBody(list, {
    ...body,
    params: { _meta: { ...params._meta, [`io.modelcontextprotocol/${key}`]: value } },
  });
};

interface Case {
  sent: Sent;
  status: number;
  /** Of the JSON-RPC error; absent for a result. */
  code?: number;
  data?: object;
}

const cases: Record<string, Case> = {
  'no Origin': { sent: list, status: 200 },
  'an Origin of this machine that names this host': {
    sent: withHeaders(list, { origin: 'http://localhost:3000', host: 'localhost:3000' }),
    status: 200,
  },
  'an Origin null': { sent: withHeaders(list, { origin: 'null' }), status: 403, code: -32_000 },
  'a foreign Origin': {
    sent: withHeaders(list, { origin: 'https://evil.example' }),
    status: 403,
    code: -32_000,
  },
  'another port of this machine': {
    sent: withHeaders(list, { origin: 'http://localhost:5173', host: 'localhost:3000' }),
    status: 403,
    code: -32_000,
  },
  'a foreign name that was made to point here': {
    sent: withHeaders(list, { origin: 'http://evil.example:3000', host: 'evil.example:3000' }),
    status: 403,
    code: -32_000,
  },
  'a Host of a proxy': { sent: withHeaders(list, { host: 'assize.example' }), status: 200 },

  'a method in the header that is not the one of the body': {
    sent: withHeaders(list, { 'mcp-method': 'tools/call' }),
    status: 400,
    code: -32_020,
  },
  'no method in the header': { sent: withoutHeader(list, 'mcp-method'), status: 400, code: -32_020 },
  'a tool in the header that is not the one of the body': {
    sent: withHeaders(modern('tools/call', evaluate), { 'mcp-name': 'get_session' }),
    status: 400,
    code: -32_020,
  },
  'no tool in the header': {
    sent: withoutHeader(modern('tools/call', evaluate), 'mcp-name'),
    status: 400,
    code: -32_020,
  },
  'a version in the header that is not the one of the body': {
    sent: withHeaders(list, { 'mcp-protocol-version': '2025-11-25' }),
    status: 400,
    code: -32_020,
  },
  'no version in the header': {
    sent: withoutHeader(list, 'mcp-protocol-version'),
    status: 400,
    code: -32_020,
  },
  'no version in the body': { sent: withMeta('protocolVersion'), status: 400, code: -32_602 },
  'no capabilities in the body': { sent: withMeta('clientCapabilities'), status: 400, code: -32_602 },
  'a version that is not spoken': {
    sent: withHeaders(withMeta('protocolVersion', '2099-01-01'), { 'mcp-protocol-version': '2099-01-01' }),
    status: 400,
    code: -32_022,
    data: { supported: [revision] },
  },
  'a version in the header that is not spoken, of the older revisions': {
    sent: withHeaders(legacy('tools/list'), { 'mcp-protocol-version': '1999-01-01' }),
    status: 400,
    code: -32_000,
  },
  'an unknown method': { sent: modern('nope/nope'), status: 404, code: -32_601 },
  'a method of the older revisions only': { sent: modern('ping'), status: 404, code: -32_601 },
  'an unknown method, of the older revisions': { sent: legacy('nope/nope'), status: 200, code: -32_601 },
  'an unknown tool': {
    sent: modern('tools/call', { name: 'approve', arguments: {} }),
    status: 200,
    code: -32_602,
  },
  'a page that there is not': { sent: modern('tools/list', { cursor: 'x' }), status: 200, code: -32_602 },

  'a batch': { sent: withBody(list, [list.body]), status: 400, code: -32_600 },
  'a batch, of the older revisions': {
    sent: withBody(legacy('ping'), [legacy('ping').body, legacy('ping').body]),
    status: 400,
    code: -32_600,
  },
  'no object': { sent: withBody(list, '"text"'), status: 400, code: -32_600 },
  'an empty body': { sent: withBody(list, ''), status: 400, code: -32_700 },
  'no JSON': { sent: withBody(list, '{"jsonrpc":'), status: 400, code: -32_700 },
  'a key whose text never ends': { sent: withBody(list, '"\\":'), status: 400, code: -32_700 },
  'no JSON-RPC': { sent: withBody(legacy('ping'), '{}'), status: 400, code: -32_600 },
  'a key that changes what objects inherit': {
    sent: withBody(legacy('ping'), '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}'),
    status: 400,
    code: -32_600,
  },
  'text as content type': {
    sent: withHeaders(list, { 'content-type': 'text/plain' }),
    status: 415,
    code: -32_600,
  },
  'JSON in another form of the name': {
    sent: withHeaders(list, { 'content-type': 'Application/JSON; charset=UTF-8' }),
    status: 200,
  },
  'a client that takes no stream, of the older revisions': {
    sent: withHeaders(legacy('ping'), { accept: 'application/json' }),
    status: 406,
    code: -32_000,
  },
  'a body of more than 1 MB': {
    sent: modern('tools/call', { name: 'evaluate', arguments: { input: { text: 'a'.repeat(1_048_576) } } }),
    status: 413,
    code: -32_000,
    data: { code: 'too_large' },
  },
};

t.test('what is not right about a request is said with the right status and code', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  for (const [name, { sent, status, code, data }] of Object.entries(cases)) {
    const response = await send(app, key, sent);
    t.equal(response.status, status, `${name}: status`);
    t.equal(response.body.jsonrpc, '2.0', `${name}: answers JSON-RPC`);
    t.equal(response.body.error?.code, code, `${name}: code`);
    if (data) t.match(response.body.error.data, data, `${name}: data`);
    t.match(response.headers['x-request-id'], /./, `${name}: request id`);
  }
});

t.test('without a good key of an MCP server nothing is answered', async (t) => {
  const app = await startApp(t, { ASSIZE_RATE_LIMIT_ADDRESS: '0' });
  const { id, key } = await app.integration('MCP_SERVER');
  const rest = await app.integration('REST_API');
  const agent = await app.integration('AGENT');
  const unauthenticated: [string, () => Promise<Reply>][] = [
    ['no key', () => send(app, null, list)],
    ['an unknown key', () => send(app, `asz_live_${'x'.repeat(43)}`, list)],
    ['a malformed key', () => send(app, 'nope', list)],
    ['another scheme', () => send(app, null, withHeaders(list, { authorization: `Basic ${key}` }))],
  ];
  const bodies = new Set<string>();
  for (const [name, responseOf] of unauthenticated) {
    const { status, headers, body } = await responseOf();
    t.equal(status, 401, name);
    t.equal(headers['www-authenticate'], 'Bearer error="invalid_token"', name);
    bodies.add(JSON.stringify(body));
  }
  const inQuery = await app.call(
    null,
    'POST',
    `/v1/mcp?key=${key}&authorization=Bearer%20${key}`,
    list.body,
    list.headers,
  );
  t.equal(inQuery.status, 401, 'a key in the query is no key');
  bodies.add(inQuery.text);
  t.equal(bodies.size, 1, 'all alike');
  for (const [name, other] of [
    ['REST_API', rest.key],
    ['AGENT', agent.key],
    ['operator', adminKey],
  ] as const) {
    const { status, body } = await send(app, other, list);
    t.equal(status, 403, name);
    t.equal(body.error.data.code, 'forbidden', name);
  }
  await app.call(adminKey, 'POST', `/v1/integrations/${id}/regenerate-key`);
  t.equal((await send(app, key, list)).status, 401, 'a regenerated key');
});

t.test('requests count against the limit of the integration', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER', { requestsPerMinute: 1 });
  t.equal((await send(app, key, list)).status, 200);
  const { status, headers, body } = await send(app, key, list);
  t.equal(status, 429);
  t.ok(Number(headers['retry-after']) > 0);
  t.equal(body.error.data.code, 'rate_limited');
});

t.test('there is nothing to get, and nothing to log in to', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  for (const method of ['GET', 'DELETE'] as const) {
    t.equal((await app.call(null, method, '/v1/mcp')).status, 401, `${method} without a key`);
    const { status, headers, body } = await app.call(key, method, '/v1/mcp', undefined, {
      accept: 'text/event-stream',
    });
    t.equal(status, 405, method);
    t.equal(headers.allow, 'POST', method);
    t.equal(body.jsonrpc, '2.0', method);
  }
  for (const url of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/v1/mcp',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/v1/mcp',
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/v1/mcp',
    '/v1/mcp/.well-known/openid-configuration',
  ]) {
    const { status, body } = await app.call(null, 'GET', url);
    t.equal(status, 404, url);
    t.match(body, { success: false, statusCode: 404 }, url);
  }
  t.equal((await app.call(null, 'POST', '/register', {})).status, 404, 'registration of clients');
});

t.test('a notification is taken without a word', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  const connection = await connect(app, key);
  for (const sent of [
    modern('notifications/cancelled', { requestId: 1 }),
    legacy('notifications/initialized', {}, connection),
  ]) {
    const { id: _, ...notification } = sent.body as { id: unknown };
    const { status, body } = await send(app, key, withBody(sent, notification));
    t.equal(status, 202);
    t.equal(body, null);
  }
});

t.test('each of the older revisions is agreed on, and the newest of them offered for others', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER');
  for (const [asked, agreed] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['nonsense', '2025-11-25'],
  ] as const) {
    const { status, body } = await send(app, key, initialize('test', asked));
    t.equal(status, 200, asked);
    t.equal(body.result.protocolVersion, agreed, asked);
  }
});

t.test('a connection that is not live answers 404, whoever it was', async (t) => {
  const app = await startApp(t);
  const { key } = await app.integration('MCP_SERVER', { sessionScope: 'connection' });
  const stranger = await app.integration('MCP_SERVER', { sessionScope: 'connection' });
  const connection = await connect(app, key);
  t.equal((await send(app, key, legacy('ping', {}, connection))).status, 200);
  t.equal((await send(app, key, legacy('ping', {}, connection.toUpperCase()))).status, 200);
  const responses = new Set<string>();
  const lost = async (name: string, sender: string, id: string) => {
    const { status, body } = await send(app, sender, legacy('ping', {}, id));
    t.equal(status, 404, name);
    responses.add(JSON.stringify(body));
  };
  await lost('foreign', stranger.key, connection);
  await lost('unknown', key, '00000000-0000-4000-8000-000000000000');
  await lost('no id', key, 'x'.repeat(3_000));
  const gone = (id: string, sender = key) =>
    app.call(sender, 'DELETE', '/v1/mcp', undefined, { 'mcp-session-id': id });
  t.equal((await gone(connection, stranger.key)).status, 404, 'a stranger cannot end it');
  t.equal((await gone('nope')).status, 404);
  t.equal((await gone(connection)).status, 204);
  t.equal((await gone(connection)).status, 404, 'it ends once');
  await lost('ended', key, connection);
  const expiring = await connect(app, key);
  app.clock.advance(24 * 3_600_000);
  await lost('expired', key, expiring);
  t.equal(responses.size, 1, 'all alike');
});

t.test('nothing of the key reaches a log line or an answer', async (t) => {
  const app = await startApp(t, { ASSIZE_LOG_LEVEL: 'debug' });
  const { key } = await app.integration('MCP_SERVER');
  const result = await callTool(app, key, 'evaluate', { input: { tool: 'x' } });
  const { text } = await app.call(key, 'POST', '/v1/mcp', '{', { 'content-type': 'application/json' });
  const said = [...app.log, JSON.stringify(result), text].join('\n');
  t.ok(app.log.length > 0);
  t.notMatch(said, key.slice('asz_live_'.length));
});
