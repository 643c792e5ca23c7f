import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fillFile } from './load/big-file.ts';
import { type Server, startServer } from './load/server.ts';
import { callOf, openSessions, sessionBodies } from './load/tool-calls.ts';
import { errorsOf, type Measured, median, runWrk, runWrkReads } from './load/wrk.ts';
import { isShort } from './measure.ts';

// What a big file costs beside an empty one in the same run: npm run bench -- growth --sessions 1000000 --evaluations 10000000
const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100000' },
    evaluations: { type: 'string', default: '1000000' },
    actions: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    // Where the big file is kept and found again; it is made anew, and removed, without.
    folder: { type: 'string' },
  },
});
const size = { sessions: Number(values.sessions), evaluations: Number(values.evaluations) };
const seconds = Number(values.seconds);
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'assize-growth-'));
mkdirSync(folder, { recursive: true });
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

interface Made {
  key: string;
  ids: string[];
  evaluations: number;
}
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

/** Of one connection that reads for a second, five times, the medians: the machine's other work is the most of one. */
async function percentiles(server: Server, key: string, path: () => string): Promise<string> {
  const rounds: Measured[] = [];
  for (let round = 0; round < (isShort ? 1 : 5); round++) {
    const paths = Array.from({ length: 2_000 }, path);
    const headers = { authorization: `Bearer ${key}` };
    rounds.push(await runWrkReads({ url: server.url, connections: 1, seconds: 1, headers, paths, folder }));
  }
  const at = (pick: (run: Measured) => number): string => number(median(rounds.map(pick)), 2);
  return `p50 ${at((run) => run.p50Ms)} ms  p99 ${at((run) => run.p99Ms)} ms  errors ${errorsOf(rounds)}`;
}

/** Of an action that is about the 10th of its session, and of one that is about the 1,000th: medians. */
async function costsInLongSessions(server: Server, key: string): Promise<[number, number]> {
  // Until V8 has compiled what runs.
  await costsOf(server, key, isShort ? 2 : 200);
  // From the 1,000th on, a starter policy stops them.
  const costs = await costsOf(server, key, isShort ? 30 : 999);
  return [median(costs.slice(5, 25)), median(costs.slice(-20))];
}

/** CPU time of the main thread for each action of a session, of 64 sessions that grow at once. */
async function costsOf({ url, threadTimes }: Server, key: string, actions: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sessions = await openSessions(url, key, isShort ? 2 : 64);
  const costs: number[] = [];
  for (let action = 0; action < actions; action++) {
    const before = threadTimes().main;
    await Promise.all(
      sessions.map(async (sessionId, place) => {
        const body = JSON.stringify({ sessionId, input: callOf(100_000 * place + action) });
        const response = await fetch(`${url}/v1/evaluate`, { method: 'POST', headers, body });
        const text = await response.text();
        if (response.status !== 200) throw new Error(text);
      }),
    );
    costs.push((threadTimes().main - before) / sessions.length);
  }
  return costs;
}

try {
  const made = join(folder, 'big.json');
  if (!existsSync(made)) {
    // The keys are printed at the first start.
    const first = await start('big');
    const key = await first.demoKey();
    await first.stop();
    servers.pop();
    const begun = performance.now();
    const ids = fillFile(join(folder, 'big.db'), size);
    console.log(`made in ${number((performance.now() - begun) / 1_000)} s`);
    writeFileSync(made, JSON.stringify({ key, ids, evaluations: size.evaluations }));
  }
  const { key: bigKey, ids, evaluations } = JSON.parse(readFileSync(made, 'utf8')) as Made;
  const bytes = statSync(join(folder, 'big.db')).size;
  console.log(
    `${number(ids.length)} sessions, ${number(evaluations)} evaluations, ${number(bytes / 1e6)} MB`,
  );

  for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder, `empty.db${suffix}`), { force: true });
  const empty = await start('empty');
  const starts: number[] = [];
  const times = isShort ? 1 : 5;
  for (let turn = 1; turn <= times; turn++) {
    const begun = performance.now();
    const started = await start('big');
    starts.push(performance.now() - begun);
    if (turn === times) break;
    await started.stop();
    servers.pop();
  }
  const big = servers.at(-1) as Server;
  console.log(`start on the big file: median of ${starts.length} ${number(median(starts))} ms`);

  const subjects = [
    { name: 'evaluate, empty file', server: empty, key: await empty.demoKey() },
    { name: 'evaluate, big file', server: big, key: bigKey },
  ];
  const results = new Map<string, (Measured & { cpuMicros: number })[]>(
    subjects.map(({ name }) => [name, []]),
  );
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { name, server, key } of subjects) {
      const bodies = await sessionBodies(server.url, key, 1_000);
      const headers = { authorization: `Bearer ${key}` };
      const load = { url: `${server.url}/v1/evaluate`, connections: 32, seconds, headers, bodies, folder };
      await server.measure();
      const measured = await runWrk(load);
      const { cpuMicros } = await server.measure();
      // The first round only warms up.
      if (round > 0) results.get(name)?.push({ ...measured, cpuMicros: cpuMicros / measured.requests });
    }
  }
  const rate = (name: string): number =>
    median((results.get(name) ?? []).map((run) => run.requestsPerSecond));
  const cpu = (name: string): number => median((results.get(name) ?? []).map((run) => run.cpuMicros));
  for (const { name, server } of subjects) {
    const { rssMb } = await server.measure();
    const runs = results.get(name) ?? [];
    console.log(
      `${name.padEnd(22)} ${number(rate(name)).padStart(7)} req/s  p99 ${number(median(runs.map((run) => run.p99Ms)), 2)} ms  CPU ${number(cpu(name))} µs a request  rss ${number(rssMb)} MB  errors ${errorsOf(runs)}`,
    );
  }
  const [small, large] = ['evaluate, empty file', 'evaluate, big file'] as const;
  console.log(
    `${number(rate(large) / rate(small), 2)} of the empty file's req/s, ${number(cpu(large) / cpu(small), 2)} of its CPU`,
  );

  const sessionsPath = '/v1/evaluation-sessions';
  const random = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;
  const anyPage = (of: number): string => `page=${1 + Math.floor(Math.random() * (of / 50))}`;
  const reads: Record<string, () => string> = {
    'read a session': () => `/${random(ids)}`,
    'list sessions, page 1': () => '?page=1',
    'list sessions, any page': () => `?${anyPage(ids.length)}`,
    'list ACTIVE': () => '?status=ACTIVE',
    'list COMPLETED': () => '?status=COMPLETED',
    'list COMPLETED, any page': () => `?status=COMPLETED&${anyPage(ids.length * 0.9)}`,
    'list EXPIRED': () => '?status=EXPIRED',
    'list EXPIRED, any page': () => `?status=EXPIRED&${anyPage(ids.length * 0.1)}`,
    'list evaluations': () => `/${random(ids)}/evaluations`,
    'list by external id': () => `?externalSessionId=${random(ids)}`,
  };
  const printReads = async (name: string, path: () => string): Promise<void> =>
    console.log(`${name.padEnd(26)} ${await percentiles(big, bigKey, path)}`);
  // What a request takes that asks the store nothing, on the same machine at the same time.
  await printReads('(live, no store)', () => '/health/live');
  for (const [name, path] of Object.entries(reads)) await printReads(name, () => sessionsPath + path());

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
    const response = await fetch(`${big.url}${sessionsPath}/${id}`, { headers });
    const { data } = (await response.json()) as { data: { actionCount: number } };
    slices.push({ actions: data.actionCount, perSecond: requestsPerSecond });
  }
  console.log('one session, by its number of actions:');
  for (const { actions, perSecond } of slices) {
    console.log(`  to ${number(actions).padStart(7)}: ${number(perSecond).padStart(6)} req/s`);
  }
  const pages = () => `${sessionsPath}/${id}/evaluations?${anyPage(slices.at(-1)?.actions ?? 0)}`;
  await printReads('its evaluations, any page', pages);
  const [tenth, thousandth] = await costsInLongSessions(empty, subjects[0]?.key ?? '');
  console.log(
    `sessions of distinct actions, CPU of the main thread: the 10th ${number(tenth, 1)} µs, the 1,000th ${number(thousandth, 1)} µs, ${number(thousandth / tenth, 2)} times`,
  );
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
