import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCerbos } from './load/cerbos.ts';
import { type OperatorsSide, prepareWarned, watchEverything } from './load/operators-side.ts';
import { prepareFlows, prepareScenarios } from './load/scenarios.ts';
import { type Self, type Server, startServer, type ThreadTimes } from './load/server.ts';
import { mapFlag, type StageShare, sampleStages } from './load/stages.ts';
import { errorsOf, type Load, type Measured, median, runWrk } from './load/wrk.ts';

// Evaluates a second, durable, with the demo policies, beside a bare Fastify POST and a stateless peer in the same run:
// npm run bench:evaluate. Needs wrk (Debian package); the peer is installed by npm ci --prefix bench/peers.
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    // Requests to each subject before the first round, a tenth of it for large bodies
    warm: { type: 'string', default: '25000' },
    sessions: { type: 'string', default: '10000' },
    // Only what labels and provenance cost: npm run bench:evaluate -- --flows
    flows: { type: 'boolean', default: false },
    // Only what a webhook, a reader of events and recorded calls cost: npm run bench:evaluate -- --watched
    watched: { type: 'boolean', default: false },
    // Scenarios whose name contains this; without the peer. Short: --only mixed --seconds 2 --sessions 1000
    only: { type: 'string' },
    // Other builds, measured in turn with this one: --beside ../before/dist/main.js
    beside: { type: 'string', multiple: true, default: [] },
    // This build with ASSIZE_EVALUATION_THREAD=on, too: npm run bench:evaluate -- --only mixed --thread
    thread: { type: 'boolean', default: false },
    // Where the main thread's time goes, by stage: the headline alone. Needs perf.
    stages: { type: 'boolean', default: false },
    // V8 writes a profile of each thread of the service to this folder when it ends.
    profile: { type: 'string' },
  },
});
/** The load that the bars are about. */
const headline = 'mixed, 32 sessions at once';
const connections = Number(values.connections);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

interface Subject extends Omit<Load, 'seconds' | 'folder'> {
  name: string;
  /** A peer that is no Node process tells no times of its threads. */
  server: Pick<Server, 'measure'> & Partial<Pick<Server, 'threadTimes' | 'pid'>>;
  /** The subject that it is compared with. */
  floor: string;
}
const plainFloor = 'bare Fastify POST';
const largeFloor = 'bare Fastify POST of 100 KB';
/** Before the first round, of each subject: V8 compiles until then, on a slow host for a minute. */
const warmRequests = Number(values.warm);
/** Bodies beyond so many characters have a floor of their own: to read them takes longer than all else. */
const largeBody = 65_536;
/** One run: what the client and the server measured, and the CPU time of each thread for a request, in microseconds. */
type Run = Measured & Self & { mainMicros: number; otherMicros: Record<string, number> };
const servers: Pick<Server, 'stop'>[] = [];
async function start(
  script: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Server> {
  const server = await startServer(script, env, flags);
  servers.push(server);
  return server;
}

/** A build of the service on a database of its own, and what it is asked; `mark` tells its subjects from those of others. */
async function subjectsOf(
  script: string,
  place: number,
  mark = '',
  more: Record<string, string> = {},
): Promise<Subject[]> {
  const env = {
    ASSIZE_PORT: '0',
    ASSIZE_DATABASE: join(folder, `assize-${place}.db`),
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
    ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
    ...more,
  };
  const flags = [
    ...(values.profile ? profileFlags(values.profile) : []),
    ...(values.stages ? [mapFlag] : []),
  ];
  const server = await start(script, env, flags);
  const target = { url: server.url, adminKey };
  const demoKey = await server.demoKey();
  const sizes = { sessions: Number(values.sessions), connections };
  const scenarios = values.flows
    ? await prepareFlows(target, sizes)
    : values.watched
      ? [await prepareWarned(target, sizes)]
      : await prepareScenarios(target, demoKey, {
          ...sizes,
          only: values.stages ? headline : (values.only ?? ''),
        });
  return scenarios.map(({ key, name, ...scenario }) => ({
    ...scenario,
    name: name + mark,
    floor: isLarge(scenario) ? largeFloor : plainFloor,
    url: `${server.url}/v1/evaluate`,
    headers: { authorization: `Bearer ${key}` },
    server,
  }));
}

const isLarge = ({ bodies }: Pick<Subject, 'bodies'>): boolean => (bodies[0]?.length ?? 0) > largeBody;

const profileFlags = (into: string): string[] => ['--cpu-prof', `--cpu-prof-dir=${into}`];

async function findPeer(): Promise<Subject[]> {
  if (values.flows || values.watched || values.only || values.stages) return [];
  const cerbos = await startCerbos();
  if (!cerbos) {
    console.log('not installed, left out: cerbos (npm ci --prefix bench/peers)');
    return [];
  }
  servers.push(cerbos);
  const name = 'cerbos, keeps nothing';
  return [{ ...cerbos, name, floor: plainFloor, connections, headers: {}, server: cerbos }];
}

try {
  const floor = await start('bench/load/floor.ts');
  const measured: Subject[] = [];
  for (const [place, script] of ['dist/main.js', ...values.beside].entries())
    measured.push(...(await subjectsOf(script, place, place === 0 ? '' : `: build ${place + 1}`)));
  if (values.thread)
    measured.push(
      ...(await subjectsOf('dist/main.js', measured.length, ', thread', { ASSIZE_EVALUATION_THREAD: 'on' })),
    );
  let watched: OperatorsSide | undefined;
  if (values.watched) {
    const subjects = await subjectsOf('dist/main.js', measured.length, ', watched');
    measured.push(...subjects);
    watched = await watchEverything({ url: new URL(subjects[0]?.url ?? '').origin, adminKey });
  }
  if (measured.length === 0) throw new Error(`no scenario is named ${values.only}`);
  const floorOf = (name: string, { bodies }: Subject): Subject => ({
    name,
    floor: name,
    connections,
    url: `${floor.url}/v1/evaluate`,
    headers: {},
    bodies,
    server: floor,
  });
  const small = measured.find((subject) => !isLarge(subject));
  const large = measured.find(isLarge);
  const subjects: Subject[] = [
    ...(small ? [floorOf(plainFloor, small)] : []),
    ...(large ? [floorOf(largeFloor, large)] : []),
    ...measured,
    ...(await findPeer()),
  ];
  const results = new Map<string, Run[]>(subjects.map(({ name }) => [name, []]));
  for (const { server, ...load } of subjects) {
    const most = warmRequests / (isLarge(load) ? 10 : 1);
    for (let requests = 0; requests < most; )
      requests += (await runWrk({ ...load, seconds, folder })).requests || most;
  }
  // Alternating, so that what else the machine does falls on all alike.
  for (let round = 0; round < rounds; round++) {
    for (const { name, server, ...load } of subjects) {
      await server.measure();
      const before = server.threadTimes?.();
      const measured = await runWrk({ ...load, seconds, folder });
      const after = server.threadTimes?.();
      const self = await server.measure();
      results.get(name)?.push({ ...measured, ...self, ...threadsOf(before, after, measured.requests) });
    }
  }
  print(subjects, results);
  if (values.stages)
    for (const { name, server, ...load } of measured) {
      const before = server.threadTimes?.();
      const [shares, run] = await Promise.all([
        sampleStages(server.pid ?? 0, seconds, folder),
        runWrk({ ...load, seconds, folder }),
      ]);
      const { mainMicros } = threadsOf(before, server.threadTimes?.(), run.requests);
      printStages(name, shares, mainMicros);
    }
  if (watched) console.log(`watched: ${JSON.stringify(watched)}`);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}

/** CPU time of each thread for a request. Threads below a tenth of a microsecond are left out. */
function threadsOf(
  before: ThreadTimes | undefined,
  after: ThreadTimes | undefined,
  requests: number,
): Pick<Run, 'mainMicros' | 'otherMicros'> {
  if (!before || !after) return { mainMicros: Number.NaN, otherMicros: {} };
  const others = Object.entries(after.others)
    .map(([name, micros]) => [name, (micros - (before.others[name] ?? 0)) / requests] as const)
    .filter(([, micros]) => micros >= 0.1);
  return {
    mainMicros: (after.main - before.main) / requests,
    otherMicros: Object.fromEntries(others),
  };
}

function print(subjects: readonly Subject[], results: ReadonlyMap<string, Run[]>): void {
  console.log(
    `${connections} connections unless said, medians of ${rounds} runs of ${seconds} s after ${warmRequests} requests, on disk when answered`,
  );
  console.log(
    'F: CPU time of the main thread for a request, divided by that of the bare Fastify POST of such a body',
  );
  for (const { name, floor: floorName } of subjects) {
    const runs = results.get(name) ?? [];
    const floor = results.get(floorName);
    const of = (pick: (run: Run) => number): number => median(runs.map(pick));
    // Of each round, because the speed of a shared machine changes between rounds.
    const overFloor = (pick: (run: Run) => number): string =>
      median(runs.map((run, round) => pick(run) / pick(floor?.[round] ?? run))).toFixed(2);
    const cells = [
      name.padEnd(35),
      `${Math.round(of((run) => run.requestsPerSecond)).toLocaleString('en')} req/s`.padStart(13),
      `${overFloor((run) => run.requestsPerSecond)} of the floor`,
      `F ${overFloor((run) => run.mainMicros)}`,
      `p50 ${of((run) => run.p50Ms).toFixed(2)} ms`,
      `p99 ${of((run) => run.p99Ms).toFixed(2)} ms`,
      `cpu ${of((run) => run.cpuMicros / run.requests).toFixed(1)} µs/request`,
      `loop p99 ${of((run) => run.loopP99Ms).toFixed(1)} ms`,
      `errors ${errorsOf(runs)}`,
    ];
    console.log(cells.join('  '));
    console.log(`  ${threadCells(runs)}`);
  }
}

function printStages(name: string, shares: readonly StageShare[], mainMicros: number): void {
  console.log(`\n${name}: ${mainMicros.toFixed(1)} µs of the main thread for a request, sampled`);
  for (const { name, share, frames } of shares) {
    const micros = (part: number): string => (part * mainMicros).toFixed(1);
    const most = frames.slice(0, 4).map(([frame, part]) => `${frame} ${micros(part)}`);
    console.log(`${micros(share).padStart(6)} µs  ${name.padEnd(40)}${most.join(', ')}`);
  }
}

/** "main 150.2 µs, libuv-worker 12.0; resident 280 MB": medians. A peer that is no Node process tells no memory. */
function threadCells(runs: readonly Run[]): string {
  const names = new Set(runs.flatMap((run) => Object.keys(run.otherMicros)));
  const others = [...names]
    .map((name) => [name, median(runs.map((run) => run.otherMicros[name] ?? 0))] as const)
    .sort(([, left], [, right]) => right - left)
    .map(([name, micros]) => `${name} ${micros.toFixed(1)}`);
  const times = [`main ${median(runs.map((run) => run.mainMicros)).toFixed(1)} µs`, ...others].join(', ');
  const rssMb = median(runs.map((run) => run.rssMb));
  return Number.isNaN(rssMb) ? times : `${times}; resident ${rssMb.toFixed(0)} MB`;
}
