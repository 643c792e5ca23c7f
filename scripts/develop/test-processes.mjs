import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';

// Runs test files in few processes: each takes a second of processor time until its first test, for most files more than their tests do.

/** Files of a process, whose memory grows with them. */
const mostFiles = 60;
/** A file that ends no test for so long hangs. */
const hangsMs = 600_000;

/**
 * What a file does to its process or to tap's outermost test would reach the other files: such a file runs alone. A collection
 * of garbage takes the longer, the more files a process holds.
 */
const isAlone = (file) =>
  /^(await\b|process\.env|t\.(before|after|beforeEach|afterEach|setTimeout|teardown))|memoryUsage|\.rss\b|node:v8|helpers\/garbage/m.test(
    readFileSync(file, 'utf8'),
  );

/** A file that takes long says so, and begins before others: none runs alone at the end. */
const takesLong = (file) => /^\/\/ takes long: begins first$/m.test(readFileSync(file, 'utf8'));

/**
 * Runs the files, and writes of each how long it took, its processor time, and what failed in it. `atOnce`: processes; one more than there are
 * cores, because many tests wait. `most`: files in a process. With `failSkip` a skipped test has failed. A file that fails because its browser ended
 * by itself is run once more. Resolves with true when every file passed.
 */
export async function runFiles(
  files,
  {
    atOnce = availableParallelism() + 1,
    most = mostFiles,
    failSkip = false,
    mostMs = hangsMs,
    env = process.env,
  } = {},
) {
  const begun = performance.now();
  const alone = files.filter(isAlone);
  const long = files.filter((file) => !alone.includes(file) && takesLong(file));
  const shared = [...long, ...files.filter((file) => !alone.includes(file) && !long.includes(file))];
  const ended = [];
  /** Files that run a second time. */
  const again = new Set();
  /** Each process takes the next file once it has ended one, so that all are busy until the end. */
  async function lane() {
    for (;;) {
      const file = alone.shift();
      if (file === undefined && shared.length === 0) return;
      let left = file === undefined ? most : 1;
      const next = () => (left-- > 0 ? (file ?? shared.shift()) : undefined);
      const crash = await runProcess(next, { failSkip, mostMs, env, report });
      // The file that was running has ended the process; those after it get another one.
      if (crash) report({ ...crash, tests: 0, seconds: 0, processor: 0 });
      // It ended before its first file, as the next process would.
      if (crash?.file === null) return;
    }
  }
  function report(result) {
    const { file, seconds, processor, failures, lostBrowser } = result;
    const times = `${seconds.toFixed(1).padStart(6)} s ${processor.toFixed(1).padStart(5)} s`;
    if (failures.length > 0 && lostBrowser && !again.has(file)) {
      again.add(file);
      shared.push(file);
      console.log(`again ${times}  ${file}: its browser ended by itself`);
      return;
    }
    ended.push(result);
    console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${times}  ${file}`);
    for (const failure of failures) console.log(`failed: ${file}\n${failure}\n`);
  }
  await Promise.all(Array.from({ length: Math.max(1, atOnce) }, lane));
  const sum = (name) => ended.reduce((all, result) => all + result[name], 0);
  const failed = new Set(ended.filter(({ failures }) => failures.length > 0).map(({ file }) => file));
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(
    `${files.length} files, ${sum('tests')} assertions, ${seconds} s, processor of the tests ${sum('processor').toFixed(0)} s`,
  );
  console.log(failed.size === 0 ? 'all pass' : `${failed.size} failed: ${[...failed].join(' ')}`);
  return failed.size === 0;
}

let processCount = 0;

/** Threads and processes that tests start load what others have compiled. */
const compiled = resolve('build/compiled');

/** Without the keys and the address of a service that whoever runs the tests uses: commands would take them. */
function withoutOwnKeys({ ASSIZE_KEY: _key, ASSIZE_ADMIN_KEY: _adminKey, ASSIZE_URL: _url, ...env }) {
  return env;
}

/**
 * Runs the files that `next` returns in one process, until it returns none. Resolves with null, or with the file at which the process ended
 * before it, and why.
 */
async function runProcess(next, { failSkip, mostMs, env, report }) {
  processCount += 1;
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--import=./scripts/develop/quick-modules.mjs',
    'scripts/develop/run-files.mjs',
    // Folders of tests are named after it.
    String(processCount),
  ];
  const child = spawn(process.execPath, args, {
    // Tests have time limits of their own.
    env: { NODE_COMPILE_CACHE: compiled, ...withoutOwnKeys(env), TAP_TIMEOUT: '7200' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let [running, last, text, errors, hung, at] = [null, null, '', '', false, performance.now()];
  let hasFailed = false;
  let timer;
  /** Files that it was sent, and of which it has not said how they ended. */
  const open = new Set();
  function runNext() {
    clearTimeout(timer);
    running = next() ?? null;
    last = running ?? last;
    // A process that has ended meanwhile says so by its end.
    child.send(running, () => undefined);
    if (running === null) return;
    open.add(running);
    timer = setTimeout(() => {
      hung = true;
      child.kill('SIGKILL');
    }, mostMs);
  }
  child.stderr.setEncoding('utf8').on('data', (some) => {
    errors = (errors + some).slice(-20_000);
  });
  child.stdout.setEncoding('utf8').on('data', (some) => {
    text += some;
    for (let end = endOf(text); end; end = endOf(text)) {
      const own = text.slice(0, end.index);
      text = text.slice(end.index + end[0].length);
      const now = performance.now();
      const tests = own.match(/^ *ok \d/gm)?.length ?? 0;
      const failures = failuresOf(own, failSkip);
      if (tests === 0 && failures.length === 0) failures.push('it has no test');
      hasFailed ||= failures.length > 0;
      open.delete(end[2]);
      const [seconds, processor] = [(now - at) / 1_000, Number(end[1])];
      report({ file: end[2], tests, seconds, processor, failures, lostBrowser: hasLostBrowser(own) });
      at = now;
    }
  });
  // tap sends messages as well.
  child.on('message', (message) => message === 'next' && runNext());
  const [status, signal] = await once(child, 'close');
  clearTimeout(timer);
  const after = failuresOf(text, failSkip);
  const isWhole = running === null && open.size === 0 && after.length === 0;
  if (isWhole && (status === 0 || (status === 1 && hasFailed))) return null;
  const why = hung
    ? `no test ended in ${mostMs / 1_000} s`
    : `ended with ${signal ?? status}; open: ${[...open].join(' ')}`;
  const failures = [[why, ...after, errors, text.slice(-2_000)].join('\n')];
  return { file: last, failures, lostBrowser: hasLostBrowser(text) };
}

/** Whether the browser ended by itself before anything failed: test/console/browser.ts prints that line. */
function hasLostBrowser(text) {
  const at = text.search(/^# the browser ended by itself$/m);
  return at >= 0 && failuresOf(text.slice(0, at), false).length === 0;
}

/** The mark that run-files.mjs writes behind a file. */
const endOf = (text) =>
  /^# Subtest: end of .*\n {4}# processor ([\d.]+)\n(?: {4}.*\n)*(?:not )?ok \d+ - end of (\S+).*\n/m.exec(
    text,
  );

/** Failed assertions and their diagnostics, without those of the tests around them. */
function failuresOf(text, failSkip) {
  const failures = text.match(/^ *not ok (?!.*# (time=|TODO)).*\n(?: +---\n[\s\S]*?\n +\.\.\.\n)?/gm) ?? [];
  const skipped = failSkip ? (text.match(/^ *ok \d.*# SKIP.*$/gm) ?? []) : [];
  return [...failures, ...skipped.map((line) => `skipped: ${line}`)];
}
