import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { adminKey, temporaryFolder } from './helpers/app.ts';
import { program, root, serveProcess } from './helpers/process.ts';

const databaseIn = (folder: string) => ({ ASSIZE_DATABASE: join(folder, 'data', 'assize.db') });
const keysShown =
  /operator key +(asz_admin_[A-Za-z0-9_-]{43})\n +demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/;

const demoKeyShown = /demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/;

async function ask(url: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** The session that the first start offers to paste, run as it is printed. */
function paste(output: string) {
  const from = output.indexOf('SESSION=');
  const script = output.slice(from, output.indexOf('\n\n', from));
  const { stdout, status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], { encoding: 'utf8' });
  return {
    status,
    responses: stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  };
}

t.test(
  'the first start writes both keys into a file, once, and lines that run through all four answers',
  async (t) => {
    const env = databaseIn(temporaryFolder(t));
    const first = serveProcess(t, env);
    const url = await first.url();
    const shown = await first.firstKeys();
    const [, operatorKey = '', demoKey = ''] = keysShown.exec(shown) ?? [];
    t.equal(shown.split(operatorKey).length, 2, 'the operator key stands there once');
    t.notMatch(first.stdout(), /asz_|curl/, 'nothing of it is in the log');
    t.notMatch(first.stdout(), /is allowed/, 'no warning of the moment before the demo has its policies');
    const file = `${env.ASSIZE_DATABASE}-first-keys.txt`;
    t.equal(statSync(file).mode & 0o777, 0o600);
    rmSync(file);
    const { status, responses } = paste(shown);
    t.equal(status, 0);
    t.strictSame(
      responses.map(({ data }) => data.enforcementAction),
      [
        ...['ALLOW', 'WARN', 'APPROVAL_REQUIRED', 'BLOCK'],
        ...['ALLOW', 'ALLOW', 'ALLOW', 'ALLOW', 'APPROVAL_REQUIRED', 'WARN'],
      ],
    );
    t.strictSame(responses[6].data.labels, ['UNTRUSTED']);
    t.equal(responses[8].data.violations[0].ruleId, 'unknown-destination');
    t.equal(responses[9].data.violations[0].ruleId, 'deletions');
    const sessionId = responses[0].data.sessionId;
    t.equal(new Set(responses.map(({ data }) => data.sessionId)).size, 1, 'in one session');
    t.equal((await fetch(`${url}/docs`)).status, 200, 'the API page that is named is there');
    t.strictSame(await first.stop(), { code: 0, signal: null });
    t.equal(first.stderr(), '');

    const second = serveProcess(t, env);
    const again = await second.url();
    const kept = await ask(again, demoKey, 'GET', `/v1/evaluation-sessions/${sessionId}`);
    t.match(kept.body.data, { actionCount: 11, warningCount: 2, reviewCount: 2, blockCount: 1 });
    const integrations = await ask(again, operatorKey, 'GET', '/v1/integrations');
    t.equal(integrations.body.pagination.total, 1, 'no second demo');
    await second.stop();
    t.notMatch(second.stdout(), /asz_|first-keys/);
    t.notOk(existsSync(file));
  },
);

t.test('a key that the operator brings is used and not printed', async (t) => {
  const env = { ...databaseIn(temporaryFolder(t)), ASSIZE_ADMIN_KEY: adminKey };
  const served = serveProcess(t, env);
  const url = await served.url();
  const shown = await served.firstKeys();
  t.match(shown, /demo agent key +asz_live_/);
  t.equal((await ask(url, adminKey, 'GET', '/v1/policies')).status, 200);
  t.notMatch(shown + served.stdout(), /asz_admin_|operator key/);
});

t.test('ASSIZE_DEMO=false leaves the demo out', async (t) => {
  const served = serveProcess(t, { ...databaseIn(temporaryFolder(t)), ASSIZE_DEMO: 'false' });
  const url = await served.url();
  const shown = await served.firstKeys();
  const [, key = ''] = /operator key +(asz_admin_[A-Za-z0-9_-]{43})\n/.exec(shown) ?? [];
  t.equal((await ask(url, key, 'GET', '/v1/integrations')).body.pagination.total, 0);
  t.equal((await ask(url, key, 'GET', '/v1/policies')).body.pagination.total, 0);
  t.notMatch(shown, /asz_live_|curl/);
});

t.test('wrong settings are told in one line each, and nothing is made', async (t) => {
  const folder = temporaryFolder(t);
  const served = serveProcess(t, {
    ...databaseIn(folder),
    ASSIZE_PORT: 'many',
    ASSIZE_LOG_LEVEL: 'loud',
    ASSIZE_ADMIN_KEY: 'asz_admin_short',
    ASSIZE_PROT: '1',
  });
  t.strictSame(await served.exited, { code: 1, signal: null });
  const lines = served.stderr().trimEnd().split('\n');
  t.strictSame(lines.map((line) => /^assize: (ASSIZE_[A-Z_]+): /.exec(line)?.[1]).sort(), [
    'ASSIZE_ADMIN_KEY',
    'ASSIZE_LOG_LEVEL',
    'ASSIZE_PORT',
    'ASSIZE_PROT',
  ]);
  t.notMatch(served.stderr(), /asz_admin_short/, 'a wrong key may be nearly the right one');
  t.equal(served.stdout(), '');
  t.strictSame(readdirSync(folder), []);
});

const taken = async (t: Test): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return (server.address() as { port: number }).port;
};

t.test('a port that is taken is told in one sentence, and no key is made that nobody saw', async (t) => {
  const env = databaseIn(temporaryFolder(t));
  const port = await taken(t);
  const refused = serveProcess(t, { ...env, ASSIZE_PORT: String(port) });
  t.strictSame(await refused.exited, { code: 1, signal: null });
  t.match(
    refused.stderr(),
    new RegExp(`^assize: [^\\n]*address already in use[^\\n]*${port}: [^\\n]*ASSIZE_PORT[^\\n]*\\n$`),
  );
  t.notMatch(refused.stdout(), /asz_/);
  const elsewhere = serveProcess(t, { ...env, ASSIZE_HOST: '192.0.2.1' });
  t.strictSame(await elsewhere.exited, { code: 1, signal: null });
  t.match(elsewhere.stderr(), /^assize: [^\n]*192\.0\.2\.1[^\n]*ASSIZE_HOST[^\n]*\n$/);
  const next = serveProcess(t, env);
  t.match(await next.firstKeys(), keysShown);
});

t.test('a database that cannot be used is told in one sentence', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'words.db'), 'just words, and enough of them to be looked at '.repeat(50));
  for (const [file, words] of [
    ['words.db', /file is not a database/],
    ['words.db/assize.db', /cannot open the database/],
  ] as const) {
    const served = serveProcess(t, { ASSIZE_DATABASE: join(folder, file) });
    t.strictSame(await served.exited, { code: 1, signal: null }, file);
    t.match(served.stderr(), words);
    t.match(served.stderr(), join(folder, file), 'and names the file');
    t.equal(served.stderr().trimEnd().split('\n').length, 1);
  }
});

/** The service as it is shipped, somewhere else. */
function install(t: Test): string {
  const folder = temporaryFolder(t);
  for (const name of ['dist', 'migrations', 'package.json']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

t.test('a demo that cannot be made stops the first start before a key is made', async (t) => {
  const folder = install(t);
  const env = databaseIn(folder);
  const at = { args: [join(folder, 'dist/main.js')], cwd: folder };
  const missing = serveProcess(t, env, at);
  t.strictSame(await missing.exited, { code: 1, signal: null });
  t.match(missing.stderr(), /^assize: [^\n]*policies[^\n]*\n$/);
  cpSync(join(root, 'policies'), join(folder, 'policies'), { recursive: true });
  writeFileSync(join(folder, 'policies', 'zz-broken.yaml'), 'schemaVersion: 1\nname: broken\nrules: 7\n');
  const broken = serveProcess(t, env, at);
  t.strictSame(await broken.exited, { code: 1, signal: null });
  t.match(broken.stderr(), /^assize: [^\n]+\n$/);
  for (const { stdout } of [missing, broken]) t.notMatch(stdout(), /asz_/);
  writeFileSync(
    join(folder, 'policies', 'zz-broken.yaml'),
    'schemaVersion: 1\nname: mended\nrules: [{ id: r, when: tool == "x", effect: WARN }]\n',
  );
  const good = serveProcess(t, env, at);
  t.match(await good.firstKeys(), keysShown);
});

t.test('a stop finishes the requests that were accepted, and exits with 0', async (t) => {
  const served = serveProcess(t, { ...databaseIn(temporaryFolder(t)), ASSIZE_ADMIN_KEY: adminKey });
  const url = await served.url();
  const [, key = ''] = demoKeyShown.exec(await served.firstKeys()) ?? [];
  const held = { tool: 'email.send', text: 'to ada@example.com' };
  const first = (await ask(url, key, 'POST', '/v1/evaluate', { input: held })).body.data;
  const request = { sessionId: first.sessionId, input: { tool: 'email.send' } };
  const { pollUrl } = (await ask(url, key, 'POST', '/v1/evaluate', request)).body.data;
  const poll = ask(url, key, 'GET', `${pollUrl}?wait=30`);

  const body = JSON.stringify({ input: { tool: 'x' } });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const [head, rest] = [body.slice(0, 5), body.slice(5)];
  let response = '';
  socket.setEncoding('utf8').on('data', (text) => {
    response += text;
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const accepted = new Promise((resolve) => socket.once('data', resolve));
  socket.write(
    `POST /v1/evaluate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  );
  await accepted;
  socket.write(head);
  served.child.kill('SIGTERM');
  t.match((await poll).body, { statusCode: 200, data: { status: 'PENDING' } }, 'the long poll is let go');
  await t.rejects(fetch(url), 'nothing new is accepted');
  socket.write(rest);
  await closed;
  t.match(response, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  t.match(response, /"enforcementAction":"ALLOW"/);
  t.strictSame(await served.exited, { code: 0, signal: null });
  t.equal(served.stderr(), '');
});

t.test('a stop waits for no connection that nothing was asked on', async (t) => {
  const served = serveProcess(t, databaseIn(temporaryFolder(t)));
  const url = await served.url();
  await served.firstKeys();
  const silent = connect(Number(new URL(url).port), '127.0.0.1');
  const closed = new Promise((resolve) => silent.once('close', resolve));
  await new Promise((resolve) => silent.once('connect', resolve));
  await fetch(`${url}/health`);
  const started = performance.now();
  t.strictSame(await served.stop(), { code: 0, signal: null });
  await closed;
  t.ok(performance.now() - started < 5_000, `${Math.round(performance.now() - started)} ms`);
});

t.test(
  'a Ctrl-C that npm passes on is not a second one; one that comes later is, and ends it at once',
  async (t) => {
    for (const [laterMs, code] of [
      [100, 0],
      [700, 1],
    ] as const) {
      const served = serveProcess(t, { ASSIZE_DATABASE: join(temporaryFolder(t), 'assize.db') });
      const url = new URL(await served.url());
      await served.firstKeys();
      // A request that never ends keeps the service from stopping.
      const socket = connect(Number(url.port), url.hostname);
      socket.on('error', () => undefined);
      t.teardown(() => socket.destroy());
      await once(socket, 'connect');
      socket.write('POST /v1/evaluate HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
      await pause(300);
      served.child.kill('SIGINT');
      await pause(laterMs);
      served.child.kill('SIGINT');
      await pause(100);
      socket.destroy();
      t.strictSame(await served.exited, { code, signal: null });
      t.equal(served.stdout().includes('second SIGINT'), code === 1);
    }
  },
);

t.test('kill -9 loses nothing that was answered', async (t) => {
  const env = { ...databaseIn(temporaryFolder(t)), ASSIZE_ADMIN_KEY: adminKey };
  const served = serveProcess(t, env);
  const url = await served.url();
  const [, key = ''] = demoKeyShown.exec(await served.firstKeys()) ?? [];
  const sessionId = (await ask(url, key, 'POST', '/v1/evaluation-sessions')).body.data.id;
  const answered: string[] = [];
  const worker = async () => {
    for (;;) {
      const { body } = await ask(url, key, 'POST', '/v1/evaluate', { sessionId, input: { tool: 'x' } });
      answered.push(body.data.evaluationRunId);
      if (answered.length === 150) served.child.kill('SIGKILL');
    }
  };
  await Promise.allSettled(Array.from({ length: 8 }, worker));
  t.match(await served.exited, { signal: 'SIGKILL' });
  t.ok(answered.length >= 150);

  const again = await serveProcess(t, env).url();
  const kept = new Set<string>();
  for (let page = 1; ; page++) {
    const path = `/v1/evaluation-sessions/${sessionId}/evaluations?size=200&page=${page}`;
    const { body } = await ask(again, key, 'GET', path);
    for (const { evaluationRunId } of body.data) kept.add(evaluationRunId);
    if (page * 200 >= body.pagination.total) break;
  }
  t.strictSame(
    answered.filter((id) => !kept.has(id)),
    [],
  );
  const { body } = await ask(again, key, 'GET', `/v1/evaluation-sessions/${sessionId}`);
  t.equal(body.data.actionCount, kept.size, 'the counters and the record agree');
});

t.test('two processes that start on the same empty file at once both serve it, with one key', async (t) => {
  const env = databaseIn(temporaryFolder(t));
  const both = [serveProcess(t, env), serveProcess(t, env)];
  const urls = await Promise.all(both.map((served) => served.url()));
  const shown = await Promise.any(both.map((served) => served.firstKeys()));
  const [, operatorKey = ''] = keysShown.exec(shown) ?? [];
  t.equal(both.filter((served) => served.stdout().includes('first-keys.txt')).length, 1);
  const made = await ask(urls[0] ?? '', operatorKey, 'POST', '/v1/integrations', {
    name: 'x',
    kind: 'AGENT',
  });
  const { id, apiKey } = made.body.data;
  const works = async (url = '') => (await ask(url, apiKey, 'POST', '/v1/evaluate', { input: {} })).status;
  t.equal(await works(urls[0]), 200);
  t.equal(await works(urls[1]), 200, 'a key made by one works at the other');
  await ask(urls[1] ?? '', operatorKey, 'POST', `/v1/integrations/${id}/regenerate-key`);
  t.equal(await works(urls[0]), 401, 'a key revoked by one is dead at the other');
});

const older = spawnSync('/usr/bin/node', ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout ?? '';
const olderMajor = Number.parseInt(older, 10);

t.test(`the README's command runs on the system's Node ${older.trim()}`, async (t) => {
  const ran = spawnSync(
    'npm',
    ['run', '-s', 'assize', '--', 'policies', 'check', 'policies/runaway-agents.yaml'],
    {
      cwd: root,
      env: { PATH: `/usr/bin:/bin:${process.env.PATH}` },
      encoding: 'utf8',
    },
  );
  t.equal(ran.status, 0, ran.stderr);
  t.match(ran.stdout, /runaway-agents/);
});

t.test('a Node that is too old is told what to run, and is never crashed', async (t) => {
  const folder = temporaryFolder(t);
  const preload = (version: string) => {
    const file = join(folder, `as-${version}.mjs`);
    const versions = `{ ...process.versions, node: '${version}' }`;
    writeFileSync(file, `Object.defineProperty(process, 'versions', { value: ${versions} });\n`);
    return ['--import', file];
  };
  const told = (version: string) =>
    `assize needs Node 22.18 or newer, and this is Node ${version}\nin a checkout, npm start and npm run build install a newer one\n`;
  for (const version of ['18.20.8', '20.20.2', '22.17.1']) {
    const served = serveProcess(t, databaseIn(folder), { args: [...preload(version), program] });
    t.strictSame(await served.exited, { code: 1, signal: null }, version);
    t.equal(served.stderr(), told(version));
  }
  if (olderMajor < 22) {
    const served = serveProcess(t, databaseIn(folder), { node: '/usr/bin/node', args: [program] });
    t.strictSame(await served.exited, { code: 1, signal: null }, "the system's Node");
    t.equal(served.stderr(), told(older.trim()));
  }
  t.notOk(existsSync(join(folder, 'data')));
  const served = serveProcess(t, databaseIn(folder), {
    args: [...preload('22.18.0'), program],
  });
  await served.url();
});
