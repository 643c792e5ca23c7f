import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };

// Runs every npm script that nothing else in CI runs, in a short form, so that none is broken when it is needed: npm run test:scripts [name]...
// Fails when one fails, when it changes a file of the repository, or when package.json has a script that the tables below do not name.

const folder = mkdtempSync(join(tmpdir(), 'assize-scripts-'));

/** What makes each script short, besides BENCH_SHORT; more than one list runs it more than once. */
const short: Record<string, { args?: readonly string[]; env?: Record<string, string> }> = {
  'bench:agent-traces': { args: ['--traces', 'bench/agent-traces/sample', '--list'] },
  'bench:cel': {},
  'bench:counters': { args: ['--seconds', '1', '--rounds', '1', '--sessions', '20', '--connections', '2'] },
  'bench:decide': {},
  'bench:detection': { env: { ASSIZE_CORPORA: folder } },
  'bench:evaluate': {
    args: ['--seconds', '1', '--rounds', '1', '--sessions', '20', '--connections', '2', '--only', 'mixed'],
  },
  'bench:fairness': { args: ['--seconds', '1', '--only', 'rate'] },
  'bench:gate': {},
  'bench:growth': {
    args: [
      '--sessions',
      '100',
      '--evaluations',
      '1000',
      '--actions',
      '100',
      '--seconds',
      '1',
      '--rounds',
      '1',
    ],
  },
  'bench:hook': {},
  'bench:lists': { args: ['--sessions', '100', '--evaluations', '1000', '--times', '1'] },
  'bench:longest-step': { args: ['--bound', '100000', '--repeat', '1', '--only', 'tools read'] },
  'bench:mcp': {},
  'bench:overload': { args: ['--seconds', '1', '--most', '64', '--idle', '20', '--slow', '5'] },
  'bench:parts': {},
  'bench:record': { args: ['--seconds', '5', '--rounds', '1', '--sessions', '20'] },
  'bench:replay': { args: ['--evaluations', '500', '--seconds', '1', '--rounds', '1'] },
  'bench:replicas': {
    args: [
      '--seconds',
      '1',
      '--rounds',
      '1',
      '--warm',
      '1',
      '--connections',
      '4',
      '--sessions',
      '20',
      '--only',
      'SQLite',
    ],
  },
  'bench:start': { args: ['--starts', '1'] },
  'conformance:cel': {},
  'docs:data-tags': {},
  'docs:help': {},
  'docs:policy-schema': {},
  'docs:settings': {},
  'durability:kill': { args: ['--kills', '1', '--connections', '4'] },
  'durability:replicas': {
    args: ['--rounds', '1', '--replicas', '2', '--connections', '2', '--only', 'a replica is killed'],
  },
  fuzz: { args: ['--cases', '500'] },
  'fuzz:cel': { args: ['--count', '500'] },
  migration: { args: ['--name', 'nothing'] },
  openapi: {},
  screenshots: { args: [folder] },
};

/** Scripts that run otherwise. */
const elsewhere: Record<string, string> = {
  start: 'the set-up of the README, in .ci/run',
  assize: 'test/npm-run.test.ts',
  build: 'npm test',
  prepack: 'the same as build',
  'build:binary': '.ci/run',
  format: 'the same as check:format, and writes',
  image: 'needs a container engine',
  'test:shipped': 'a part of test:slow',
  'test:postgres': 'a part of test:slow',
  'replay:history': 'npm test, with fewer steps',
  'tamper:record': 'npm test, with fewer entries',
};
/** Tests and checks are run by what CI runs. */
const run = `${readFileSync('.ci/run', 'utf8')}\n${Object.values(manifest.scripts).join('\n')}\nnpm run test`;
const runsInCi = (name: string): boolean =>
  /^(test|check)(:|$)/.test(name) && new RegExp(`npm run (-s )?${name}( |;|"|$)`, 'm').test(run);

const known = (name: string): boolean => name in short || name in elsewhere || runsInCi(name);
const problems = Object.keys(manifest.scripts)
  .filter((name) => !known(name))
  .map(
    (name) => `${name}: name it in scripts/develop/test-scripts.ts, with a short form or with where it runs`,
  );
for (const name of [...Object.keys(short), ...Object.keys(elsewhere)])
  if (!(name in manifest.scripts)) problems.push(`${name}: package.json has no such script`);

/** What differs from the commit, by content. */
const changes = (): string =>
  spawnSync('git', ['diff'], { encoding: 'utf8' }).stdout +
  spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout;

/** Runs a script in its short form, and says how long it took. */
async function runShort(name: string): Promise<void> {
  const { args = [], env = {} } = short[name] ?? {};
  const begun = performance.now();
  const child = spawn('npm', ['run', '-s', name, '--', ...args], {
    env: { ...process.env, BENCH_SHORT: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-4_000);
  });
  const [status] = await once(child, 'close');
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(22)} ${seconds} s`);
  if (status !== 0) problems.push(`${name} ended with ${status}: ${errors}`);
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(short);
const before = changes();
// Once, before two of them would at the same time.
spawnSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' });
/** They mostly wait for their own processes: two at once. */
const lane = async () => {
  for (let name = chosen.shift(); name; name = chosen.shift()) await runShort(name);
};
await Promise.all([lane(), lane()]);
if (changes() !== before) problems.push('files of the repository have changed: git diff');
rmSync(folder, { recursive: true, force: true });
for (const problem of problems) console.log(`failed: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
