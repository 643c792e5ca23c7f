import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import t, { type Test } from 'tap';
import { lookAtCertificate, lookAtPort } from '../../src/cli/doctor.ts';
import { defaultFlags, serverOf } from '../../src/cli/hook/command-line.ts';
import { runHook } from '../../src/cli/hook/run.ts';
import { createTlsReload, readTlsFiles } from '../../src/http/tls.ts';
import { payload } from '../cli/hook/payload.ts';
import { adminKey, startApp, temporaryFolder } from '../helpers/app.ts';
import { createAuthority } from '../helpers/certificates.ts';
import { run } from '../helpers/command.ts';

type Pair = { cert: string; key: string };

async function serve(t: Test, { mutual = false } = {}) {
  const folder = temporaryFolder(t);
  const authority = createAuthority(folder, 'authority');
  const files = { cert: join(folder, 'tls.pem'), key: join(folder, 'tls.key'), ca: join(folder, 'ca.pem') };
  const use = (pair: Pair) => {
    copyFileSync(pair.cert, files.cert);
    copyFileSync(pair.key, files.key);
  };
  use(authority.sign('server'));
  copyFileSync(authority.file, files.ca);
  const app = await startApp(t, {
    ASSIZE_TLS_CERT: files.cert,
    ASSIZE_TLS_KEY: files.key,
    ...(mutual && { ASSIZE_TLS_CLIENT_CA: files.ca }),
  });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  return { app, folder, authority, files, use, url: new URL(url) };
}

/** Status and the name of the server's certificate; rejects when the handshake fails. */
function ask(url: URL, options: { ca: Buffer | string; cert?: Buffer; key?: Buffer }) {
  return new Promise<{ status?: number; server: string }>((resolve, reject) => {
    const sent = request(new URL('/health/live', url), { ...options, agent: false }, (response) => {
      const name = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
      response
        .resume()
        .on('end', () =>
          resolve({ ...(response.statusCode && { status: response.statusCode }), server: String(name) }),
        );
    });
    sent.on('error', reject).end();
  });
}
const read = (file: string) => execFileSync('cat', [file]);
const pairOf = ({ cert, key }: Pair) => ({ cert: read(cert), key: read(key) });

t.test('the service speaks HTTPS alone, and its certificate is verified', async (t) => {
  const { url, authority, folder } = await serve(t);
  t.equal(url.protocol, 'https:');
  t.strictSame(await ask(url, { ca: read(authority.file) }), { status: 200, server: 'server' });
  const other = createAuthority(folder, 'other');
  await t.rejects(ask(url, { ca: read(other.file) }), /signature|issuer|self.signed|unable to/i);
  await t.rejects(fetch(`http://${url.host}/health/live`));
});

t.test('another certificate is used without a restart, and a broken one is not', async (t) => {
  const { app, url, authority, use, files } = await serve(t);
  const ca = read(authority.file);
  use(authority.sign('renewed'));
  t.match(await ask(url, { ca }), { server: 'server' }, 'not yet looked at');
  await app.tls?.look();
  t.match(await ask(url, { ca }), { server: 'renewed' });
  const kept = read(files.key);
  const told = () => app.log.filter((line) => line.includes('TLS')).length;
  const before = told();
  for (const broken of ['', 'garbage', read(authority.sign('stranger').key)]) {
    writeFileSync(files.key, broken);
    await app.tls?.look();
    await app.tls?.look();
    t.match(await ask(url, { ca }), { status: 200, server: 'renewed' });
  }
  t.ok(told() > before && told() <= before + 3, 'told once each');
  t.notMatch(app.log.join(), /garbage|PRIVATE/);
  writeFileSync(files.key, kept);
  await app.tls?.look();
  t.match(await ask(url, { ca }), { server: 'renewed' });
});

t.test(
  'with authorities for clients, only a client with a certificate of one of them is let in',
  async (t) => {
    const { app, url, authority, files, folder } = await serve(t, { mutual: true });
    const ca = read(authority.file);
    const client = pairOf(authority.sign('client'));
    t.match(await ask(url, { ca, ...client }), { status: 200 });
    await t.rejects(ask(url, { ca }), 'without a certificate');
    const other = createAuthority(folder, 'other');
    const stranger = pairOf(other.sign('stranger'));
    await t.rejects(ask(url, { ca, ...stranger }), 'with one of another authority');

    const session = await sessionOf(url, { ca, ...client });
    t.equal(await resumes(url, { ca, ...client, session }), 'let in');
    copyFileSync(other.file, files.ca);
    await app.tls?.look();
    t.match(await ask(url, { ca, ...stranger }), { status: 200 });
    await t.rejects(ask(url, { ca, ...client }), 'the authority before');
    t.equal(await resumes(url, { ca, ...client, session }), 'refused', 'a session from before, too');
    for (const broken of ['', 'garbage']) {
      writeFileSync(files.ca, broken);
      await app.tls?.look();
      await t.rejects(ask(url, { ca, ...client }), 'a broken list lets nobody else in');
      t.match(await ask(url, { ca, ...stranger }), { status: 200 });
    }
  },
);

t.test('a busy connection ends once its authority was replaced', async (t) => {
  const { app, url, authority, files, folder } = await serve(t, { mutual: true });
  const client = { ca: read(authority.file), ...pairOf(authority.sign('client')) };
  const socket = connect({ ...target(url), ...client });
  let text = '';
  socket.setEncoding('utf8').on('data', (data) => {
    text += data;
  });
  t.teardown(() => socket.destroy());
  const keptAlive = healthRequest.replace('Connection: close\r\n', '');
  const [line = '', ...rest] = keptAlive.split('\r\n');
  socket.write(`${line}\r\n`);
  await once(socket, 'session');
  await app.tls?.look();
  copyFileSync(createAuthority(folder, 'other').file, files.ca);
  await app.tls?.look();
  socket.write(rest.join('\r\n'));
  await once(socket, 'close');
  t.match(text, /^HTTP\/1\.1 200 /, 'the request in progress is answered');
  t.match(text, /^connection: close\r$/im);
});

t.test('a stream, too, ends after a while when its authority was replaced', async (t) => {
  const folder = temporaryFolder(t);
  const authority = createAuthority(folder, 'authority');
  const files = { ...authority.sign('server'), clientCa: join(folder, 'ca.pem') };
  copyFileSync(authority.file, files.clientCa);
  const first = await readTlsFiles(files);
  const server = createServer({ ...first, requestCert: true }, (_, response) => response.write('and on'));
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const reload = createTlsReload(server, files, first, { reloaded() {}, failed: t.fail }, 20);
  const { port } = server.address() as AddressInfo;
  const client = { ca: read(authority.file), ...pairOf(authority.sign('client')) };
  const socket = connect({ host: '127.0.0.1', port, ...client }, () => socket.write(healthRequest));
  await once(socket, 'data');
  copyFileSync(createAuthority(folder, 'other').file, files.clientCa);
  await reload.look();
  await once(
    socket.resume().on('error', () => undefined),
    'close',
  );
});

const healthCheck = join(import.meta.dirname, '../../scripts/image/health-check.mjs');
/** The exit code of the container's health check. */
const health = (url: URL, settings: Record<string, string>) =>
  new Promise<number | null>((resolve) => {
    const env = { ...process.env, ASSIZE_HOST: '127.0.0.1', ASSIZE_PORT: url.port, ...settings };
    spawn(process.execPath, [healthCheck], { env, stdio: 'inherit' }).on('exit', resolve);
  });

t.test('the health check and the doctor ask over TLS, and of one that wants certificates', async (t) => {
  for (const mutual of [false, true]) {
    const { app, url, files } = await serve(t, { mutual });
    const tls = { cert: files.cert, key: files.key, clientCa: mutual ? files.ca : null };
    const settings = {
      ASSIZE_TLS_CERT: files.cert,
      ASSIZE_TLS_KEY: files.key,
      ...(mutual && { ASSIZE_TLS_CLIENT_CA: files.ca }),
    };
    const doctor = () => lookAtPort('127.0.0.1', Number(url.port), tls);
    t.equal(await health(url, settings), 0);
    t.match(await doctor(), {
      status: 'ok',
      message: mutual ? /lets in only clients with a certificate$/ : /is ready$/,
    });
    t.equal(await health(url, {}), 1, 'one that speaks plain HTTP is not there');
    await app.http.close();
    t.equal(await health(url, settings), 1, 'stopped');
    t.match(await doctor(), { status: 'ok', message: /is free$/ });
    const plain = await startApp(t);
    const other = new URL(await plain.http.listen({ port: 0, host: '127.0.0.1' }));
    t.match(await lookAtPort('127.0.0.1', Number(other.port), tls), {
      status: 'fail',
      message: /another program/,
    });
    t.equal(await health(other, settings), 1);
  }
});

t.test('commands and hooks show a client certificate, and say what is wrong with its files', async (t) => {
  const { url, authority } = await serve(t, { mutual: true });
  const { cert, key } = authority.sign('operator');
  const server = ['--url', url.origin, '--key', adminKey];
  const list = (...given: string[]) => run(['integrations', 'list', ...server, ...given]);
  const ca = ['--server-ca', authority.file];
  t.match(await list(...ca, '--client-cert', cert, '--client-key', key), { code: 0 });
  t.match(await list(...ca), {
    code: 3,
    err: /^assize: no response from https:\/\/\S+: .*certificate required\n$/,
  });
  t.match(
    await list('--client-cert', cert, '--client-key', key),
    { code: 3, err: /^assize: no response from https:\/\/\S+: .*certificate/ },
    'another authority',
  );
  t.match(await list(...ca, '--client-cert', cert), {
    code: 2,
    err: /ASSIZE_CLIENT_CERT needs ASSIZE_CLIENT_KEY/,
  });
  t.match(await list('--server-ca', 'missing'), {
    code: 2,
    err: /ASSIZE_SERVER_CA: cannot read missing: ENOENT/,
  });

  const lines = [
    `ASSIZE_URL=${url.origin}`,
    'ASSIZE_KEY=asz_live_unknown',
    `ASSIZE_SERVER_CA=${authority.file}`,
  ];
  const hook = async (...more: string[]) => {
    const stateFolder = temporaryFolder(t);
    const config = join(stateFolder, 'hook.env');
    writeFileSync(config, [...lines, ...more].join('\n'));
    const options = { ...defaultFlags, ...serverOf({ config }), waitMs: 1_000, stateFolder };
    return JSON.stringify(await runHook(payload('pre-tool-use-bash'), options));
  };
  t.match(await hook(), /no response from/);
  t.match(
    await hook(`ASSIZE_CLIENT_CERT=${cert}`, `ASSIZE_CLIENT_KEY=${key}`),
    /responds: /,
    'it asks, and its key is refused',
  );
});

t.test('the doctor reads the certificate: whether it can be used, and how long', async (t) => {
  const folder = temporaryFolder(t);
  const pair = createAuthority(folder, 'authority').sign('server');
  const files = { ...pair, clientCa: null };
  const day = 86_400_000;
  t.strictSame(await lookAtCertificate(null, 0), []);
  t.match(await lookAtCertificate(files, Date.now() - 20 * day), [{ status: 'ok', message: /valid until/ }]);
  t.match(await lookAtCertificate(files, Date.now()), [{ status: 'warn', message: /ends at/ }]);
  t.match(await lookAtCertificate(files, Date.now() + 3 * day), [{ status: 'fail', message: /ended at/ }]);
  t.match(await lookAtCertificate({ ...files, key: 'missing' }, 0), [
    { status: 'fail', message: /^ASSIZE_TLS_KEY: cannot be read/ },
  ]);
});

type Client = { ca: Buffer; cert: Buffer; key: Buffer };
const target = (url: URL) => ({ host: '127.0.0.1', port: Number(url.port) });
const healthRequest = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

function sessionOf(url: URL, client: Client): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...target(url), ...client }, () => socket.write(healthRequest));
    let session: Buffer | undefined;
    socket.on('session', (given) => {
      session = given;
    });
    socket.on('error', reject).resume();
    socket.on('close', () => (session ? resolve(session) : reject(new Error('no session'))));
  });
}

function resumes(url: URL, client: Client & { session: Buffer }): Promise<'let in' | 'refused'> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ ...target(url), ...client }, () => socket.write(healthRequest));
    socket.on('data', (data) => {
      text += data;
    });
    socket.on('error', () => resolve('refused'));
    socket.on('close', () => resolve(text.startsWith('HTTP/1.1 200') ? 'let in' : 'refused'));
  });
}

t.test('files that cannot be used stop the start, each with its setting', async (t) => {
  const folder = temporaryFolder(t);
  const authority = createAuthority(folder, 'authority');
  const server = authority.sign('server');
  const other = authority.sign('other');
  const missing = join(folder, 'missing.pem');
  const empty = join(folder, 'empty.pem');
  writeFileSync(empty, '');
  for (const [files, message] of [
    [
      { ...server, cert: missing, clientCa: null },
      /^ASSIZE_TLS_CERT: cannot be read: ENOENT: .*missing\.pem'$/,
    ],
    [
      { ...server, key: missing, clientCa: null },
      /^ASSIZE_TLS_KEY: cannot be read: ENOENT: .*missing\.pem'$/,
    ],
    [{ ...server, clientCa: missing }, /^ASSIZE_TLS_CLIENT_CA: cannot be read: ENOENT: .*missing\.pem'$/],
    [{ ...server, clientCa: empty }, /^ASSIZE_TLS_CLIENT_CA: cannot be used: /],
    [
      { ...server, key: other.key, clientCa: null },
      /^ASSIZE_TLS_CERT and ASSIZE_TLS_KEY: cannot be used: .*mismatch/,
    ],
    [{ ...server, cert: empty, clientCa: null }, /^ASSIZE_TLS_CERT: cannot be used: /],
    [{ ...server, key: empty, clientCa: null }, /^ASSIZE_TLS_KEY: cannot be used: /],
  ] as const) {
    await t.rejects(readTlsFiles(files), { message });
  }
  await t.rejects(startApp(t, { ASSIZE_TLS_CERT: server.cert, ASSIZE_TLS_KEY: other.key }), /cannot be used/);
});
