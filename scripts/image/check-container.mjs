// Runs a built image the way its own settings say and checks what an operator counts on: it comes up, is not root,
// decides, stops on the stop signal, and finds its data again. Usage: check-container.mjs IMAGE DATA_FOLDER -- BUILDAH...
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chownSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const [image = '', dataFolder = '', , buildah = '', ...buildahOptions] = process.argv.slice(2);

function run(...args) {
  const { status, stdout, stderr } = spawnSync(buildah, [...buildahOptions, ...args], { encoding: 'utf8' });
  assert.equal(status, 0, `buildah ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

const settings = JSON.parse(run('inspect', '--type', 'image', image)).Docker.config;
const command = [...(settings.Entrypoint ?? []), ...(settings.Cmd ?? [])];
const [, ...healthCommand] = settings.Healthcheck.Test;
const [volume = ''] = Object.keys(settings.Volumes);
const uid = Number(settings.User.split(':')[0]);
const adminKey = `asz_admin_${randomBytes(32).toString('base64url')}`;
const port = randomInt(20_000, 32_000);
const url = `http://127.0.0.1:${port}`;

// A bind mount keeps its owner on the host; a volume that Docker makes takes over the owner of the folder in the image.
mkdirSync(dataFolder, { recursive: true });
chownSync(dataFolder, uid, uid);

const runOptions = ['run', '--isolation', 'chroot', '--volume', `${dataFolder}:${volume}`];
const variables = [`ASSIZE_PORT=${port}`, `ASSIZE_ADMIN_KEY=${adminKey}`, 'ASSIZE_DEMO=false'];
const inContainer = (container, program) => [
  ...buildahOptions,
  ...runOptions,
  ...variables.flatMap((variable) => ['--env', variable]),
  container,
  '--',
  ...program,
];
const health = (container) => spawnSync(buildah, inContainer(container, healthCommand)).status;

/** The service itself: the last of the processes that buildah has started, one below the other. */
function lastDescendant(pid) {
  const child = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && statusOf(name, 'PPid') === String(pid),
  );
  return child === undefined ? pid : lastDescendant(Number(child));
}

function statusOf(pid, field) {
  try {
    return new RegExp(`^${field}:\\s+(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined; // It ended while the list was read.
  }
}

/** In a new container each time, so that only the volume can carry data from one to the next. */
async function start() {
  const container = run('from', '--pull-never', image);
  // Over a volume that the image names, buildah lays an empty one of its own, hiding the one that is handed in.
  run('config', '--volume', `${volume}-`, container);
  const startedAt = performance.now();
  const child = spawn(buildah, inContainer(container, command), { stdio: ['ignore', 'pipe', 'pipe'] });
  // Whatever fails below, the service does not outlive this check.
  process.once('exit', () => child.exitCode ?? process.kill(lastDescendant(child.pid), 'SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  while (!(await isLive())) {
    assert.equal(child.exitCode, null, `the service ended at start:\n${output}`);
    assert.ok(performance.now() - startedAt < 60_000, `the service does not answer:\n${output}`);
    await wait(20);
  }
  const answeredMs = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1_000;
  const pid = lastDescendant(child.pid);
  // Field 22 of its status line: hundredths of a second from the start of the machine to that of the process.
  const bornMs = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21]) * 10;
  const startMs = Math.round(answeredMs - bornMs);
  return { container, pid, ended, startMs, output: () => output };
}

async function isLive() {
  const response = await fetch(`${url}/health/live`).catch(() => null);
  return response?.status === 200;
}

async function stop({ pid, ended, output }) {
  const startedAt = performance.now();
  process.kill(pid, settings.StopSignal);
  const code = await Promise.race([ended, wait(30_000, 'no end in 30 s', { ref: false })]);
  assert.equal(code, 0, `stopping ends with ${code}:\n${output()}`);
  return Math.round(performance.now() - startedAt);
}

async function call(method, path, key, body) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...(await response.json()) };
}

const evaluate = (key) => call('POST', '/v1/evaluate', key, { input: { tool: 'web.search', query: 'x' } });

const first = await start();
assert.match(
  readFileSync(`/proc/${first.pid}/cmdline`, 'utf8'),
  /\bnode\0/,
  'the service is the last process',
);
assert.deepEqual(statusOf(first.pid, 'Uid')?.split('\t').map(Number), [uid, uid, uid, uid]);
assert.notEqual(uid, 0, 'the service must not be root');
assert.equal(health(first.container), 0, 'the health check of a running service');

const created = await call('POST', '/v1/integrations', adminKey, { name: 'x', kind: 'REST_API' });
assert.equal(created.status, 201, JSON.stringify(created));
const { id, apiKey } = created.data;
const decided = await evaluate(apiKey);
assert.equal(decided.status, 200, JSON.stringify(decided));
const stopMs = await stop(first);
assert.notEqual(health(first.container), 0, 'the health check of a stopped service');

const second = await start();
const again = await evaluate(apiKey);
assert.equal(again.status, 200, JSON.stringify(again));
const kept = await call('GET', `/v1/integrations/${id}`, adminKey);
assert.equal(kept.data?.name, 'x', 'the integration of before is kept');
assert.doesNotMatch(first.output() + second.output(), /asz_(?:live|admin)_/, 'no key is printed');
await stop(second);
run('rm', first.container, second.container);

const sizes = new Map(
  JSON.parse(run('images', '--json')).flatMap(({ names, size }) => (names ?? []).map((name) => [name, size])),
);
console.log(`runs as uid ${uid}; decides ${decided.data.enforcementAction}; a new container finds its data`);
console.log(
  `first answer ${first.startMs} ms after the start of the process, again after ${second.startMs} ms`,
);
console.log(`ends ${stopMs} ms after ${settings.StopSignal}`);
for (const [name, size] of sizes) console.log(`size of ${name}: ${size}`);
