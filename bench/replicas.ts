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
import { type Load, type Measured, median, runWrk } from './load/wrk.ts';

// Evaluates a second of 1, 2 and 3 replicas on PostgreSQL behind HAProxy, with 128 connections each, beside SQLite, the floor that
// only inserts batches, and an optimistic variant: npm run bench:replicas. Needs wrk, haproxy and postgresql (Debian packages). All lines
// are measured in turn, and each is printed with its medians of five rounds; a ratio is the median of the ratios of the rounds. Tables are
// vacuumed before each round, and not while a line is measured: autovacuum comes once a minute and takes a core for seconds of whichever line
// it meets.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    /** Seconds of each line's load before the first round, for each of its processes. */
    warm: { type: 'string', default: '6' },
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
  const database = await startPostgres({ autovacuum: 'off' });
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
  stops.push(() => client.end());
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
  const rounds = Number(values.rounds);
  const chosen = subjects
    .map(([kind, servers, load]) => ({
      kind,
      servers,
      load,
      name: `${servers.length} ${kind}, ${load.name}`,
    }))
    .filter(({ name }) => name.includes(values.only));
  const found = new Map<string, Line[]>(chosen.map(({ name }) => [name, []]));
  // V8 keeps compiling until a process has served some 20,000 requests, and an evaluation costs up to four times as much until then. Three
  // processes that share two cores need three times as long for that.
  for (const { servers, load } of chosen.filter(({ load }) => !load.isNew)) {
    const warmUp = { seconds: Number(values.warm) * servers.length };
    await balanced(servers, (url) => runWrk({ ...loadOf(url, servers.length, load), ...warmUp }));
  }
  for (let round = 0; round < rounds; round++) {
    await client.query('VACUUM (ANALYZE)');
    for (const { servers, load, name } of chosen) {
      const { bodies } = load;
      const share = Math.floor(bodies.length / rounds);
      const of = load.isNew ? { ...load, bodies: bodies.slice(round * share, (round + 1) * share) } : load;
      const run = (url: string) => measure(loadOf(url, servers.length, of), servers, load.isNew !== true);
      found.get(name)?.push(await balanced(servers, run));
    }
  }
  const [base = []] = found.values();
  for (const { name, load } of chosen)
    print(name, found.get(name) ?? [], { floor: base, sqlite: found.get(`1 SQLite, ${load.name}`) });

  async function measure(
    run: Omit<Load, 'seconds'>,
    servers: readonly Server[],
    warms: boolean,
  ): Promise<Line> {
    if (warms) await runWrk({ ...run, seconds: 1 });
    await Promise.all(servers.map((server) => server.measure()));
    const before = cpuOf(database.pid);
    const measured = await runWrk({ ...run, seconds });
    const ofDatabase = cpuOf(database.pid) - before;
    const selves = await Promise.all(servers.map((server) => server.measure()));
    const cpu = selves.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
    return { ...measured, cpu: cpu / measured.requests, ofDatabase: ofDatabase / measured.requests };
  }
} finally {
  for (const stop of stops.reverse()) await stop();
}

/** With CPU times in microseconds for each evaluation. */
interface Line extends Measured {
  cpu: number;
  ofDatabase: number;
}

/** The median of the ratios of two lines in each round, because the speed of the host varies between rounds. */
function ratio(lines: readonly Line[], others: readonly Line[], of: keyof Line): number {
  return median(lines.map((line, round) => line[of] / (others[round]?.[of] ?? Number.NaN)));
}

function print(
  name: string,
  lines: readonly Line[],
  { floor, sqlite }: { floor: readonly Line[]; sqlite: readonly Line[] | undefined },
): void {
  const of = (key: keyof Line): number => median(lines.map((line) => line[key]));
  // What PostgreSQL does then is for replicas that have nothing to evaluate.
  const ofDatabase = lines === sqlite ? 0 : of('ofDatabase');
  const cells = [
    name.padEnd(30),
    `${Math.round(of('requestsPerSecond')).toLocaleString('en')}/s`.padStart(9),
    `${ratio(lines, floor, 'requestsPerSecond').toFixed(2)} of the floor`,
    `p50 ${of('p50Ms').toFixed(1)} ms  p99 ${of('p99Ms').toFixed(1)} ms`,
    `cpu ${of('cpu').toFixed(1)} + ${ofDatabase.toFixed(1)} µs`,
    sqlite ? `${ratio(lines, sqlite, 'cpu').toFixed(2)} of SQLite's` : '',
    `errors ${lines.reduce((sum, { errors }) => sum + errors, 0)}`,
  ];
  console.log(cells.join('  '));
}
