import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import t from 'tap';
import {
  missingFlags,
  missingServingFlags,
  type Start,
  setServingFlags,
  v8Flags,
  withUsualFlags,
} from '../src/v8-flags.ts';
import { temporaryFolder } from './helpers/app.ts';
import { program, serveProcess } from './helpers/process.ts';

const start: Start = {
  args: ['serve'],
  execArgv: [],
  nodeOptions: '',
  isConnected: false,
  platform: 'linux',
};

t.test('flags are chosen by the number of cores', async (t) => {
  t.strictSame(v8Flags(1), ['--v8-pool-size=1', '--max-semi-space-size=16']);
  t.strictSame(v8Flags(2), ['--v8-pool-size=1', '--max-semi-space-size=16']);
  t.strictSame(v8Flags(3), ['--max-semi-space-size=16']);
  t.strictSame(v8Flags(), v8Flags(availableParallelism()));
});

t.test('a process that is about to serve is started again with the flags it lacks, once', async (t) => {
  const flags = ['--v8-pool-size=1'];
  const missing = (change: Partial<Start>) => missingFlags({ ...start, ...change }, flags);
  t.strictSame(missing({}), flags);
  t.strictSame(missing({ args: [] }), [], 'that shows the help');
  t.strictSame(missing({ execArgv: flags }), [], 'it has them');
  t.strictSame(missing({ nodeOptions: '--v8-pool-size=1' }), []);
  t.strictSame(missing({ execArgv: ['--v8-pool-size=4'] }), [], 'what the operator says wins');
  t.strictSame(missing({ nodeOptions: '--v8_pool_size=4' }), [], 'in whichever spelling');
  t.strictSame(missing({ args: ['policies', 'check'] }), [], 'another command');
  t.strictSame(missing({ args: ['serve', '--help'] }), []);
  t.strictSame(missing({ isConnected: true }), [], 'it would lose its parent');
  t.strictSame(missing({ platform: 'win32' }), []);
  t.strictSame(missingFlags(start, []), []);
});

t.test('the program serves with its flags, under the id that it was started with', async (t) => {
  const served = serveProcess(t, { ASSIZE_DATABASE: join(temporaryFolder(t), 'assize.db') });
  await served.url();
  const command = readFileSync(`/proc/${served.child.pid}/cmdline`, 'utf8').split('\0');
  t.strictSame(command.slice(1, 1 + v8Flags().length), v8Flags());
  t.match(command.at(v8Flags().length + 1), /main\.js$/);
  const environment = readFileSync(`/proc/${served.child.pid}/environ`, 'utf8').split('\0');
  t.ok(environment.includes('MALLOC_MMAP_THRESHOLD_=30000'), 'freed memory goes back at once');
  t.notMatch(served.stderr(), /Warning/);
});

t.test('where it may not run programs, the program starts without its flags', async (t) => {
  const folder = temporaryFolder(t);
  const allowed = ['fs-read=*', 'fs-write=*', 'worker', 'addons'].map((what) => `--allow-${what}`);
  const served = serveProcess(
    t,
    { ASSIZE_DATABASE: join(folder, 'assize.db') },
    { args: ['--permission', ...allowed, program] },
  );
  t.strictSame(await served.exited, { code: 1, signal: null });
  // Node syncs no file there, so that only PostgreSQL could be served.
  t.match(served.stderr(), /^assize: fsync API is disabled/m);
});

t.test('flags of a service that listens leave those alone that the operator has set', async (t) => {
  const names = (...given: string[]) => missingServingFlags(given).map(({ ours }) => ours.split('=')[0]);
  t.ok(names().includes('--max-inlined-bytecode-size'));
  t.notOk(names('--max-inlined-bytecode-size=100').includes('--max-inlined-bytecode-size'));
  t.notOk(names('--max_inlined_bytecode_size=100').includes('--max-inlined-bytecode-size'));
  t.ok(names('--max-inlined-bytecode-size=100').includes('--max-inlined-bytecode-size-cumulative'));
});

t.test('V8 inlines more while compiled code that is kept stays good for the next start', async (t) => {
  const usual = cachedDataVersionTag();
  setServingFlags();
  t.not(cachedDataVersionTag(), usual);
  t.equal(withUsualFlags(cachedDataVersionTag), usual);
  t.throws(() => withUsualFlags(() => assert.fail('broken')), /broken/);
  t.not(cachedDataVersionTag(), usual, 'and back, after an error, too');
});
