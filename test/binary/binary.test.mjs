// The single binary as people run it: somebody else than its builder, in an empty folder, with a /tmp that cannot be
// written. Run: npm run test:slow -- binary, after npm run build:binary.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';

const built = resolve(import.meta.dirname, '../../build/assize');
const isRoot = process.geteuid() === 0;
const nobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const adminKey = `asz_admin_${randomBytes(32).toString('base64url')}`;
/** In no folder of the builder: nobody could not read it there. /var/tmp stays writable, for the test itself. */
const work = mkdtempSync('/var/tmp/assize-binary-');
const binary = join(work, 'assize');

before(() => {
  chmodSync(work, 0o755);
  copyFileSync(built, binary);
});
after(() => rmSync(work, { recursive: true, force: true }));

function emptyFolder() {
  const folder = mkdtempSync(join(work, 'run-'));
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  return folder;
}

/** With a mount namespace of its own, where this user may have one; else a TMPDIR that nobody may write has to do. */
const readOnlyTmp = [
  'unshare',
  '--mount',
  'sh',
  '-c',
  'mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"',
  'sh',
];
const mayMount = isRoot && spawnSync(readOnlyTmp[0], [...readOnlyTmp.slice(1), 'true']).status === 0;

function run(args, { cwd, env = {} }) {
  const clean = { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/nonexistent', ...env };
  const [program, ...rest] = mayMount ? [...readOnlyTmp, binary, ...args] : [binary, ...args];
  return spawn(program, rest, { cwd, env: clean, ...(mayMount ? {} : nobody) });
}

async function ended(child) {
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, err })));
}

/** Resolves once its output has the text, and goes on reading it. */
const prints = (child, text) =>
  new Promise((resolve) => {
    let out = '';
    child.stdout.on('data', (data) => {
      out += data;
      if (out.includes(text)) resolve();
    });
  });

async function serve(t, { cwd = emptyFolder(), env = {} } = {}) {
  const port = randomInt(20_000, 32_000);
  const child = run(['serve'], {
    cwd,
    env: { ASSIZE_PORT: String(port), ASSIZE_ADMIN_KEY: adminKey, ...env },
  });
  const end = ended(child);
  t.after(async () => {
    child.kill('SIGKILL');
    await end;
  });
  const url = `http://127.0.0.1:${port}`;
  // An empty database is ready before its demo is made; one that is known prints nothing but this.
  const ready = existsSync(join(cwd, 'data')) ? 'listening at' : 'first-keys.txt';
  await Promise.race([prints(child, ready), end.then(({ err }) => assert.fail(`ended: ${err}`))]);
  const call = async (method, path, body, key = adminKey) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    return response.json();
  };
  return { child, cwd, end, url, call };
}

test('serves in an empty folder, not as root, with everything inside; stops with 0', async (t) => {
  const { child, cwd, end, url, call } = await serve(t);
  if (isRoot)
    assert.match(readFileSync(`/proc/${child.pid}/status`, 'utf8'), /^Uid:\t65534\t65534\t65534\t65534$/m);
  assert.deepEqual(readdirSync(cwd), ['data'], 'it writes nothing but beside its database');
  assert.equal(
    (await call('GET', '/v1/policies')).data.length,
    readdirSync('policies').filter((name) => name.endsWith('.yaml')).length,
    'the starter policies',
  );
  for (const [path, least] of [
    ['/docs/', 6],
    ['/console/', 3],
  ]) {
    const page = await (await fetch(url + path)).text();
    const parts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part]) => new URL(part, url + path));
    assert.ok(parts.length >= least, page);
    for (const part of parts) {
      assert.equal(part.origin, url, 'nothing of another host');
      assert.equal((await fetch(part)).status, 200, part.href);
    }
  }
  assert.equal((await call('GET', '/openapi.json')).openapi, '3.1.0');
  child.kill('SIGTERM');
  const { code, err } = await end;
  assert.equal(code, 0, err);
  assert.equal(err, '');
});

test('finds its data again, and the files it unpacked, unchanged', async (t) => {
  const first = await serve(t);
  const { data: created } = await first.call('POST', '/v1/integrations', { name: 'kept', kind: 'AGENT' });
  first.child.kill('SIGTERM');
  await first.end;
  const folder = join(first.cwd, 'data/.assize');
  const [digest, ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  assert.equal(statSync(join(folder, digest)).mode & 0o777, 0o700);
  const { ino } = statSync(join(folder, digest, 'better-sqlite3.node'));
  const second = await serve(t, { cwd: first.cwd });
  assert.equal((await second.call('GET', `/v1/integrations/${created.id}`)).data.name, 'kept');
  assert.equal(statSync(join(folder, digest, 'better-sqlite3.node')).ino, ino);
});

test('under load the log is copied into the database by its own thread', async (t) => {
  const { child, cwd, call } = await serve(t, { env: { ASSIZE_RATE_LIMIT_INTEGRATION: '0' } });
  const { data: integration } = await call('POST', '/v1/integrations', { name: 'x', kind: 'AGENT' });
  const database = join(cwd, 'data/assize.db');
  const before = statSync(database).size;
  // Some 40 MB: a log is copied at 16.
  const input = { text: 'word '.repeat(8_000) };
  for (let i = 0; i < 20; i += 1) {
    await Promise.all(
      Array.from({ length: 50 }, () => call('POST', '/v1/evaluate', { input }, integration.apiKey)),
    );
  }
  const threads = () =>
    readdirSync(`/proc/${child.pid}/task`).map((id) =>
      readFileSync(`/proc/${child.pid}/task/${id}/comm`, 'utf8').trim(),
    );
  for (let waited = 0; statSync(database).size === before; waited += 20) {
    assert.ok(waited < 10_000, `the database did not grow; threads: ${threads().join(', ')}`);
    await wait(20);
  }
  assert.ok(threads().includes('checkpointer'), threads().join(', '));
});

test('a large input is scanned by a thread of its own', async (t) => {
  const { child, call } = await serve(t, {});
  const { data: integration } = await call('POST', '/v1/integrations', { name: 'x', kind: 'AGENT' });
  const input = { text: 'word '.repeat(20_000), to: 'ada@example.com' };
  const { data } = await call('POST', '/v1/evaluate', { input }, integration.apiKey);
  assert.ok(data.dataTags.includes('EMAIL_ADDRESS'), data.dataTags.join(', '));
  const threads = readdirSync(`/proc/${child.pid}/task`).map((id) =>
    readFileSync(`/proc/${child.pid}/task/${id}/comm`, 'utf8').trim(),
  );
  assert.ok(threads.includes('scan-thread'), threads.join(', '));
  assert.ok(threads.includes('watchdog-thread'), threads.join(', '));
});

test('unpacks where it is told to', async (t) => {
  const folder = emptyFolder();
  const { cwd } = await serve(t, { env: { ASSIZE_UNPACK_FOLDER: join(folder, 'x') } });
  assert.equal(readdirSync(join(folder, 'x')).length, 1);
  assert.ok(!existsSync(join(cwd, 'data/.assize')));
});

test('refuses to load an addon that somebody else could have put there', async (t) => {
  const cwd = emptyFolder();
  const open = join(cwd, 'open');
  mkdirSync(open);
  chmodSync(open, 0o777);
  const child = run(['serve'], { cwd, env: { ASSIZE_UNPACK_FOLDER: open } });
  t.after(() => child.kill('SIGKILL'));
  const { code, err } = await ended(child);
  assert.equal(code, 1);
  assert.match(err, /open can be written by other users; name a folder .* in ASSIZE_UNPACK_FOLDER/);
  assert.equal(existsSync(join(cwd, 'data')), false);
});

test('a planted addon is not run: it is replaced by the binary’s own', async (t) => {
  const first = await serve(t);
  first.child.kill('SIGTERM');
  await first.end;
  const folder = join(first.cwd, 'data/.assize');
  const addon = join(folder, readdirSync(folder)[0], 'better-sqlite3.node');
  const own = readFileSync(addon);
  writeFileSync(addon, 'another code');
  await serve(t, { cwd: first.cwd });
  assert.deepEqual(readFileSync(addon), own);
});

test('small commands need no file on disk and little time of the processor', async () => {
  const cwd = emptyFolder();
  const own = [];
  const node = [];
  // The machine's speed affects both, and other load only adds to a count: the least of many counts is compared.
  const isLittle = () => Math.min(...own) <= 2.2 * Math.min(...node);
  for (let i = 0; i < 5 || (i < 30 && !isLittle()); i += 1) {
    own.push(cpuMs([binary, '--version'], cwd));
    node.push(cpuMs([process.execPath, '--eval', '0'], cwd));
  }
  assert.deepEqual(readdirSync(cwd), []);
  assert.ok(isLittle(), `${Math.min(...own)} ms, an empty program ${Math.min(...node)} ms`);
});

/** What a run takes of the processor, for its user and in the system, in milliseconds. */
function cpuMs([program, ...args], cwd) {
  const timed = 'TIMEFORMAT="%3U %3S"; { time "$0" "$@" >/dev/null; } 2>&1';
  const [user, system] = execFileSync('bash', ['-c', timed, program, ...args], {
    cwd,
    encoding: 'utf8',
  }).split(' ');
  return (Number(user) + Number(system)) * 1_000;
}
