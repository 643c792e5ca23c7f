import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { SimulationLine } from '../src/schemas/replays.ts';
import { followRss } from './load/rss.ts';
import { startServer } from './load/server.ts';
import { sessionBodies } from './load/tool-calls.ts';
import { median, runWrk } from './load/wrk.ts';

// How fast the record is replayed, in how much memory, and what that costs live traffic: npm run bench -- replay. Needs wrk (Debian
// package). What is recorded by the demo policies is replayed unchanged, so that no verdict may differ, and with two candidates:
// one that changes few verdicts, and one that changes many.
const { values } = parseArgs({
  options: {
    evaluations: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    // Where the file is kept and found again; it is made anew, and removed, without.
    folder: { type: 'string' },
  },
});
const wanted = Number(values.evaluations);
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)];
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'assize-replay-'));
mkdirSync(folder, { recursive: true });
const adminKey = `asz_admin_${'b'.repeat(43)}`;
const made = join(folder, 'made');
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });

const server = await startServer('dist/main.js', {
  ASSIZE_PORT: '0',
  ASSIZE_DATABASE: join(folder, 'assize.db'),
  ASSIZE_ADMIN_KEY: adminKey,
  ASSIZE_RATE_LIMIT_INTEGRATION: '0',
});
const memory = followRss(server.pid);
const number = (value: number, digits = 0): string =>
  value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

const document = readFileSync('policies/runaway-agents.yaml', 'utf8');
const rule =
  '{ id: on-trial, when: tool == "math.eval" && session.actionCount == 20, effect: BLOCK, reason: trial }';
/** One action in some of the sessions. */
const changesFew = { document: document.replace(/^rules:$/m, `rules:\n  - ${rule}`) };
/** A limit for calls that most sessions reach. */
const changesMany = { document, params: { callsPerHour: 5 } };

/** The last line of a replay of everything. */
async function replay(change: object, signal?: AbortSignal): Promise<SimulationLine | null> {
  const response = await fetch(`${server.url}/v1/policies/simulate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(change),
    ...(signal && { signal }),
  });
  if (response.status !== 200 || !response.body) throw new Error(`no replay: ${await response.text()}`);
  let last: SimulationLine | null = null;
  for await (const line of createInterface({ input: Readable.fromWeb(response.body) }))
    last = JSON.parse(line);
  return last;
}

try {
  const key = await server.demoKey();
  const bodies = await sessionBodies(server.url, key, existsSync(made) ? 400 : Math.ceil(wanted / 25));
  const headers = { authorization: `Bearer ${key}` };
  const load = { url: `${server.url}/v1/evaluate`, connections: 16, headers, bodies, folder };
  if (!existsSync(made)) {
    for (let recorded = 0; recorded < wanted; )
      recorded += (await runWrk({ ...load, seconds: Math.min(10, Math.ceil((wanted - recorded) / 4_000)) }))
        .requests;
    writeFileSync(made, '');
  }

  for (const [name, change] of [
    ['unchanged', {}],
    ['changes few', changesFew],
    ['changes many', changesMany],
  ] as const) {
    memory.peakMb();
    const alone = await replay(change);
    if (alone?.type !== 'result') throw new Error(`the replay ended with ${JSON.stringify(alone)}`);
    console.log(
      `${name}: ${number(alone.evaluations)} evaluations in ${number(alone.seconds, 1)} s: ${number(alone.evaluations / alone.seconds)}/s, ${number(memory.peakMb())} MB at most, ${alone.changed} verdicts differ`,
    );
  }

  const live: Record<'without' | 'with', number[]> = { without: [], with: [] };
  for (let round = 0; round < rounds; round++) {
    live.without.push((await runWrk({ ...load, seconds })).requestsPerSecond);
    const cancel = new AbortController();
    const running = replay(changesMany, cancel.signal).catch(() => null);
    live.with.push((await runWrk({ ...load, seconds })).requestsPerSecond);
    cancel.abort();
    await running;
  }
  const [without, beside] = [median(live.without), median(live.with)];
  console.log(
    `live traffic: ${number(without)} req/s, ${number(beside)} req/s beside a replay: ${number((1 - beside / without) * 100, 1)} % slower`,
  );
} finally {
  memory.stop();
  await server.stop();
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
