import { spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../helpers/free-port.ts';
import { packageFile } from './service.mjs';

/** The public server everything, over HTTP. */
export async function startEverything(t) {
  const port = await freePort();
  const child = spawn(
    process.execPath,
    [packageFile('@modelcontextprotocol/server-everything/dist/index.js'), 'streamableHttp'],
    { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  t.after(() => child.kill());
  while (child.exitCode === null) {
    const isUp = await fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    );
    if (isUp) return `http://127.0.0.1:${port}/mcp`;
    await setTimeout(100);
  }
  throw new Error(`the server ended with ${child.exitCode}`);
}
