import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import { test } from 'node:test';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { rule } from '../helpers/policies.ts';
import { startFixture } from './conformance/fixture-server.mjs';
import { startEverything } from './everything.mjs';
import { adminKey, startService } from './service.mjs';

// Remote servers behind the proxy, as the clients of both SDKs see them.

const sdks = { v1: [Client, StreamableHTTPClientTransport], v2: [NewClient, NewTransport] };

/** The service with a server behind its proxy; resolves with the address and headers for a client. */
async function behindProxy(t, url, policy, server = {}) {
  const service = await startService(t, { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' });
  const { id, key } = await service.integration('AGENT');
  await service.policy(id, policy);
  const made = await service.call(adminKey, 'POST', '/v1/mcp-servers', { name: 'remote', url, ...server });
  assert.equal(made.status, 201, made.text);
  return { service, key, url: `${service.base}/v1/mcp-proxy/remote` };
}

async function connect(t, url, headers, { sdk, ...options }) {
  const [Made, Transport] = sdks[sdk];
  const client = new Made(
    { name: 'test', version: '1' },
    { capabilities: { sampling: {}, elicitation: {} } },
  );
  const transport = new Transport(new URL(url), { requestInit: { headers }, ...options });
  if (sdk === 'v1') {
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      model: 'm',
      role: 'assistant',
      content: { type: 'text', text: 'the model says x' },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { name: 'Ada' } }));
  }
  t.after(() => client.close());
  return {
    client,
    transport,
    call: (name, args = {}, more = {}) =>
      client.callTool({ name, arguments: args }, ...(sdk === 'v1' ? [undefined, more] : [more])),
  };
}

for (const sdk of ['v1', 'v2'])
  test(`what the server everything offers and returns is the same through the proxy (SDK ${sdk})`, async (t) => {
    const url = await startEverything(t);
    const { key, url: through } = await behindProxy(t, url, rule('mcp.tool == "get-env"', 'BLOCK'));
    const direct = await connect(t, url, {}, { sdk });
    const proxied = await connect(t, through, { authorization: `Bearer ${key}` }, { sdk });
    await direct.client.connect(direct.transport);
    await proxied.client.connect(proxied.transport);
    const same = async (of) => {
      const [one, other] = await Promise.all(
        [direct, proxied].map((end) => of(end).catch((error) => String(error))),
      );
      assert.deepEqual(other, one);
    };
    await same(({ client }) => client.listResources());
    await same(({ client }) => client.listPrompts());
    await same(({ client }) => client.ping());
    await same(({ call }) => call('echo', { message: 'x\u2028y' }));
    await same(({ call }) => call('get-structured-content', { location: 'Chicago' }));
    await same(({ call }) => call('get-tiny-image'));
    await same(({ call }) => call('no-such-tool'));
    const told = [];
    const onprogress = ({ progress }) => told.push(progress);
    await proxied.call('trigger-long-running-operation', { duration: 1, steps: 3 }, { onprogress });
    assert.ok(told.length >= 3, String(told));
    const names = (await proxied.client.listTools()).tools.map(({ name }) => name);
    assert.ok(names.includes('echo') && !names.includes('get-env'));
    const blocked = await proxied.call('get-env');
    assert.ok(blocked.isError);
    assert.match(blocked.content[0].text, /^Assize: blocked by policy/);
    if (sdk === 'v1')
      assert.match(
        JSON.stringify(await proxied.call('trigger-sampling-request', { prompt: 'x' })),
        /the model says x/,
      );
  });

/** An authorization server, and the fixture behind a door that wants its tokens. */
async function guarded(t, revision) {
  const fixture = new URL(await startFixture(t, revision));
  const tokens = new Set();
  const codes = new Map();
  const json = (response, body, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const seen = [];
  let base = '';
  const routes = {
    '/.well-known/oauth-authorization-server': (_, response) =>
      json(response, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      }),
    '/.well-known/oauth-protected-resource/mcp': (_, response) =>
      json(response, { resource: `${base}/mcp`, authorization_servers: [base], scopes_supported: ['tools'] }),
    '/register': (_, response, { body }) =>
      json(response, { ...JSON.parse(body), client_id: randomUUID() }, 201),
    '/authorize': (_, response, { url }) => {
      const {
        redirect_uri: back,
        state,
        code_challenge: challenge,
        resource,
      } = Object.fromEntries(url.searchParams);
      const code = randomUUID();
      codes.set(code, { challenge, resource });
      const location = new URL(back);
      location.searchParams.set('code', code);
      if (state) location.searchParams.set('state', state);
      response.writeHead(302, { location: location.href }).end();
    },
    '/token': (_, response, { body }) => {
      const given = Object.fromEntries(new URLSearchParams(body));
      const known = codes.get(given.code);
      const challenge = createHash('sha256').update(given.code_verifier).digest('base64url');
      if (challenge !== known?.challenge) return json(response, { error: 'invalid_grant' }, 400);
      const token = randomUUID();
      tokens.add(token);
      seen.push(known.resource);
      json(response, { access_token: token, token_type: 'Bearer', expires_in: 3_600, scope: 'tools' });
    },
  };
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const url = new URL(incoming.url, base);
    if (routes[url.pathname]) return routes[url.pathname](incoming, response, { body, url });
    if (url.pathname !== '/mcp') return json(response, {}, 404);
    const token = incoming.headers.authorization?.replace('Bearer ', '');
    if (!tokens.has(token)) {
      const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
      response.setHeader(
        'www-authenticate',
        `Bearer error="invalid_token", resource_metadata="${metadata}", scope="tools"`,
      );
      return json(response, { error: 'invalid_token' }, 401);
    }
    assert.equal(incoming.headers['x-assize-key'], undefined);
    const onward = httpRequest(fixture, { method: incoming.method, headers: incoming.headers }, (got) => {
      response.writeHead(got.statusCode, got.headers);
      got.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${server.address().port}`;
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `${base}/mcp`, seen };
}

/** A person who agrees at once. */
function signsIn() {
  const kept = {};
  return {
    kept,
    redirectUrl: 'http://127.0.0.1:9/callback',
    clientMetadata: {
      client_name: 'test',
      redirect_uris: ['http://127.0.0.1:9/callback'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => kept.verifier,
    async redirectToAuthorization(url) {
      const response = await fetch(url, { redirect: 'manual' });
      kept.code = new URL(response.headers.get('location')).searchParams.get('code');
    },
  };
}

for (const sdk of ['v1', 'v2'])
  test(`a client signs in at the authorization server of a server behind the proxy (SDK ${sdk})`, async (t) => {
    const { url, seen } = await guarded(t, '2025-11-25');
    const policy = rule('mcp.tool == "test_error_handling"', 'BLOCK');
    const { key, url: through } = await behindProxy(t, url, policy, { forwardsAuthorization: true });
    const headers = { 'x-assize-key': key };
    const authProvider = signsIn();
    const first = await connect(t, through, headers, { sdk, authProvider });
    await assert.rejects(first.client.connect(first.transport), /Unauthorized/i);
    assert.ok(authProvider.kept.code, 'it was sent to the authorization server');
    await first.transport.finishAuth(authProvider.kept.code);
    const { client, transport, call } = await connect(t, through, headers, { sdk, authProvider });
    await client.connect(transport);
    assert.match((await call('test_simple_text')).content[0].text, /simple text response/);
    assert.match((await call('test_error_handling')).content[0].text, /^Assize: blocked/);
    assert.deepEqual(seen, [through], 'the proxy is the resource');
  });
