import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { startPostgres } from './postgres.mjs';
import { runFiles } from './test-processes.mjs';
import { tiersOf } from './test-tiers.mjs';

// npm run test:slow: everything that kills processes, needs other servers and programs, or a browser; two parts at once. With the name of a part,
// that part alone, on this terminal; files and flags behind it choose what of it.

const { quick, slow: files } = tiersOf();

/** A quick test that runs on PostgreSQL as well: what differs most between the two databases. */
const alsoOnPostgres = /^\/\/ also on PostgreSQL$/m;
/** With --all: every test that uses a database. */
const usesDatabase = /\b(startApp|serveCli|newDatabase)\(/;

const run = (command, ...args) => spawnSync(command, args, { stdio: 'inherit' }).status === 0;
/** By its full address: threads of tests that work in another folder load it, too. */
const quickModules = `--import=${import.meta.resolve('./quick-modules.mjs')}`;
const nodeTests = (paths, ...flags) => run(process.execPath, quickModules, '--test', ...flags, ...paths);
const installed = (folder) =>
  existsSync(`${folder}/node_modules`) || run('npm', 'ci', '--prefix', folder, '--no-audit');

/** The longest first, so that none runs alone at the end. */
const parts = {
  interop(given) {
    process.env.NODE_COMPILE_CACHE = `${process.cwd()}/test/interop/node_modules/.cache`;
    if (!['', '/voltagent', '/openclaw'].every((folder) => installed(`test/interop${folder}`))) return false;
    return nodeTests(given.length > 0 ? given : files.interop, '--test-force-exit', '--test-concurrency=2');
  },
  /** Without a browser its tests fail. */
  console: (given) =>
    installed('test/console/browsers') &&
    runFiles(given.length > 0 ? given : files.console, { atOnce: 2, failSkip: true }),
  async postgres(given, flags) {
    const server = await startPostgres();
    const env = { ...process.env, TEST_POSTGRES: server.address };
    try {
      if (given.length > 0) return await runFiles(given, { env, atOnce: 2 });
      // What needs the server is never skipped.
      const isStoreGreen = await runFiles(files.postgres, { env, atOnce: 2, most: 4, failSkip: true });
      const chosen = flags.includes('--all') ? usesDatabase : alsoOnPostgres;
      const others = quick.filter((file) => chosen.test(readFileSync(file, 'utf8')));
      return (await runFiles(others, { env, atOnce: 2 })) && isStoreGreen;
    } finally {
      await server.stop();
    }
  },
  durability: (given) => runFiles(given.length > 0 ? given : files.durability, { atOnce: 2, most: 1 }),
  binary(given) {
    if (!existsSync('build/assize') && !run(process.execPath, 'scripts/binary/build.mjs')) return false;
    return nodeTests(given.length > 0 ? given : files.binary);
  },
  shipped: (given) => runFiles(given.length > 0 ? given : files.shipped),
  /** What an evaluation costs, beside the commit before. */
  speed: () => run(process.execPath, 'bench/guard.ts'),
  python: (given, flags) => run(process.execPath, 'test/python/run.mjs', ...given, ...flags),
  chart: (given) => installed('test/chart') && nodeTests(given.length > 0 ? given : files.chart),
  shells: (given) => runFiles(given.length > 0 ? given : files.shells),
};

const logs = 'build/test-logs';

/** Runs a part in a process of its own, and shows what it wrote only if it failed. */
async function runPart(name) {
  const begun = performance.now();
  const log = createWriteStream(`${logs}/${name}.log`);
  const child = spawn(process.execPath, [import.meta.filename, name], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const [status] = await once(child, 'close');
  log.end();
  await once(log, 'close');
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  if (status !== 0) console.log(readFileSync(`${logs}/${name}.log`, 'utf8'));
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${seconds} s`);
  return status === 0;
}

// Almost all of them start the program.
if (!run('npm', 'run', '-s', 'build')) process.exit(1);
const [first, ...rest] = process.argv.slice(2);
if (first === undefined) {
  mkdirSync(logs, { recursive: true });
  const queue = Object.keys(parts);
  const failed = [];
  const lane = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) if (!(await runPart(name))) failed.push(name);
  };
  await Promise.all([lane(), lane()]);
  if (failed.length > 0) {
    console.log(`failed: ${failed.join(', ')}; each alone: npm run test:slow -- NAME`);
    process.exitCode = 1;
  }
} else if (first in parts) {
  const flags = rest.filter((argument) => argument.startsWith('-'));
  const given = rest.filter((argument) => !argument.startsWith('-'));
  if (!(await parts[first](given, flags))) process.exitCode = 1;
} else {
  console.error(`there is no part ${first}; there are: ${Object.keys(parts).join(', ')}`);
  process.exitCode = 2;
}
