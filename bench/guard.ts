import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importCatalogue, prepareScenarios, readSomething } from './load/scenarios.ts';
import { type Server, startServer } from './load/server.ts';
import { median } from './load/wrk.ts';
import { isShort, missBar } from './measure.ts';

// Whether an evaluation costs more than it did: the CPU time of the main thread for a request, beside the build of the commit that this
// work began at. Part `speed` of npm run test:slow; alone: npm run bench -- guard [--base COMMIT]
// With --catalogue: this build with a catalogue of 100 tools, as an import proposes it, beside itself without one.
const { values } = parseArgs({
  options: { base: { type: 'string' }, catalogue: { type: 'boolean', default: false } },
});

/** More than this many times the CPU of before is a failure. */
const bar = 1.15;
const sessions = isShort ? 20 : 500;
const connections = 32;
/** Requests in a round of one build: a third of a second or so. */
const inRound = isShort ? 64 : 1_000;
const rounds = isShort ? 1 : 10;
/** Before the first round, until V8 has compiled what runs. */
const warmUp = isShort ? 64 : 4_000;
const adminKey = `asz_admin_${'b'.repeat(43)}`;
const folder = mkdtempSync(join(tmpdir(), 'assize-guard-'));

interface Build {
  server: Server;
  key: string;
  bodies: readonly string[];
  /** The next body. */
  at: number;
  /** Microseconds of the main thread for a request, by round. */
  micros: number[];
}

const servers: Server[] = [];
try {
  const base = values.catalogue ? '' : findBase();
  if (process.platform !== 'linux')
    console.log('only Linux tells the CPU time of a thread: nothing to compare');
  else if (base === null) console.log('the clone has no earlier commit: nothing to compare with');
  else await compare(base);
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true, force: true });
}

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Where this branch left the main one; on that one, the commit before, or the last one when something is not committed. */
function findBase(): string | null {
  if (values.base !== undefined) {
    const given = git('rev-parse', '--verify', `${values.base}^{commit}`);
    if (given === null) throw new Error(`the clone has no commit ${values.base}`);
    return given;
  }
  const head = git('rev-parse', '--verify', 'HEAD');
  if (head === null) return null;
  if (git('status', '--porcelain') !== '') return head;
  for (const main of ['origin/main', 'main']) {
    const common = git('merge-base', main, 'HEAD');
    if (common !== null && common !== head) return common;
  }
  return git('rev-parse', '--verify', '--quiet', 'HEAD^');
}

async function compare(base: string): Promise<void> {
  if (base === '') return compareCatalogue();
  console.log(`this build beside ${git('log', '-1', '--format=%h %s', base)}`);
  const before = buildOf(base);
  if (before === null) {
    console.log('that commit cannot be built with the packages of this one: nothing to compare with');
    return;
  }
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  await report([await open(before, 'before'), await open('dist/main.js', 'now')]);
}

async function compareCatalogue(): Promise<void> {
  console.log('this build with a catalogue of 100 tools beside itself without one');
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  const builds = [await open('dist/main.js', 'without'), await open('dist/main.js', 'with')] as const;
  await importCatalogue({ url: builds[1].server.url, adminKey });
  for (const { server, key, bodies } of builds) await readSomething(server.url, key, bodies);
  await report(builds);
}

async function report(builds: readonly [Build, Build]): Promise<void> {
  for (const build of builds) await send(build, warmUp);
  await measure(builds, rounds);
  // What else the machine did may have fallen on one of them: again, before this is called a failure.
  if (ratiosOf(builds).isMissed) await measure(builds, rounds);
  const { times, ofBest, isMissed } = ratiosOf(builds);
  console.log(
    `CPU of an evaluation: ${times.toFixed(2)} times that of before (median of ${builds[0].micros.length} rounds), at best ${ofBest.toFixed(2)}; bar ${bar}`,
  );
  if (isMissed) missBar();
}

/** Builds a commit in a folder of its own, with the packages of this one. Null when that fails. */
function buildOf(commit: string): string | null {
  const place = join(folder, 'before');
  mkdirSync(place);
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', place], { input: archive });
  symlinkSync(join(process.cwd(), 'node_modules'), join(place, 'node_modules'));
  const { status } = spawnSync(process.execPath, ['scripts/build/bundle.mjs'], {
    cwd: place,
    stdio: 'ignore',
  });
  return status === 0 ? join(place, 'dist/main.js') : null;
}

async function open(script: string, name: string): Promise<Build> {
  const server = await startServer(script, {
    ASSIZE_PORT: '0',
    ASSIZE_DATABASE: join(folder, `${name}.db`),
    ASSIZE_ADMIN_KEY: adminKey,
    ASSIZE_RATE_LIMIT_INTEGRATION: '0',
  });
  servers.push(server);
  const target = { url: server.url, adminKey };
  const only = 'mixed, 32 sessions at once';
  const [scenario] = await prepareScenarios(target, await server.demoKey(), { sessions, connections, only });
  if (!scenario) throw new Error(`no scenario is named ${only}`);
  return { server, key: scenario.key, bodies: scenario.bodies, at: 0, micros: [] };
}

/** In turn, each the first one as often: whatever else the machine does falls on both. */
async function measure(builds: readonly Build[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const build of round % 2 === 0 ? builds : builds.toReversed()) {
      const before = build.server.threadTimes().main;
      await send(build, inRound);
      build.micros.push((build.server.threadTimes().main - before) / inRound);
    }
  }
}

async function send(build: Build, requests: number): Promise<void> {
  const { server, key, bodies } = build;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  let left = requests;
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const body = bodies[build.at++ % bodies.length] ?? '';
      const response = await fetch(`${server.url}/v1/evaluate`, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

/** A real change shows in the median of the rounds and in the best of each build; a busy moment in one of the two. */
function ratiosOf([before, now]: readonly [Build, Build]): {
  times: number;
  ofBest: number;
  isMissed: boolean;
} {
  const times = median(now.micros.map((micros, round) => micros / (before.micros[round] as number)));
  const ofBest = Math.min(...now.micros) / Math.min(...before.micros);
  return { times, ofBest, isMissed: times > bar && ofBest > bar };
}
