import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startServer } from './load/server.ts';
import { isShort, missBar } from './measure.ts';

// What the MCP proxy over HTTP adds to a call, beside the server without it, and what open streams hold: npm run bench -- mcp-proxy-http, on what
// is built. Calls come at a steady rate; each is two evaluations in the service, both on disk before the call goes on.
const perSecond = 100;
// The starter policies take a thousand calls of a tool in an hour for a loop.
const [calls, rounds, streams] = isShort ? [20, 1, 20] : [180, 5, 1_000];
const [mostAddedMs, mostStreamsMb] = [3, 100];

const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const upstream = await startServer('test/fixtures/mcp-http-server.mjs');
const adminKey = `asz_admin_${'b'.repeat(43)}`;
const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
  ASSIZE_ADMIN_KEY: adminKey,
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  ASSIZE_MAX_WAITING: '0',
  ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
});

const accept = 'application/json, text/event-stream';

async function manage(path: string, body: object): Promise<{ id: string; apiKey: string }> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' };
  const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { data: { id: string; apiKey: string } }).data;
}

async function call(url: string, headers: Record<string, string>, id: number): Promise<number> {
  const params = { name: 'send', arguments: { text: `call ${id}` } };
  const begun = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  });
  const text = await response.text();
  if (!text.includes(`"sent call ${id}"`)) throw new Error(text);
  return performance.now() - begun;
}

/** Milliseconds that each call takes when they come at the rate. */
async function run(url: string, headers: Record<string, string>): Promise<number[]> {
  const from = performance.now();
  const open: Promise<number>[] = [];
  for (let id = 0; id < calls; id++) {
    await setTimeout(Math.max(0, from + (id * 1_000) / perSecond - performance.now()));
    open.push(call(url, headers, id));
  }
  return (await Promise.all(open)).sort((a, b) => a - b);
}

const openStream = (url: string, headers: Record<string, string>): Promise<void> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { ...headers, accept }, agent: false }, (response) => {
      response.once('data', () => resolve()).on('error', () => undefined);
      if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode}`));
    });
    outgoing.on('error', reject).end();
  });

const at = (sorted: number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
const told = (ms: number): string => ms.toFixed(2).padStart(7);
const rssMb = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1_024;

function judge(good: boolean, words: string): void {
  console.log(`${good ? 'ok  ' : 'FAIL'} ${words}`);
  if (!good) missBar();
}

try {
  const { apiKey } = await manage('/v1/integrations', { name: 'bench', kind: 'AGENT' });
  await manage('/v1/mcp-servers', { name: 'fixture', url: `${upstream.url}/mcp` });
  const key = { authorization: `Bearer ${apiKey}` };
  const ends = {
    direct: [`${upstream.url}/mcp`, {}],
    proxied: [`${server.url}/v1/mcp-proxy/fixture`, key],
  } as const;
  for (const [url, headers] of Object.values(ends)) await call(url, headers, 0);
  const medians: Record<string, number[]> = { direct: [], proxied: [] };
  console.log('          median     p99 ms');
  for (let round = 0; round < rounds; round++)
    for (const [name, [url, headers]] of Object.entries(ends)) {
      const taken = await run(url, headers);
      medians[name]?.push(at(taken, 0.5));
      console.log(`${name.padEnd(8)}${told(at(taken, 0.5))}  ${told(at(taken, 0.99))}`);
    }
  const best = (name: string): number => Math.min(...(medians[name] ?? []));
  const added = best('proxied') - best('direct');
  judge(added <= mostAddedMs, `the proxy adds ${added.toFixed(2)} ms (most ${mostAddedMs})`);
  const before = rssMb();
  for (let n = 0; n < streams; n += 20)
    await Promise.all(Array.from({ length: 20 }, () => openStream(ends.proxied[0], key)));
  await setTimeout(1_000);
  const held = rssMb() - before;
  judge(held <= mostStreamsMb, `${streams} open streams hold ${held.toFixed(0)} MB (most ${mostStreamsMb})`);
} finally {
  await Promise.all([server.stop(), upstream.stop()]);
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
