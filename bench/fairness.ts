import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Seen } from './load/bystander.ts';
import { createIntegration, delaysBesideDeadReceivers } from './load/callbacks.ts';
import { followRss } from './load/rss.ts';
import { startServer } from './load/server.ts';
import { missBar } from './measure.ts';

// What one key that takes all it can get costs another one: npm run bench -- fairness. Exits 1 when a bar is missed.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    /** Megabytes: the heap as Node is told, and the resident memory of the whole process, sampled every 20 ms. */
    heap: { type: 'string', default: '512' },
    memory: { type: 'string', default: '600' },
    /** Another build to measure. */
    script: { type: 'string' },
    only: { type: 'string' },
  },
});
const attacks = {
  flood: '2,000 x 1 MB at once',
  loop: '64 connections sending 1 MB',
  held: '64 x 1 MB held open',
  bursts: '500 x 1 KB at once, again and again',
  rate: 'a key far beyond its rate limit',
};
const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-fairness-'));
if (!values.script) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
const failures: string[] = [];
const percentile = (ms: readonly number[], part: number): number =>
  [...ms].sort((left, right) => left - right)[Math.floor(ms.length * part)] ?? Number.NaN;

const server = await startServer(
  resolve(values.script ?? 'dist/main.js'),
  {
    ASSIZE_PORT: '0',
    ASSIZE_DATABASE: join(folder, 'assize.db'),
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
    ASSIZE_CALLBACK_ALLOW: '127.0.0.1',
  },
  [`--max-old-space-size=${values.heap}`],
);
const rss = followRss(server.pid);
const target = { url: server.url, adminKey };
const bystander = fork(new URL('load/bystander.ts', import.meta.url), [
  server.url,
  (await createIntegration(target, 'bystander')).key,
]);
const ask = async (): Promise<Seen> => {
  const response = once(bystander, 'message');
  bystander.send('seen');
  return (await response)[0] as Seen;
};
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function beside(name: string, run: () => Promise<unknown>, limitMs: number): Promise<number> {
  await ask();
  rss.peakMb();
  const said = await run();
  const { ms, refused, failed } = await ask();
  const [p50, p99, peak] = [percentile(ms, 0.5), percentile(ms, 0.99), rss.peakMb()];
  console.log(
    `${name.padEnd(37)} p50 ${p50.toFixed(1).padStart(6)} ms  p99 ${p99.toFixed(1).padStart(7)} ms  max ${Math.max(
      ...ms,
    )
      .toFixed(0)
      .padStart(
        5,
      )} ms  of ${ms.length}  503s ${refused}  failed ${failed}  rss ${peak.toFixed(0)} MB${said ? `  attacker: ${JSON.stringify(said)}` : ''}`,
  );
  if (!(p99 <= limitMs)) failures.push(`${name}: p99 ${p99.toFixed(1)} ms, above ${limitMs.toFixed(1)}`);
  if (refused + failed > 0) failures.push(`${name}: the bystander was refused`);
  if (peak > Number(values.memory)) failures.push(`${name}: rss ${peak.toFixed(0)} MB`);
  return p99;
}

async function attackWith(attack: string): Promise<unknown> {
  const { key } = await createIntegration(
    target,
    attack,
    attack === 'rate' ? { requestsPerMinute: 1_200 } : {},
  );
  const child = fork(new URL('load/attacks.ts', import.meta.url), [attack, server.url, key, values.seconds]);
  const [statuses] = await once(child, 'message');
  return statuses;
}

try {
  await wait(2_000);
  const quiet = await beside('nothing', () => wait(Number(values.seconds) * 1_000), Number.POSITIVE_INFINITY);
  const limit = Math.max(30, 3 * quiet);
  for (const [attack, name] of Object.entries(attacks)) {
    if (values.only && values.only !== attack) continue;
    await beside(name, () => attackWith(attack), limit);
    await wait(1_500);
  }
  if (!values.only || values.only === 'callbacks') {
    let delays: number[] = [];
    await beside(
      '40 callbacks to dead receivers',
      async () => {
        delays = await delaysBesideDeadReceivers(target, 40, 10, Number(values.seconds));
      },
      limit,
    );
    console.log(
      `  callbacks of another integration beside them: ${delays.map((ms) => `${ms.toFixed(0)} ms`).join(', ')}`,
    );
    if (Math.max(...delays) > 1_000) failures.push('callbacks of another integration came late');
  }
} catch (error) {
  console.log(`the service ended: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  bystander.disconnect();
  rss.stop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const failure of failures) console.log(`missed: ${failure}`);
if (failures.length > 0) missBar();
