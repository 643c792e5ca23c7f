import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mainProfile, monotonicMicros, sharesOf } from './load/profiles.ts';
import { prepareScenarios } from './load/scenarios.ts';
import { startServer } from './load/server.ts';
import { median, runWrk } from './load/wrk.ts';
import { missBar } from './measure.ts';

// What the record, statistics and metrics take of the event loop's thread while mixed sessions are evaluated: npm run bench -- record.
// The first two cannot be turned off, so V8's profiler says whose the time was: a sample belongs to the first part that a file on
// its stack belongs to. Bars: the record 10 %, all three 15 %. Needs wrk (Debian package).
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    // Statistics are counted every 5 seconds.
    seconds: { type: 'string', default: '10' },
    sessions: { type: 'string', default: '2000' },
  },
});
const seconds = Number(values.seconds);
const parts = {
  record:
    /\/src\/(record\/|services\/record\/|features\/record\/|store\/record\.ts|store\/sqlite\/record\/|evaluate\/sqlite\/(evaluation-chain|record-chains)\.ts)/,
  statistics: /\/src\/(features\/stats\/|store\/sqlite\/evaluations\/stats\.ts)/,
  metrics: /\/src\/(metrics\/|app-telemetry\.ts|http\/metrics-server\.ts)|\/node_modules\/prom-client\//,
};
type Part = keyof typeof parts;
const names = Object.keys(parts) as Part[];
const bars: Partial<Record<Part | 'together', number>> = { record: 0.1, together: 0.15 };

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** A service of its own, with metrics that are read every second, under load; the share of each part of its busy time. */
async function profiledRound(): Promise<Record<Part, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-bench-record-'));
  const adminKey = `asz_admin_${'b'.repeat(43)}`;
  const metricsToken = 'm'.repeat(32);
  const env = {
    ASSIZE_PORT: '0',
    ASSIZE_DATABASE: join(folder, 'assize.db'),
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
    ASSIZE_METRICS_TOKEN: metricsToken,
  };
  const server = await startServer('dist/main.js', env, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  const key = await server.demoKey();
  const sizes = { sessions: Number(values.sessions), connections: 32, only: 'mixed' };
  const [mixed] = await prepareScenarios({ url: server.url, adminKey }, key, sizes);
  if (!mixed) throw new Error('no scenario is named mixed');
  const headers = { authorization: `Bearer ${key}` };
  const load = { url: `${server.url}/v1/evaluate`, bodies: mixed.bodies, connections: 32, headers, folder };
  // Until it is compiled.
  await runWrk({ ...load, seconds: 2 });
  const scrape = setInterval(
    () => void fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } }),
    1_000,
  );
  const from = monotonicMicros();
  const { requestsPerSecond, errors } = await runWrk({ ...load, seconds });
  const to = monotonicMicros();
  clearInterval(scrape);
  await server.stop();
  if (errors > 0) throw new Error(`${errors} requests failed`);
  const shares = sharesOf(mainProfile(folder), parts, from, to);
  console.log(`${Math.round(requestsPerSecond)} evaluations a second while profiled`);
  rmSync(folder, { recursive: true, force: true });
  return shares;
}

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const found: Record<Part, number>[] = [];
for (let round = 0; round < Number(values.rounds); round++) found.push(await profiledRound());
for (const name of [...names, 'together'] as const) {
  const shares = found.map((one) =>
    name === 'together' ? names.reduce((sum, part) => sum + one[part], 0) : one[name],
  );
  const share = median(shares);
  const bar = bars[name];
  if (bar !== undefined && share > bar) missBar();
  const among = bar === undefined ? '' : ` (bar ${percent(bar)})`;
  console.log(
    `${name.padEnd(12)} ${percent(share).padStart(6)} of the thread's time${among}: ${shares.map(percent).join(', ')}`,
  );
}
