import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { preparePair } from './load/counted.ts';
import { startServer } from './load/server.ts';
import { errorsOf, type Measured, median, runWrk } from './load/wrk.ts';

// What 20 counters cost: evaluates a second with a policy of 20 rules that read counters over sessions, entities and the
// integration, beside the same rules without counters, in alternating runs: npm run bench -- counters. Needs wrk.
const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '9' },
    sessions: { type: 'string', default: '4000' },
    build: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const connections = Number(values.connections);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
if (values.build) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const service = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
  ASSIZE_ADMIN_KEY: adminKey,
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  ASSIZE_DEMO: 'false',
});
try {
  const pair = await preparePair({ url: service.url, adminKey }, Number(values.sessions));
  const runs = pair.map(({ name, key, bodies }) => ({
    name,
    load: {
      url: `${service.url}/v1/evaluate`,
      connections,
      seconds,
      folder,
      headers: { authorization: `Bearer ${key}` },
      bodies,
    },
    measured: [] as (Measured & { cpuMicros: number })[],
  }));
  const ratios: number[] = [];
  // The first round only warms up. Each later one gives a ratio of neighbours: what else the machine does falls on both.
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? runs : [...runs].reverse();
    for (const run of order) {
      await service.measure();
      const measured = await runWrk(run.load);
      const { cpuMicros } = await service.measure();
      if (round > 0) run.measured.push({ ...measured, cpuMicros });
    }
    const [without, counted] = runs.map(({ measured }) => measured.at(-1)?.requestsPerSecond ?? 0);
    if (round > 0 && without && counted) ratios.push(counted / without);
  }
  for (const { name, measured } of runs) {
    const of = (pick: (run: (typeof measured)[number]) => number): number => median(measured.map(pick));
    console.log(
      `${name.padEnd(20)} ${Math.round(of((run) => run.requestsPerSecond)).toLocaleString('en')} req/s  p50 ${of((run) => run.p50Ms).toFixed(2)} ms  cpu ${of((run) => run.cpuMicros / run.requests).toFixed(1)} µs/request  errors ${errorsOf(measured)}`,
    );
  }
  console.log(
    `throughput with 20 counters: ${median(ratios).toFixed(2)} of that without (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
  );
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
