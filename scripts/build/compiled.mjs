import '../develop/require-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

// Starts the bundle once, in an empty folder: a first start keeps what V8 compiled, for the next ones.
const dist = resolve(process.argv[2] ?? 'dist');
const compiled = join(dist, 'serve/compiled');
const longestMs = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'assize-compile-'));
const env = { PATH: process.env.PATH, HOME: folder, ASSIZE_PORT: '0' };
const child = spawn(process.execPath, [join(dist, 'main.js'), 'serve'], {
  cwd: folder,
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
const ended = once(child, 'exit');
const giveUpAt = performance.now() + longestMs;
while (!existsSync(compiled) && child.exitCode === null && performance.now() < giveUpAt) await wait(50);
// It stops after it has written all of them.
child.kill();
const [code] = await ended;
rmSync(folder, { recursive: true, force: true });
if (code !== 0 || !existsSync(compiled)) throw new Error('the bundle did not start');
// Others than who builds it may run it.
chmodSync(compiled, 0o755);
for (const name of readdirSync(compiled)) chmodSync(join(compiled, name), 0o644);
