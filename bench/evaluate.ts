import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Self, type Server, startServer } from './load/server.ts';
import { sessionBodies } from './load/tool-calls.ts';
import { type Measured, median, runWrk } from './load/wrk.ts';

// Evaluates a second, durable, beside a bare Fastify POST in the same run: npm run bench:evaluate
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    sessions: { type: 'string', default: '20000' },
  },
});
const connections = Number(values.connections);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);

const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const servers: Server[] = [];
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
    ASSIZE_LOG_LEVEL: 'info',
  });
  const key = await service.printed(/asz_live_\S+/);
  const bodies = await sessionBodies(service.url, key, Number(values.sessions));
  const headers = { authorization: `Bearer ${key}` };
  const subjects = [
    { name: 'bare Fastify POST', server: floor },
    { name: 'assize evaluate', server: service },
  ];
  const results = new Map<string, (Measured & Self)[]>(subjects.map(({ name }) => [name, []]));
  // Alternating, so that what else the machine does falls on both alike. The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const { name, server } of subjects) {
      await server.measure();
      const load = { url: `${server.url}/v1/evaluate`, connections, seconds, headers, bodies, folder };
      const measured = await runWrk(load);
      const self = await server.measure();
      if (round > 0) results.get(name)?.push({ ...measured, ...self });
    }
  }

  const pick = (name: string, field: keyof (Measured & Self)): number =>
    median((results.get(name) ?? []).map((result) => result[field]));
  const base = pick('bare Fastify POST', 'requestsPerSecond');
  console.log(`${connections} connections, medians of ${rounds} runs of ${seconds} s`);
  for (const { name } of subjects) {
    const runs = results.get(name) ?? [];
    const cpu = median(runs.map((run) => run.cpuMicros / run.requests));
    const rate = pick(name, 'requestsPerSecond');
    console.log(
      [
        name.padEnd(20),
        `${Math.round(rate).toLocaleString('en')} req/s`.padStart(14),
        `p50 ${pick(name, 'p50Ms').toFixed(2)} ms`,
        `p99 ${pick(name, 'p99Ms').toFixed(2)} ms`,
        `cpu ${cpu.toFixed(1)} µs/request`,
        `loop p99 ${pick(name, 'loopP99Ms').toFixed(1)} ms`,
        `rss ${pick(name, 'rssMb').toFixed(0)} MB`,
        `errors ${runs.reduce((sum, run) => sum + run.errors, 0)}`,
        `${(rate / base).toFixed(2)} of the floor`,
      ].join('  '),
    );
  }
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}
