import { spawn } from 'node:child_process';
import { packageFile } from './service.mjs';

/** The public server everything, over HTTP. */
export async function startEverything(t) {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const child = spawn(
    process.execPath,
    [packageFile('@modelcontextprotocol/server-everything/dist/index.js'), 'streamableHttp'],
    { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  t.after(() => child.kill());
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}/mcp`).then(
      () => true,
      () => false,
    );
    if (isUp) return `http://127.0.0.1:${port}/mcp`;
    await new Promise((done) => setTimeout(done, 100));
  }
}
