import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCerbos } from './load/cerbos.ts';
import { prepareFlows, prepareScenarios } from './load/scenarios.ts';
import { type Self, type Server, startServer } from './load/server.ts';
import { errorsOf, type Load, type Measured, median, runWrk } from './load/wrk.ts';

// Evaluates a second, durable, with the demo policies, beside a bare Fastify POST and a stateless peer in the same run:
// npm run bench:evaluate. Needs wrk (Debian package); the peer is installed by npm ci --prefix bench/peers.
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    sessions: { type: 'string', default: '10000' },
    // Only what labels and provenance cost: npm run bench:evaluate -- --flows
    flows: { type: 'boolean', default: false },
  },
});
const connections = Number(values.connections);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

interface Subject extends Omit<Load, 'seconds' | 'folder'> {
  name: string;
  server: Pick<Server, 'measure'>;
}
const servers: Pick<Server, 'stop'>[] = [];
async function start(script: string, env: Record<string, string> = {}): Promise<Server> {
  const server = await startServer(script, env);
  servers.push(server);
  return server;
}

try {
  const floor = await start('bench/load/floor.ts');
  const service = await start('dist/main.js', {
    ASSIZE_PORT: '0',
    ASSIZE_DATABASE: join(folder, 'assize.db'),
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  });
  const demoKey = await service.demoKey();
  const sessions = Number(values.sessions);
  const target = { url: service.url, adminKey };
  const scenarios = values.flows
    ? await prepareFlows(target, { sessions, connections })
    : await prepareScenarios(target, demoKey, { sessions, connections });
  const [{ bodies }] = scenarios as [(typeof scenarios)[0]];
  const cerbos = values.flows ? null : await startCerbos();
  if (cerbos) servers.push(cerbos);
  else if (!values.flows) console.log('not installed, left out: cerbos (npm ci --prefix bench/peers)');

  const subjects: Subject[] = [
    {
      name: 'bare Fastify POST',
      connections,
      url: `${floor.url}/v1/evaluate`,
      headers: {},
      bodies,
      server: floor,
    },
    ...scenarios.map(({ key, ...scenario }) => ({
      ...scenario,
      url: `${service.url}/v1/evaluate`,
      headers: { authorization: `Bearer ${key}` },
      server: service,
    })),
    ...(cerbos
      ? [{ ...cerbos, name: 'cerbos, keeps nothing', connections, headers: {}, server: cerbos }]
      : []),
  ];
  const results = new Map<string, (Measured & Self)[]>(subjects.map(({ name }) => [name, []]));
  // Alternating, so that what else the machine does falls on all alike. The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server, ...load } of subjects) {
      await server.measure();
      const measured = await runWrk({ ...load, seconds, folder });
      const self = await server.measure();
      if (round > 0) results.get(name)?.push({ ...measured, ...self });
    }
  }
  print(results);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}

function print(results: Map<string, (Measured & Self)[]>): void {
  console.log(
    `${connections} connections unless said, medians of ${rounds} runs of ${seconds} s, on disk when answered`,
  );
  let base = 0;
  for (const [name, runs] of results) {
    const of = (pick: (run: Measured & Self) => number): number => median(runs.map(pick));
    const rate = of((run) => run.requestsPerSecond);
    base ||= rate;
    const cells = [
      name.padEnd(25),
      `${Math.round(rate).toLocaleString('en')} req/s`.padStart(13),
      `p50 ${of((run) => run.p50Ms).toFixed(2)} ms`,
      `p99 ${of((run) => run.p99Ms).toFixed(2)} ms`,
      `cpu ${of((run) => run.cpuMicros / run.requests).toFixed(1)} µs/request`,
      `loop p99 ${of((run) => run.loopP99Ms).toFixed(1)} ms`,
      `errors ${errorsOf(runs)}`,
      `${(rate / base).toFixed(2)} of the floor`,
    ];
    console.log(cells.join('  '));
  }
}
