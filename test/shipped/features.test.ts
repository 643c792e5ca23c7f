import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';
import t, { type Test } from 'tap';
import { startPostgres } from '../../scripts/develop/postgres.mjs';
import { adminKey, temporaryFolder } from '../helpers/app.ts';
import { freePort } from '../helpers/free-port.ts';
import { startIdentityProvider } from '../helpers/identity-provider.ts';
import { openPackageFolder, packAndInstall } from '../helpers/npm-package.ts';
import { program, root, type Served, serveProcess } from '../helpers/process.ts';
import { askRedis, startRedis } from '../helpers/redis.ts';

// Features that load a package only when a setting asks for it, each started once from everything that is shipped: a bundler can
// leave a package without the export that the sources name. Run: npm run test:shipped, after npm run build:binary.

t.setTimeout(600_000);

/** How the programs are started. */
const programs: Record<string, { node: string; args: string[] }> = {
  'the bundle': { node: process.execPath, args: [program, 'serve'] },
};

interface Service {
  url: string;
  served: Served;
  call(method: string, path: string, body?: unknown, key?: string | null): Promise<Answer>;
}
interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers the way clients do
  data: any;
}

interface Feature {
  name: string;
  /** Starts the peer. Resolves with the settings that use it, and with a check that fails unless the feature works. */
  open(t: Test, port: number): Promise<[Record<string, string>, (service: Service) => Promise<void>]>;
}

const metricsToken = 'm'.repeat(32);
const loopback = { ASSIZE_CALLBACK_ALLOW: '127.0.0.1' };
const policy = 'schemaVersion: 1\nname: shipped\nrules: [{ id: all, when: "true", effect: WARN }]\n';

/** An integration with a policy that warns of everything, and one evaluation by it. */
async function evaluateOnce(t: Test, { call }: Service): Promise<void> {
  const { data: integration } = await call('POST', '/v1/integrations', { name: 'shipped', kind: 'AGENT' });
  const created = await call('POST', '/v1/policies', policy);
  t.equal(created.status, 201, created.text);
  t.equal((await call('POST', `/v1/policies/${created.data.id}/activate`, {})).status, 200);
  await call('PUT', `/v1/integrations/${integration.id}/policies/${created.data.id}`);
  const { status, text, data } = await call(
    'POST',
    '/v1/evaluate',
    { input: { text: 'x' } },
    integration.apiKey,
  );
  t.equal(status, 200, text);
  t.equal(data.enforcementAction, 'WARN');
}

let postgres: Awaited<ReturnType<typeof startPostgres>>;

const features: Feature[] = [
  {
    name: 'Redis counts rate limits',
    async open(t) {
      const port = await freePort();
      await startRedis(t, port);
      const settings = { ASSIZE_REDIS: `redis://127.0.0.1:${port}`, ASSIZE_RATE_LIMIT_ADDRESS: '2' };
      return [
        settings,
        async ({ call, served }) => {
          const guess = async () =>
            (await call('GET', '/v1/policies', undefined, `asz_live_${'u'.repeat(43)}`)).status;
          t.strictSame([await guess(), await guess(), await guess()], [401, 401, 429]);
          t.equal(await askRedis(port, 'DBSIZE'), ':1', 'counted there');
          t.notMatch(served.stdout(), /Redis cannot be used/);
        },
      ];
    },
  },
  {
    name: 'PostgreSQL keeps the data, and a thread of its own reads it for a replay',
    async open(t, port) {
      const database = `shipped_${port}`;
      const client = new pg.Client(postgres.address);
      await client.connect();
      t.teardown(() => client.end());
      await client.query(`CREATE DATABASE ${database}`);
      const address = postgres.address.replace(/postgres$/, database);
      return [
        { ASSIZE_DATABASE: address, ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem') },
        async (service) => {
          await evaluateOnce(t, service);
          const own = new pg.Client(address);
          await own.connect();
          const { rows } = await own.query('SELECT name FROM integrations');
          await own.end();
          t.ok(rows.some(({ name }) => name === 'shipped'));
          const { text } = await service.call('POST', '/v1/policies/simulate', {});
          t.match(text, /"type":"result","evaluations":1,"changed":0/);
        },
      ];
    },
  },
  {
    name: 'a replay runs in a thread',
    open: async (t) => [
      {},
      async (service) => {
        await evaluateOnce(t, service);
        const { text } = await service.call('POST', '/v1/policies/simulate', {});
        t.match(text, /"type":"result","evaluations":1,"changed":0/);
      },
    ],
  },
  {
    name: 'OpenID Connect signs an operator in',
    async open(t, port) {
      const url = `http://127.0.0.1:${port}`;
      const provider = await startIdentityProvider(t, url, {
        ada: { email: 'ada@example.com', email_verified: true },
      });
      return [
        provider.settings,
        async ({ call }) => {
          const ada = { name: 'Ada', email: 'ada@example.com', roles: ['REVIEWER'] };
          t.equal((await call('POST', '/v1/operators', ada)).status, 201);
          const started = await fetch(`${url}/console/oidc/start`, {
            redirect: 'manual',
            headers: { 'sec-fetch-site': 'same-origin', 'x-assize-console': '1' },
          });
          t.equal(started.status, 303, await started.text());
          const cookie = started.headers.getSetCookie().map((one) => one.split(';')[0]);
          const back = await provider.signIn(started.headers.get('location') ?? '', 'ada');
          const headers = { cookie: cookie.join('; '), 'sec-fetch-site': 'cross-site' };
          const ended = await fetch(back, { redirect: 'manual', headers });
          t.equal(ended.status, 303, await ended.text());
          const signedIn = ended.headers.getSetCookie().filter((one) => !/=;/.test(one));
          t.equal(signedIn.length, 1, 'a sign-in begins');
          t.notMatch(ended.headers.get('location'), /problem|error|failed/);
        },
      ];
    },
  },
  {
    name: 'SMTP sends a mail',
    async open(t) {
      const mails: string[] = [];
      const server = new SMTPServer({
        authOptional: true,
        disabledCommands: ['STARTTLS', 'AUTH'],
        onData(stream, _session, done) {
          let text = '';
          stream.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          stream.on('end', () => {
            mails.push(text);
            done();
          });
        },
      });
      server.listen(0, '127.0.0.1');
      await once(server.server, 'listening');
      t.teardown(() => new Promise<void>((resolve) => server.close(resolve)));
      const { port } = server.server.address() as AddressInfo;
      return [
        {
          ...loopback,
          ASSIZE_SMTP_URL: `smtp://127.0.0.1:${port}`,
          ASSIZE_SMTP_FROM: 'Assize <assize@example.com>',
        },
        async ({ call }) => {
          const webhook = {
            name: 'mail',
            format: 'EMAIL',
            to: ['ada@example.com'],
          };
          const { data, text } = await call('POST', '/v1/webhooks', webhook);
          t.ok(data?.id, text);
          const tried = await call('POST', `/v1/webhooks/${data.id}/test`);
          t.match(tried.data, { delivered: true }, tried.text);
          t.match(mails, [/^Subject: \[Assize\]/m]);
        },
      ];
    },
  },
  {
    name: 'OTLP takes traces',
    async open(t) {
      const received: { url: string | undefined; body: string }[] = [];
      const collector = createServer(async (request, response) => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part);
        received.push({ url: request.url, body: Buffer.concat(parts).toString('latin1') });
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      }).listen(0, '127.0.0.1');
      await once(collector, 'listening');
      t.teardown(() => collector.close());
      const { port } = collector.address() as AddressInfo;
      return [
        { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_SERVICE_NAME: 'a-name-of-its-own' },
        async (service) => {
          await evaluateOnce(t, service);
          await service.served.stop();
          t.ok(received.length > 0);
          t.equal(received[0]?.url, '/v1/traces');
          t.match(received.map(({ body }) => body).join(''), /a-name-of-its-own[\s\S]*detection/);
        },
      ];
    },
  },
  {
    name: 'MCP lists its tools',
    open: async (t) => [
      {},
      async ({ url, call }) => {
        const { data } = await call('POST', '/v1/integrations', { name: 'mcp', kind: 'MCP_SERVER' });
        const headers = {
          authorization: `Bearer ${data.apiKey}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        };
        const send = async (method: string, params: object, more: Record<string, string> = {}) => {
          const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
          return fetch(`${url}/v1/mcp`, { method: 'POST', headers: { ...headers, ...more }, body });
        };
        const protocolVersion = '2025-06-18';
        const clientInfo = { name: 'test', version: '1' };
        const opened = await send('initialize', { protocolVersion, capabilities: {}, clientInfo });
        t.equal(opened.status, 200, await opened.text());
        const connection = opened.headers.get('mcp-session-id');
        const listed = await send(
          'tools/list',
          {},
          {
            'mcp-protocol-version': protocolVersion,
            ...(connection !== null && { 'mcp-session-id': connection }),
          },
        );
        t.match(await listed.text(), /"name":"evaluate"/);
      },
    ],
  },
  {
    name: 'the API page is served with all its parts',
    open: async (t) => [
      {},
      async ({ url }) => {
        const page = await fetch(`${url}/docs/`);
        t.equal(page.status, 200);
        const parts = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
          ([, part]) => part ?? '',
        );
        t.ok(parts.length >= 6);
        for (const part of parts) t.equal((await fetch(new URL(part, `${url}/docs/`))).status, 200, part);
      },
    ],
  },
  {
    name: 'metrics are served',
    open: async (t) => [
      { ASSIZE_METRICS_TOKEN: metricsToken },
      async ({ call }) => {
        const { text } = await call('GET', '/metrics', undefined, metricsToken);
        t.match(text, /^assize_/m);
      },
    ],
  },
];

async function serve(
  t: Test,
  name: string,
  port: number,
  settings: Record<string, string>,
): Promise<Service> {
  const cwd = temporaryFolder(t);
  const env = {
    HOME: cwd,
    ASSIZE_PORT: `${port}`,
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_DEMO: 'false',
    ...settings,
  };
  const served = serveProcess(t, env, { ...programs[name], cwd });
  const url = await served.url();
  return {
    url,
    served,
    async call(method, path, body, key = adminKey) {
      const isText = typeof body === 'string';
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(key !== null && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': isText ? 'application/yaml' : 'application/json' }),
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json');
      return {
        status: response.status,
        headers: response.headers,
        text,
        data: isJson ? JSON.parse(text).data : null,
      };
    },
  };
}

t.before(async () => {
  const folder = openPackageFolder();
  packAndInstall(folder, root, ['--prefer-offline']);
  programs['the npm package'] = {
    node: process.execPath,
    args: [join(folder.installed, 'node_modules/.bin/assize'), 'serve'],
  };
  const binary = join(root, 'build/assize');
  if (!existsSync(binary)) throw new Error('there is no build/assize: npm run build:binary');
  programs['the single binary'] = { node: binary, args: ['serve'] };
  postgres = await startPostgres();
});
t.after(() => postgres?.stop());

for (const name of ['the bundle', 'the npm package', 'the single binary']) {
  t.test(name, async (t) => {
    for (const { name: feature, open } of features) {
      await t.test(feature, async (t) => {
        const port = await freePort();
        const [settings, prove] = await open(t, port);
        await prove(await serve(t, name, port, settings));
      });
    }
  });
}
