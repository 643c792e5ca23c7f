import { spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

// Starts the bundle once, in an empty folder, and has it evaluate: what V8 compiled is kept for the next starts.
const dist = resolve(process.argv[2] ?? 'dist');
const compiled = join(dist, 'serve/compiled');
rmSync(compiled, { recursive: true, force: true });
const longestMs = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'assize-compile-'));
const port = randomInt(20_000, 32_000);
const adminKey = `asz_admin_${randomBytes(32).toString('base64url')}`;
const env = { PATH: process.env.PATH, HOME: folder, ASSIZE_PORT: String(port), ASSIZE_ADMIN_KEY: adminKey };
const child = spawn(process.execPath, [join(dist, 'main.js'), 'serve'], {
  cwd: folder,
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = once(child, 'exit');
const giveUpAt = performance.now() + longestMs;
const keptFiles = () => (existsSync(compiled) ? readdirSync(compiled).length : 0);
const waitForMore = async (than) => {
  while (keptFiles() <= than && child.exitCode === null && performance.now() < giveUpAt) await wait(50);
};

async function call(method, path, body, key = adminKey) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data;
}

await waitForMore(0);
const ofStart = keptFiles();
const { id, apiKey } = await call('POST', '/v1/integrations', { name: 'x', kind: 'AGENT' });
for (const policy of await call('GET', '/v1/policies'))
  await call('PUT', `/v1/integrations/${id}/policies/${policy.id}`);
for (let count = 0; count < 3; count++)
  await call(
    'POST',
    '/v1/evaluate',
    { input: { tool: 'crm.lookup', result: 'Ada, ada@example.com' } },
    apiKey,
  );
await waitForMore(ofStart);
// It stops after it has written all of them.
child.kill();
const [code] = await ended;
rmSync(folder, { recursive: true, force: true });
if (code !== 0 || !existsSync(compiled)) throw new Error('the bundle did not start');
if (keptFiles() === ofStart) throw new Error('what evaluates was not kept');
// Others than who builds it may run it.
chmodSync(compiled, 0o755);
for (const name of readdirSync(compiled)) chmodSync(join(compiled, name), 0o644);
