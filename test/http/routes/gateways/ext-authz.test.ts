import { gzipSync } from 'node:zlib';
import t from 'tap';
import { listen } from '../../../helpers/raw-http.ts';
import { governed } from './governed.ts';

t.test('Envoy: 200 lets a request through, 403 denies it, for every method and with any body', async (t) => {
  const { app, key, last, sessions } = await governed(t, 'input.path.startsWith("/admin")', 'BLOCK');
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    t.equal((await app.call(key, method, '/v1/ext-authz/orders/7?full=yes')).status, 200, method);
    const denied = await app.call(key, method, '/v1/ext-authz/admin/keys');
    t.equal(denied.status, 403, method);
    t.match(denied.headers['x-assize-evaluation-id'], /^[0-9a-f-]{36}$/);
    if (method !== 'HEAD') t.match(denied.body, { reason: /the-rule/ });
  }
  const headers = { host: 'shop.example', 'x-assize-session': 's-1' };
  await app.call(key, 'POST', '/v1/ext-authz/orders?full=yes', { item: 7 }, headers);
  t.match(await last(), {
    tool: 'http.request',
    targetKey: 'POST shop.example/orders',
    input: {
      tool: 'http.request',
      method: 'POST',
      host: 'shop.example',
      path: '/orders',
      query: 'full=yes',
      body: { item: 7 },
    },
  });
  t.match(await sessions(), [{ externalSessionId: 'envoy s-1' }]);
  const text = await app.call(key, 'POST', '/v1/ext-authz/notes', 'ada@example.com', {
    'content-type': 'text/plain',
  });
  t.equal(text.status, 200);
  t.match(await last(), { input: { body: 'ada@example.com' }, dataTags: ['PII', 'EMAIL_ADDRESS'] });
  const packed = gzipSync('{"jsonrpc":"2.0","method":"tools/call"}').toString('latin1');
  await app.call(key, 'POST', '/v1/ext-authz/notes', packed, { 'content-type': 'text/plain' });
  t.match(await last(), { dataTags: ['UNSCANNED'] }, 'a rule can stop what nobody could read');
});

t.test(
  'Envoy: a call of an MCP server behind it is judged by its tool, and a broken body is denied',
  async (t) => {
    const { app, key, last } = await governed(t, 'tool == "drop_table"', 'APPROVAL_REQUIRED');
    const call = (name: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: {} },
    });
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', call('read'))).status, 200);
    t.match(await last(), { tool: 'read' });
    const held = await app.call(key, 'POST', '/v1/ext-authz/mcp', call('drop_table'));
    t.equal(held.status, 403);
    t.match(held.headers['x-assize-review-id'], /^[0-9a-f-]{36}$/);
    for (const more of [{ tool: 'read' }, { toolName: 'read' }, { name: 'read', arguments: {} }]) {
      const disguised = await app.call(key, 'POST', '/v1/ext-authz/mcp', { ...more, ...call('drop_table') });
      t.equal(disguised.status, 403, JSON.stringify(more));
    }
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', [call('drop_table')])).status, 400);
    const called = JSON.stringify(call('drop_table'));
    const plain = { 'content-type': 'text/plain' };
    const utf16 = [...called].join('\0');
    for (const text of [
      called,
      `\ufeff${called}`,
      `{}\n${called}\n`,
      `${called} and more`,
      `event: message\ndata: ${called}\n\n`,
      `{}${called.replace('"jsonrpc":"2.0",', '')}`,
      `" ${called.replace('jsonrpc', '\\u006a\\u0073onrpc')}`,
      utf16,
    ])
      t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', text, plain)).status, 400, String(text));
    const prose = 'JSON-RPC has "method" and "params"; the tool is "called"\n'.repeat(1_000);
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/notes', prose, plain)).status, 200);
    const { jsonrpc: _, ...unversioned } = call('drop_table');
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', unversioned)).status, 403);
    // As Go reads names: in any case, and ſ is an s.
    for (const spelled of [
      called.replace('jsonrpc', 'JSONRPC').replace('method', 'Method'),
      called.replace('method', 'METHOD'),
      called.replace('params', 'Params'),
      called.replace('params', 'param\u017f'),
      called.replace('"name"', '"Name"'),
      called.replace('"name"', '"name":"read","NAME"'),
    ]) {
      const json = { 'content-type': 'application/json' };
      const refused = await app.call(key, 'POST', '/v1/ext-authz/mcp', spelled, json);
      t.equal(refused.status, 400, spelled);
    }
    t.equal(
      (await app.call(key, 'POST', '/v1/ext-authz/orders', { Name: 'Ada', Method: 'card' })).status,
      200,
    );
    const partial = { ...plain, 'x-envoy-auth-partial-body': 'true' };
    t.equal((await app.call(key, 'POST', '/v1/ext-authz/mcp', '{"jsonrpc"', partial)).status, 400);
    const broken = await app.call(key, 'POST', '/v1/ext-authz/mcp', '{"jsonrpc"', {
      'content-type': 'application/json',
    });
    t.equal(broken.status, 400);
  },
);

t.test('Envoy: a path in another spelling is the same path, and an ambiguous one is denied', async (t) => {
  const { app, key, last } = await governed(
    t,
    'input.path.startsWith("/admin") || input.host == "admin.example"',
    'BLOCK',
  );
  const { exchange } = await listen(t, app);
  // The very bytes: a client of URLs would bring the path into its normal form.
  const ask = async (path: string, host = 'shop.example') => {
    const head = `GET /v1/ext-authz${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n\r\n`;
    return (await exchange(head)).status;
  };
  const forwarded = 'admin.example\r\nx-forwarded-host: shop.example';
  t.equal(await ask('/orders', forwarded), 403, 'a client names no other host');
  for (const host of [
    'Admin.Example',
    'admin.example:443',
    'admin.example:80',
    'admin.example:',
    'admin.example..',
  ])
    t.equal(await ask('/orders', host), 403, `${host} is the same host`);
  t.equal(await ask('/orders', 'admin.example:8443'), 200, 'another port is another server');
  for (const path of [
    '/admin',
    '/%61dmin/keys',
    '//admin/keys',
    '/orders/../admin',
    '/../admin/keys',
    '/%2e%2e/admin/keys',
    '/orders/.%2E/admin',
    '/orders/./../admin/./keys',
    '/orders/%2E%2e/%61%64min',
    '/admin//keys',
    '/a//../../admin',
    '/admin?x=/orders',
  ])
    t.equal(await ask(path), 403, path);
  for (const path of [
    // Slashes merged before or after dots are resolved.
    '/a//../admin',
    '/orders//%2e%2e/admin',
    '/orders///../../admin',
    // Escaped slashes and dots, once and twice.
    '/orders/..%2fadmin',
    '/orders%2F..%5Cadmin',
    '/orders/..%252fadmin',
    '/orders/%252e%252e/admin',
    '/orders/%252e%252e%252fadmin',
    '/orders/%25252e./admin',
    '/.%2f/admin',
    '/%2fadmin',
    '/orders/%2f..%2f..%2fadmin',
    '/orders%2f%2e%2e%2fadmin',
    '/%5cadmin',
    // Parameters of a segment.
    '/orders/..;/admin',
    '/orders/..;x=1/admin',
    '/orders/..%3b/admin',
    '/orders/.;/admin',
    '/;/admin',
    '/;x=1/admin',
    // Backslashes and fragments.
    '/orders\\..\\admin',
    '/\\admin',
    '/orders#/../admin',
    '/admin#',
    // Escapes that are none, or say something else to some.
    '/%u0061dmin',
    '/%admin',
    '/orders/%',
    '/orders%00/admin',
    '/%0aadmin',
    '/orders/%c0%ae%c0%ae/admin',
    '/orders/%e0%80%ae%e0%80%ae/admin',
  ])
    t.equal(await ask(path), 400, path);
  for (const host of ['Admin.Example', 'admin.example.']) t.equal(await ask('/orders/7', host), 403, host);
  t.equal(await ask('/groups/a%2Fb;v=1/?x=../admin'), 200);
  t.match(await last(), { input: { path: '/groups/a%2Fb;v=1/', query: 'x=../admin' } });
  for (const path of '/ /orders/7/ /caf%C3%A9/a%20b /a..b/... /50%25 /a:b@c/(d)* /v1/%40x%2Fy'.split(' '))
    t.equal(await ask(path), 200, path);
});

t.test('Envoy: a request whose body it does not send is judged without one', async (t) => {
  const { app, key, last } = await governed(t, 'has(input.body)', 'BLOCK');
  // As Envoy sends it without with_request_body: the client's type, and a length of 0.
  const empty = { 'content-type': 'application/json', 'content-length': '0' };
  t.equal((await app.call(key, 'POST', '/v1/ext-authz/orders', undefined, empty)).status, 200);
  t.match(await last(), { targetKey: /^POST .*\/orders$/ });
});
