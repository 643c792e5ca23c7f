import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startPostgres } from '../scripts/develop/postgres.mjs';
import { startBalancer } from '../test/replicas/balancer.ts';
import { type Server, startServer } from './load/server.ts';
import { prepareShared, type SharedLoad } from './load/shared.ts';
import { type Measured, runWrk } from './load/wrk.ts';

// Evaluates a second of 1, 2 and 3 replicas on PostgreSQL behind HAProxy, with 128 connections each, beside SQLite, the floor that
// only inserts batches, and an optimistic variant: npm run bench:replicas. Needs wrk, haproxy and postgresql (Debian packages).
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    /** Of each process before the first line. */
    warm: { type: 'string', default: '4' },
    connections: { type: 'string', default: '128' },
    sessions: { type: 'string', default: '2000' },
    /** Only the lines whose name has this, such as "3 replicas". */
    only: { type: 'string', default: '' },
    build: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
if (values.build) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const settings = {
  ASSIZE_PORT: '0',
  ASSIZE_ADMIN_KEY: adminKey,
  ASSIZE_DEMO: 'false',
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  ASSIZE_MAX_IN_FLIGHT: '0',
  ASSIZE_MAX_IN_FLIGHT_MB: '0',
  ASSIZE_EVENT_LINES: 'off',
};
/** Ten processes that wait for their turn would wake a thousand times a second each, and nothing here prints the delay. */
const unwatched = { BENCH_LOOP_DELAY: 'off' };

async function start(script: string, env: Record<string, string>): Promise<Server> {
  const server = await startServer(script, { ...unwatched, ...env });
  stops.push(server.stop);
  return server;
}
/** Gives `use` the address of what is in front of these. It is stopped after that: it would go on to check their health four times a second. */
async function balanced<Result>(
  servers: readonly Server[],
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const ports = servers.map(({ url }) => Number(new URL(url).port));
  const balancer = await startBalancer(folder, ports);
  try {
    return await use(balancer.url);
  } finally {
    await balancer.stop();
  }
}

const sum = (counts: readonly string[]): number => counts.reduce((total, one) => total + Number(one), 0);

/**
 * CPU time of a process and its children, in microseconds: the kernel counts it in hundredths of a second. That of children that have ended
 * is the process's own: without it, the end of a vacuum would make the difference of two readings negative.
 */
function cpuOf(root: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [own, ended] = [rest.slice(9, 11), rest.slice(11, 13)];
      if (Number(pid) === root) ticks += sum([...own, ...ended]);
      else if (Number(parent) === root) ticks += sum(own);
    } catch {
      // It has ended.
    }
  }
  return ticks * 10_000;
}

try {
  const database = await startPostgres();
  stops.push(database.stop);
  const shared = {
    ...settings,
    ASSIZE_DATABASE: database.address,
    ASSIZE_RECORD_KEY_FILE: join(folder, 'key.pem'),
  };
  const replicas = [await start('dist/main.js', shared)];
  for (let count = 2; count <= 3; count++) replicas.push(await start('dist/main.js', shared));
  const sqlite = await start('dist/main.js', { ...settings, ASSIZE_DATABASE: join(folder, 'assize.db') });
  const sessions = Number(values.sessions);
  const loads = await prepareShared({ url: replicas[0]?.url ?? '', adminKey }, sessions);
  const onSqlite = await prepareShared({ url: sqlite.url, adminKey }, sessions);

  const client = new pg.Client(database.address);
  await client.connect();
  await client.query('CREATE TABLE bench_evaluations (LIKE evaluations INCLUDING ALL)');
  await client.query(
    'CREATE TABLE bench_states (id uuid PRIMARY KEY, version bigint, actions int) WITH (fillfactor = 60)',
  );
  await client.query('INSERT INTO bench_states SELECT id, 0, 0 FROM evaluation_sessions');
  await client.end();
  const others = (mode: string) =>
    Promise.all(
      [1, 2, 3].map(() =>
        start('bench/load/inserting-service.ts', { BENCH_DATABASE: database.address, BENCH_MODE: mode }),
      ),
    );
  const floor = await others('inserts');
  const optimistic = await others('optimistic');

  const [spread, hot, counted, fresh] = loads;
  const subjects: [string, readonly Server[], SharedLoad][] = [
    ['floor', floor, spread],
    ['optimistic', optimistic, spread],
    ['replicas', replicas.slice(0, 1), spread],
    ['replicas', replicas.slice(0, 2), spread],
    ['replicas', replicas, spread],
    ['SQLite', [sqlite], onSqlite[0]],
    ['optimistic', optimistic, hot],
    ['replicas', replicas, hot],
    ['SQLite', [sqlite], onSqlite[1]],
    ['replicas', replicas, counted],
    ['SQLite', [sqlite], onSqlite[2]],
    ['replicas', replicas, fresh],
    ['SQLite', [sqlite], onSqlite[3]],
  ];
  const loadOf = (url: string, count: number, { key, bodies }: SharedLoad) => ({
    url: `${url}/v1/evaluate`,
    connections: connections * count,
    headers: { authorization: `Bearer ${key}` },
    bodies,
    folder,
  });
  // Each process compiles its code under load first, alone: of three that share a load, each would have run a third as much as one.
  for (const server of [...floor, ...optimistic, ...replicas, sqlite]) {
    const load = server === sqlite ? onSqlite[0] : spread;
    await runWrk({ ...loadOf(server.url, 1, load), seconds: Number(values.warm) });
  }
  let base = 0;
  const pidOfDatabase = database.pid;
  for (const [kind, servers, load] of subjects) {
    const name = `${servers.length} ${kind}, ${load.name}`;
    if (!name.includes(values.only)) continue;
    await balanced(servers, async (url) => {
      const run = loadOf(url, servers.length, load);
      if (!load.isNew) await runWrk({ ...run, seconds: 1 });
      await Promise.all(servers.map((server) => server.measure()));
      const before = cpuOf(pidOfDatabase);
      const measured = await runWrk({ ...run, seconds });
      const ofDatabase = cpuOf(pidOfDatabase) - before;
      const selves = await Promise.all(servers.map((server) => server.measure()));
      base ||= measured.requestsPerSecond;
      const cpu = selves.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
      print(name, measured, cpu, kind === 'SQLite' ? 0 : ofDatabase, base);
    });
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}

function print(name: string, measured: Measured, cpu: number, ofDatabase: number, base: number): void {
  const { requests, requestsPerSecond, p50Ms, p99Ms, errors } = measured;
  const cells = [
    name.padEnd(30),
    `${Math.round(requestsPerSecond).toLocaleString('en')}/s`.padStart(9),
    `${(requestsPerSecond / base).toFixed(2)} of the floor`,
    `p50 ${p50Ms.toFixed(1)} ms  p99 ${p99Ms.toFixed(1)} ms`,
    `cpu ${(cpu / requests).toFixed(1)} + ${(ofDatabase / requests).toFixed(1)} µs`,
    `errors ${errors}`,
  ];
  console.log(cells.join('  '));
}
