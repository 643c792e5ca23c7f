import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The median of five times from the start of the process, in a new empty folder, until /health/ready returns 200. */
export async function medianStartMs(binary) {
  const times = [];
  for (let i = 0; i < 5; i += 1) times.push(await startMs(binary));
  return times.sort((a, b) => a - b)[2];
}

async function startMs(binary) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-start-'));
  const port = randomInt(20_000, 32_000);
  const env = { ASSIZE_PORT: String(port), ASSIZE_UNPACK_FOLDER: join(folder, 'unpacked') };
  const startedAt = performance.now();
  const child = spawn(binary, ['serve'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`${binary} ended with ${child.exitCode}`);
      await wait(2);
    }
    return performance.now() - startedAt;
  } finally {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

function isReady(port) {
  return new Promise((resolve) => {
    get({ port, path: '/health/ready', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
