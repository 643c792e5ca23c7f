import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServer } from './load/server.ts';
import { sessionBodies } from './load/tool-calls.ts';
import { runWrk } from './load/wrk.ts';

// More than the service can do, and clients that do harm by doing nothing: npm run bench -- overload
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    /** Requests of one key in flight at once; beyond it they are shed. */
    most: { type: 'string', default: '256' },
    idle: { type: 'string', default: '10000' },
    slow: { type: 'string', default: '500' },
  },
});
const seconds = Number(values.seconds);
const most = Number(values.most);
const folder = mkdtempSync(join(tmpdir(), 'assize-overload-'));
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  ASSIZE_MAX_IN_FLIGHT: String(most),
});
const sockets: Socket[] = [];

interface Reply {
  status: number;
  ms: number;
  retryAfter: boolean;
}

/** So many connections that each send again as soon as they are answered, each response timed. */
async function overload(
  url: URL,
  key: string,
  bodies: readonly string[],
  connections: number,
): Promise<Reply[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const until = performance.now() + seconds * 1_000;
  const responses: Reply[] = [];
  let next = 0;
  const send = (): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const begun = performance.now();
      const { hostname, port } = url;
      const sent = request(
        { hostname, port, path: '/v1/evaluate', method: 'POST', agent, headers },
        (response) => {
          response.resume().once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              ms: performance.now() - begun,
              retryAfter: response.headers['retry-after'] !== undefined,
            }),
          );
        },
      );
      sent.once('error', reject).end(bodies[next++ % bodies.length]);
    });
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < until) responses.push(await send());
    }),
  );
  agent.destroy();
  return responses;
}

const p99 = (took: readonly number[]): string =>
  ([...took].sort((left, right) => left - right)[Math.floor(took.length * 0.99)] ?? 0).toFixed(1);

function report(name: string, responses: readonly Reply[]): void {
  const accepted = responses.filter((response) => response.status === 200);
  const shed = responses.filter((response) => response.status === 503);
  const others = responses.length - accepted.length - shed.length;
  console.log(
    `${name.padEnd(34)} ${Math.round(accepted.length / seconds)}/s accepted, p99 ${p99(accepted.map(({ ms }) => ms))} ms; ` +
      `${Math.round((100 * shed.length) / responses.length)} % shed, ${shed.filter(({ retryAfter }) => !retryAfter).length} of them without Retry-After; ${others} other answers`,
  );
}

async function hold(count: number, url: URL, text: string): Promise<void> {
  for (let opened = 0; opened < count; opened += 250) {
    await Promise.all(
      Array.from({ length: Math.min(250, count - opened) }, async () => {
        const socket = connect(Number(url.port), url.hostname);
        sockets.push(socket);
        socket.on('error', () => undefined);
        await new Promise((resolve) => socket.once('connect', resolve).once('error', resolve));
        if (text !== '') socket.write(text);
      }),
    );
  }
}

try {
  const key = await server.demoKey();
  const url = new URL(server.url);
  const bodies = await sessionBodies(server.url, key, 2_000);
  const headers = { authorization: `Bearer ${key}` };
  const load = { url: `${server.url}/v1/evaluate`, connections: 32, seconds, headers, bodies, folder };
  const normal = async (name: string): Promise<void> => {
    const { requestsPerSecond, p50Ms, p99Ms, errors } = await runWrk(load);
    const { rssMb, loopP99Ms } = await server.measure();
    console.log(
      `${name.padEnd(34)} ${Math.round(requestsPerSecond)} req/s  p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms  ` +
        `errors ${errors}  loop p99 ${loopP99Ms.toFixed(1)} ms  rss ${rssMb.toFixed(0)} MB`,
    );
  };
  await runWrk({ ...load, seconds: 2 });
  await normal('32 connections');

  // The pressure comes from wrk, which takes little of the cores it shares; a few connections beside it are timed. Node
  // takes in one new connection a turn of its event loop, so it is some seconds until all are there.
  const overloadSeconds = 5 * seconds;
  const pressure = runWrk({ ...load, seconds: overloadSeconds, connections: most * 4 });
  await setTimeout(3_000 * seconds);
  report('16 of them', await overload(url, key, bodies, 16));
  const { requests, errors } = await pressure;
  console.log(
    `${`${most * 4} connections, at most ${most} in flight`.padEnd(34)} ${Math.round(requests / overloadSeconds)}/s answered, ${Math.round((100 * errors) / requests)} % of them shed  rss ${(await server.measure()).rssMb.toFixed(0)} MB`,
  );
  await setTimeout(1_000);
  await normal('32 connections, a second later');

  const before = (await server.measure()).rssMb;
  await hold(Number(values.idle), url, '');
  const each = (((await server.measure()).rssMb - before) / sockets.length) * 1_000;
  console.log(`${`${sockets.length} connections that send nothing`.padEnd(34)} ${each.toFixed(1)} KB each`);
  await normal(`beside ${sockets.length} idle connections`);
  const begun = 'POST /v1/evaluate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
  await hold(Number(values.slow), url, begun);
  await hold(
    Number(values.slow),
    url,
    `${begun}authorization: Bearer ${key}\r\ncontent-length: 1000\r\n\r\n{"input"`,
  );
  await normal(`and ${2 * Number(values.slow)} halves of requests`);
} finally {
  for (const socket of sockets) socket.destroy();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
