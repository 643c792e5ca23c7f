import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { named } from './named.mjs';

// Runs every npm script that nothing else in CI runs, in a short form, so that none is broken when it is needed: npm run test:scripts [name]...
// Fails when one fails, when it changes a file of the repository, or when package.json has a script that the tables below do not name.

const folder = mkdtempSync(join(tmpdir(), 'assize-scripts-'));

/** What makes each script short, besides BENCH_SHORT; more than one list runs it more than once. */
const short: Record<string, { args?: readonly string[]; env?: Record<string, string> }> = {
  'bench agent-traces': { args: ['--traces', 'bench/agent-traces/sample', '--list'] },
  'bench cel': {},
  'bench commands': {},
  'bench counters': { args: ['--seconds', '1', '--rounds', '1', '--sessions', '20', '--connections', '2'] },
  'bench decide': {},
  'bench:detection': { env: { ASSIZE_CORPORA: folder } },
  'bench:evaluate': {
    args: [
      '--seconds',
      '1',
      '--rounds',
      '1',
      '--warm',
      '0',
      '--sessions',
      '20',
      '--connections',
      '2',
      '--only',
      'mixed',
    ],
  },
  'bench fairness': { args: ['--seconds', '1', '--only', 'rate'] },
  'bench gate': {},
  'bench growth': {
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
  'bench guard': { args: ['--catalogue'] },
  'bench hook': {},
  'bench lists': { args: ['--sessions', '100', '--evaluations', '1000', '--times', '1'] },
  'bench:longest-step': { args: ['--bound', '100000', '--repeat', '1', '--only', 'tools read'] },
  'bench mcp': {},
  'bench mcp-proxy': {},
  'bench mcp-proxy-http': {},
  'bench overload': { args: ['--seconds', '1', '--most', '64', '--idle', '20', '--slow', '5'] },
  'bench parts': {},
  'bench record': { args: ['--seconds', '5', '--rounds', '1', '--sessions', '20'] },
  'bench replay': { args: ['--evaluations', '500', '--seconds', '1', '--rounds', '1'] },
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
  'bench start': { args: ['--starts', '1'] },
  'long cel-conformance': {},
  'docs data-tags': {},
  'docs help': {},
  'docs llms': {},
  'docs site': {},
  'docs policy-schema': {},
  'docs requests': {},
  'docs settings': {},
  'long kills': { args: ['--kills', '1', '--connections', '4'] },
  'long replicas': {
    args: ['--rounds', '1', '--replicas', '2', '--connections', '2', '--only', 'a replica is killed'],
  },
  fuzz: { args: ['--cases', '500'] },
  'long cel-fuzz': { args: ['--count', '500'] },
  migration: { args: ['--name', 'nothing'] },
  openapi: {},
  // Every page is opened by test/console/accessibility.browser.ts.
  'docs screenshots': { args: [folder, 'now'] },
};

/** Scripts that run otherwise. */
const elsewhere: Record<string, string> = {
  start: 'the set-up of the README, in .ci/run',
  assize: 'test/npm-run.test.ts',
  build: 'npm run test:built',
  prepack: 'the same as build',
  'build:binary': '.ci/run',
  format: 'the same as check -- format, and writes',
  image: 'needs a container engine',
  'test:shipped': 'a part of test:slow',
  soak: 'a minute of it: test/durability/soak/soak.test.ts',
  'long histories': 'npm test, with fewer steps',
  'long tampering': 'npm test, with fewer entries',
};
/** Everything that can be run: the scripts, and what those that take a name know. The tests and the checks run in CI as a whole. */
const isWhole = /^(test|check)(:|$)/;
const commands = Object.keys(manifest.scripts).flatMap((name) =>
  name in named && name !== 'check' ? Object.keys(named[name] ?? {}).map((one) => `${name} ${one}`) : [name],
);
const ci = `${readFileSync('.ci/run', 'utf8')}\n${readFileSync('README.md', 'utf8')}`;
const runsInCi = (name: string): boolean =>
  isWhole.test(name) && new RegExp(`npm (run (-s )?)?${name}( |;|"|$)`, 'm').test(ci);
/** Benchmarks that have a script of their own, too. */
const isTwice = (name: string): boolean => name.replace(' ', ':') in manifest.scripts;

const known = (name: string): boolean =>
  name in short || name in elsewhere || runsInCi(name) || isTwice(name);
const problems = commands
  .filter((name) => !known(name))
  .map(
    (name) => `${name}: name it in scripts/develop/test-scripts.ts, with a short form or with where it runs`,
  );
for (const name of [...Object.keys(short), ...Object.keys(elsewhere)])
  if (!commands.includes(name)) problems.push(`${name}: there is no such script`);

/** What differs from the commit, by content. */
const changes = (): string =>
  spawnSync('git', ['diff'], { encoding: 'utf8' }).stdout +
  spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout;

/** Runs a script in its short form, and says how long it took. */
async function runShort(name: string): Promise<void> {
  const { args = [], env = {} } = short[name] ?? {};
  const begun = performance.now();
  const [script = '', ...choice] = name.split(' ');
  const child = spawn('npm', ['run', '-s', script, '--', ...choice, ...args], {
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
