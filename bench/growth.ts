import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillFile } from './load/big-file.ts';
import { type Server, startServer } from './load/server.ts';
import { sessionBodies } from './load/tool-calls.ts';
import { type Measured, median, runWrk } from './load/wrk.ts';

// What a big file costs beside an empty one in the same run: npm run bench:growth -- --sessions 1000000 --evaluations 10000000
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100000' },
    evaluations: { type: 'string', default: '1000000' },
    actions: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    reads: { type: 'string', default: '300' },
  },
});
const size = { sessions: Number(values.sessions), evaluations: Number(values.evaluations) };
const seconds = Number(values.seconds);
const folder = mkdtempSync(join(tmpdir(), 'assize-growth-'));
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const servers: Server[] = [];
async function start(name: string): Promise<Server> {
  const server = await startServer('dist/main.js', {
    ASSIZE_PORT: '0',
    ASSIZE_DATABASE: join(folder, `${name}.db`),
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  });
  servers.push(server);
  return server;
}
const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

async function percentiles(requests: (() => Promise<Response>)[]): Promise<string> {
  const took: number[] = [];
  for (const request of requests) {
    const begun = performance.now();
    const answer = await request();
    await answer.arrayBuffer();
    took.push(performance.now() - begun);
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
  }
  took.sort((left, right) => left - right);
  const at = (share: number): string => number(took[Math.floor((took.length - 1) * share)] ?? 0, 2);
  return `p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  slowest ${at(1)} ms`;
}

try {
  // The keys are printed at the first start.
  const first = await start('big');
  const bigKey = await first.printed(/asz_live_\S+/);
  await first.stop();
  servers.pop();
  let begun = performance.now();
  const ids = fillFile(join(folder, 'big.db'), size);
  const bytes = statSync(join(folder, 'big.db')).size;
  console.log(
    `${number(size.sessions)} sessions, ${number(size.evaluations)} evaluations, ${number(bytes / 1e6)} MB, made in ${number((performance.now() - begun) / 1_000)} s`,
  );

  const empty = await start('empty');
  begun = performance.now();
  const big = await start('big');
  console.log(`start on the big file: ${number(performance.now() - begun)} ms`);

  const subjects = [
    { name: 'evaluate, empty file', server: empty, key: await empty.printed(/asz_live_\S+/) },
    { name: 'evaluate, big file', server: big, key: bigKey },
  ];
  const results = new Map<string, Measured[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { name, server, key } of subjects) {
      const bodies = await sessionBodies(server.url, key, 1_000);
      const headers = { authorization: `Bearer ${key}` };
      const load = { url: `${server.url}/v1/evaluate`, connections: 32, seconds, headers, bodies, folder };
      const measured = await runWrk(load);
      // The first round only warms up.
      if (round > 0) results.get(name)?.push(measured);
    }
  }
  const rate = (name: string): number =>
    median((results.get(name) ?? []).map((run) => run.requestsPerSecond));
  for (const { name, server } of subjects) {
    const { rssMb } = await server.measure();
    const runs = results.get(name) ?? [];
    console.log(
      `${name.padEnd(22)} ${number(rate(name)).padStart(7)} req/s  p99 ${number(median(runs.map((run) => run.p99Ms)), 2)} ms  rss ${number(rssMb)} MB  errors ${runs.reduce((sum, run) => sum + run.errors, 0)}`,
    );
  }
  console.log(`${number(rate('evaluate, big file') / rate('evaluate, empty file'), 2)} of the empty file`);

  const get = (path: string) => () =>
    fetch(`${big.url}/v1/evaluation-sessions${path}`, { headers: { authorization: `Bearer ${bigKey}` } });
  const random = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;
  const times = <T>(make: () => T): T[] => Array.from({ length: Number(values.reads) }, make);
  const lastPage = Math.floor(size.sessions / 50);
  const reads: Record<string, () => string> = {
    'read a session': () => `/${random(ids)}`,
    'list sessions, page 1': () => '?page=1',
    'list sessions, any page': () => `?page=${1 + Math.floor(Math.random() * lastPage)}`,
    'list evaluations': () => `/${random(ids)}/evaluations`,
    'list by external id': () => `?externalSessionId=${random(ids)}`,
  };
  for (const [name, path] of Object.entries(reads)) {
    console.log(`${name.padEnd(26)} ${await percentiles(times(() => get(path())))}`);
  }
  for (const status of ['ACTIVE', 'COMPLETED', 'EXPIRED']) {
    const some = Array.from({ length: 20 }, () => get(`?status=${status}`));
    console.log(`list ${status.padEnd(21)} ${await percentiles(some)}`);
  }

  const [session] = await sessionBodies(big.url, bigKey, 1);
  const id = JSON.parse(session ?? '{}').sessionId as string;
  const slices: { actions: number; perSecond: number }[] = [];
  while ((slices.at(-1)?.actions ?? 0) < Number(values.actions)) {
    const headers = { authorization: `Bearer ${bigKey}` };
    const bodies = [
      JSON.stringify({ sessionId: id, input: { note: 'an action without a tool has no budget' } }),
    ];
    const load = { url: `${big.url}/v1/evaluate`, connections: 32, seconds, headers, bodies, folder };
    const { requestsPerSecond } = await runWrk(load);
    const { data } = (await (await get(`/${id}`)()).json()) as { data: { actionCount: number } };
    slices.push({ actions: data.actionCount, perSecond: requestsPerSecond });
  }
  console.log('one session, by its number of actions:');
  for (const { actions, perSecond } of slices) {
    console.log(`  to ${number(actions).padStart(7)}: ${number(perSecond).padStart(6)} req/s`);
  }
  const deep = Math.floor((slices.at(-1)?.actions ?? 0) / 50);
  const pages = times(() => get(`/${id}/evaluations?page=${1 + Math.floor(Math.random() * deep)}`));
  console.log(`${'its evaluations, any page'.padEnd(26)} ${await percentiles(pages)}`);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}
