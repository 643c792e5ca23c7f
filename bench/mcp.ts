import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rule } from '../test/helpers/policies.ts';
import { envelope, revision } from '../test/mcp/rpc.ts';
import { type Server, startServer } from './load/server.ts';
import { isShort } from './measure.ts';

// What a call over MCP costs beside the same call over REST, and what open streams weigh: npm run bench -- mcp.
// Fails when a tool takes more CPU than the limit, a request fails, or streams weigh too much. The session that is read has
// its fifty recent actions, and the list of reviews ten.
const connections = 32;
const [calls, rounds, streams] = isShort ? [64, 1, 20] : [2_000, 4, 1_000];
const reviews = 10;
const mostCpuMicros = 400;
const mostStreamsMb = 100;

const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let failed = false;

interface Call {
  path: string;
  headers: Record<string, string>;
  body: string;
  method?: string;
}

function post(url: string, call: Call, through: Agent | false): Promise<IncomingMessage> {
  const { path, headers, body, method = 'POST' } = call;
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent: through }, resolve);
    sent.on('error', reject);
    sent.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

async function manage(url: string, path: string, body: object | string, method = 'POST') {
  const json = typeof body !== 'string';
  const type = json ? 'application/json' : 'application/yaml';
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': type };
  const call = { path, headers, body: json ? JSON.stringify(body) : body, method };
  return JSON.parse((await textOf(await post(url, call, agent))) || '{}');
}

function mcp(key: string, method: string, params: Record<string, unknown>): Call {
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope('bench') } };
  return {
    path: '/v1/mcp',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': method,
      ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    },
    body: JSON.stringify(message),
  };
}

/** The key of an integration whose every action is held, with some that were. */
async function withReviews(url: string): Promise<string> {
  const { data } = await manage(url, '/v1/integrations', { name: 'held', kind: 'MCP_SERVER' });
  const document = rule('true', 'APPROVAL_REQUIRED');
  const policy = await manage(url, '/v1/policies?activate=true', document);
  await manage(url, `/v1/integrations/${data.id}/policies/${policy.data.id}`, {}, 'PUT');
  for (let amount = 0; amount < reviews; amount++) {
    const args = { input: { tool: 'pay', arguments: { amount } } };
    await textOf(
      await post(url, mcp(data.apiKey, 'tools/call', { name: 'evaluate', arguments: args }), agent),
    );
  }
  return data.apiKey;
}

/** Runs the calls over all connections. `isGood` judges each response. */
async function run(server: Server, call: Call, count: number, isGood: (text: string) => boolean) {
  let left = count;
  let errors = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const text = await post(server.url, call, agent).then(textOf, () => '');
        if (!isGood(text)) errors++;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  return { errors, perSecond: Math.round(count / seconds) };
}

function report(good: boolean, words: string): void {
  console.log(`${good ? 'ok  ' : 'FAIL'} ${words}`);
  failed ||= !good;
}

const megabytes = async (server: Server): Promise<number> => (await server.measure()).rssMb;

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
  ASSIZE_ADMIN_KEY: adminKey,
  ASSIZE_DEMO: 'false',
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
});
try {
  const { data } = await manage(server.url, '/v1/integrations', { name: 'bench', kind: 'MCP_SERVER' });
  const key: string = data.apiKey;
  // First of all: what calls leave behind for the collector would hide the weight.
  const before = await megabytes(server);
  const open = await Promise.all(
    Array.from({ length: streams }, async () => {
      const call = mcp(key, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
      const response = await post(server.url, call, false);
      const first = await new Promise((read) => response.once('data', (chunk) => read(String(chunk))));
      return { response, acknowledged: String(first).includes('notifications/subscriptions/acknowledged') };
    }),
  );
  const weight = Math.round((await megabytes(server)) - before);
  const acknowledged = open.filter((stream) => stream.acknowledged && !stream.response.destroyed).length;
  report(
    acknowledged === streams && (isShort || weight < mostStreamsMb),
    `${acknowledged} of ${streams} streams open: ${weight} MB more (less than ${mostStreamsMb})`,
  );
  for (const { response } of open) response.destroy();

  const input = { tool: 'web.search', arguments: { query: 'weather in Bern', limit: 10 } };
  const rest: Call = {
    path: '/v1/evaluate',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  };
  const succeeded = (text: string) => text.includes('"structuredContent"');
  const tool = (name: string, args: object, of = key) => mcp(of, 'tools/call', { name, arguments: args });
  const heldKey = await withReviews(server.url);
  const listsAll = (text: string) => succeeded(text) && text.includes(`"total":${reviews}`);
  const subjects: [name: string, call: Call, isGood: (text: string) => boolean, limit: number | null][] = [
    ['POST /v1/evaluate', rest, (text) => text.includes('"ALLOW"'), null],
    ['tools/call evaluate', tool('evaluate', { input }), succeeded, mostCpuMicros],
    ['tools/call get_session', tool('get_session', {}), succeeded, mostCpuMicros],
    ['tools/call list_reviews', tool('list_reviews', {}, heldKey), listsAll, mostCpuMicros],
    ['tools/list', mcp(key, 'tools/list', {}), (text) => text.includes('"inputSchema"'), null],
  ];
  for (const [name, call, isGood, limit] of subjects) {
    // The best round: what else the machine does makes the others dearer. The first warms up.
    const results = [];
    for (let round = 0; round <= rounds; round++) {
      await server.measure();
      const { errors, perSecond } = await run(server, call, calls, isGood);
      const { cpuMicros } = await server.measure();
      results.push({ errors, perSecond, micros: Math.round(cpuMicros / calls) });
    }
    const [, ...counted] = results;
    const micros = Math.min(...counted.map((result) => result.micros));
    const perSecond = Math.max(...counted.map((result) => result.perSecond));
    const errors = results.reduce((sum, result) => sum + result.errors, 0);
    const within = isShort || limit === null || micros <= limit;
    const allowed = limit === null ? '' : ` (at most ${limit})`;
    report(errors === 0 && within, `${name}: ${micros} µs CPU${allowed}, ${perSecond}/s, ${errors} errors`);
  }
} finally {
  agent.destroy();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
