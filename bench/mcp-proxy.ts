import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { startServer } from './load/server.ts';
import { isShort, missBar } from './measure.ts';

// What `assize mcp wrap` adds to a call of a tool, beside the server without it: npm run bench -- mcp-proxy. Calls come at a steady rate. With the
// proxy each is two evaluations over HTTP, both on disk before the call goes on. Fails when the median is later by more than the limit. Where the
// packages of test/interop are installed, mcp-remote runs beside it: a proxy to a server over HTTP that decides nothing.
const perSecond = 100;
// The starter policies take a thousand calls of a tool in an hour for a loop.
const [calls, rounds] = isShort ? [20, 1] : [180, 5];
const mostAddedMs = 6;

const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const remote = 'test/interop/node_modules/mcp-remote/dist/proxy.js';
const fixture = [process.execPath, 'test/fixtures/mcp-server.mjs', join(folder, 'done')];

/** A client of the program on its standard input and output. */
function openClient(
  [program = '', ...args]: readonly string[],
  { env = {}, stderr = 'inherit' }: { env?: Record<string, string>; stderr?: 'inherit' | 'ignore' } = {},
) {
  const child: ChildProcess = spawn(program, args, {
    stdio: ['pipe', 'pipe', stderr],
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
  });
  const waiting = new Map<number, (text: string) => void>();
  if (child.stdout === null) throw new Error('no pipe');
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id: number };
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  let last = 0;
  return {
    call(): Promise<string> {
      const id = ++last;
      const params = { name: 'send', arguments: { text: `call ${id}` } };
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    end: () => child.stdin?.end(),
  };
}

/** Milliseconds that each call takes when they come at the rate. */
async function run(client: ReturnType<typeof openClient>): Promise<number[]> {
  const taken: number[] = [];
  const from = performance.now();
  let failed: string | undefined;
  const open: Promise<void>[] = [];
  for (let call = 0; call < calls; call++) {
    await setTimeout(Math.max(0, from + (call * 1_000) / perSecond - performance.now()));
    const begun = performance.now();
    open.push(
      client.call().then((text) => {
        if (text.includes('"sent call')) taken.push(performance.now() - begun);
        else failed ??= text;
      }),
    );
  }
  await Promise.all(open);
  if (failed !== undefined) throw new Error(failed);
  return taken.sort((a, b) => a - b);
}

const at = (sorted: number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
const told = (ms: number): string => ms.toFixed(2).padStart(7);

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
});
const upstream = existsSync(remote) ? await startServer('test/fixtures/mcp-http-server.mjs') : null;
try {
  const env = { ASSIZE_URL: server.url, ASSIZE_KEY: await server.demoKey() };
  const wrapped = [process.execPath, 'dist/main.js', 'mcp', 'wrap', '--name', 'fixture', '--', ...fixture];
  const clients = {
    direct: openClient(fixture),
    proxied: openClient(wrapped, { env }),
    ...(upstream && {
      'mcp-remote': openClient(
        [process.execPath, remote, `${upstream.url}/mcp`, '--transport', 'http-only'],
        {
          stderr: 'ignore',
        },
      ),
    }),
  };
  for (const client of Object.values(clients)) await client.call();
  const medians: Record<string, number[]> = { direct: [], proxied: [], 'mcp-remote': [] };
  console.log('             median     p99 ms');
  for (let round = 0; round < rounds; round++)
    for (const [name, client] of Object.entries(clients)) {
      const taken = await run(client);
      medians[name]?.push(at(taken, 0.5));
      console.log(`${name.padEnd(10)} ${told(at(taken, 0.5))}  ${told(at(taken, 0.99))}`);
    }
  const best = (name: string): number => Math.min(...(medians[name] ?? []));
  if (upstream)
    console.log(
      `mcp-remote adds ${(best('mcp-remote') - best('direct')).toFixed(2)} ms, and decides nothing`,
    );
  const added = best('proxied') - best('direct');
  const good = added <= mostAddedMs;
  console.log(`${good ? 'ok  ' : 'FAIL'} the proxy adds ${added.toFixed(2)} ms (most ${mostAddedMs})`);
  if (!good) missBar();
  for (const client of Object.values(clients)) client.end();
} finally {
  await Promise.all([server.stop(), upstream?.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
