import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { openStore } from '../src/store/open.ts';

// The longest step of the event loop, by path and at the largest input that the path admits: npm run bench:longest-step. Exits
// with 1 when one is over the bound. A step is measured in processor time of the thread, so that other programs do not count.
const { values } = parseArgs({
  options: {
    bound: { type: 'string', default: '20' },
    /** Only the paths whose names contain this. */
    only: { type: 'string', default: '' },
    repeat: { type: 'string', default: '3' },
    /** Also reads a session that has so many evaluations: --session-evaluations 100000 --only 'long session' */
    'session-evaluations': { type: 'string', default: '0' },
  },
});

/** What the thread of the callers tells: that a path begins, or how it ended. */
export type Told = { begin: string } | { end: string; status: string; tookMs: number } | { over: true };

const adminKey = `asz_admin_${'l'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-longest-step-'));
const database = join(folder, 'assize.db');
const store = await openStore(database, { migrations: resolve(import.meta.dirname, '../migrations') });
const config = loadConfig({
  ASSIZE_DATABASE: database,
  ASSIZE_ADMIN_KEY: adminKey,
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  ASSIZE_LOG_LEVEL: 'error',
});
const app = await buildApp({ config, store, logTo: { write: (line) => process.stderr.write(line) } });
await app.services.firstStart({ adminKey, demo: null });
const url = await app.http.listen({ port: 0, host: '127.0.0.1' });

let longestMs = 0;
let last = process.threadCpuUsage();
function look(): void {
  const now = process.threadCpuUsage();
  longestMs = Math.max(longestMs, (now.user - last.user + now.system - last.system) / 1_000);
  last = now;
}
const probe = setInterval(look, 1);

/** The least of the repetitions: what the path itself takes. */
const steps = new Map<string, number>();
const callers = new Worker(new URL('longest-step/callers.ts', import.meta.url), {
  workerData: {
    url,
    adminKey,
    only: values.only,
    repeat: Number(values.repeat),
    evaluations: Number(values['session-evaluations']),
  },
});
callers.on('message', (told: Told) => {
  look();
  if ('end' in told) {
    const ms = longestMs;
    steps.set(told.end, Math.min(ms, steps.get(told.end) ?? Number.POSITIVE_INFINITY));
    console.log(
      `${told.end.padEnd(58)} ${ms.toFixed(1).padStart(8)} ms  of ${told.tookMs.toFixed(0)} ms  ${told.status}`,
    );
  }
  longestMs = 0;
});
await once(callers, 'exit');
clearInterval(probe);
await app.http.close();
await store.close();
rmSync(folder, { recursive: true, force: true });

const bound = Number(values.bound);
console.log('\nthe longest step of each path:');
for (const [name, ms] of [...steps].sort(([, one], [, other]) => other - one))
  console.log(`${ms > bound ? 'OVER' : 'ok  '} ${ms.toFixed(1).padStart(8)} ms  ${name}`);
process.exitCode = [...steps.values()].some((ms) => ms > bound) ? 1 : 0;
