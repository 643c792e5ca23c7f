import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// Runs test files in few processes: each takes a second of processor time until its first test, for most files more than their tests do.

/** Files of a process: few enough that all processes of the machine are busy until the end. */
const mostFiles = 24;
/** A file that ends no test for so long hangs. */
const hangsMs = 600_000;

/** What a file does to its process or to tap's outermost test would reach the other files: such a file runs alone. */
const isAlone = (source) =>
  /^(await\b|process\.env|t\.(before|after|beforeEach|afterEach|setTimeout|teardown))|memoryUsage|\.rss\b|node:v8/m.test(
    source,
  );

/** Deals the files out, so that neighbours, which take about as long, are in different processes. */
function groups(files, most) {
  const alone = files.filter((file) => isAlone(readFileSync(file, 'utf8')));
  const shared = files.filter((file) => !alone.includes(file));
  const count = Math.ceil(shared.length / most);
  const dealt = Array.from({ length: count }, (_, place) => shared.filter((_, at) => at % count === place));
  return [...alone.map((file) => [file]), ...dealt];
}

/**
 * Runs the files, and writes of each how long it took, its processor time, and what failed in it. `atOnce`: processes; one more than there are
 * cores, because many tests wait. `most`: files in a process. With `failSkip` a skipped test has failed. Resolves with true when every file passed.
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
  const queue = groups(files, most);
  const ended = [];
  async function lane() {
    for (let group = queue.shift(); group; group = queue.shift()) {
      let left = group;
      while (left.length > 0) {
        const { done, crash } = await runGroup(left, { failSkip, mostMs, env, report });
        left = left.slice(done);
        if (crash === null) continue;
        // The file that was running has ended the process; those after it get another one.
        report({ file: left[0] ?? group.at(-1), tests: 0, seconds: 0, processor: 0, failures: [crash] });
        left = left.slice(1);
      }
    }
  }
  function report(result) {
    ended.push(result);
    const { file, seconds, processor, failures } = result;
    const times = `${seconds.toFixed(1).padStart(6)} s ${processor.toFixed(1).padStart(5)} s`;
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

let groupCount = 0;

/** Runs a group in one process. Resolves with the number of files that ended, and what ended the process before the last one did. */
async function runGroup(files, { failSkip, mostMs, env, report }) {
  groupCount += 1;
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--import=./scripts/develop/quick-modules.mjs',
    'scripts/develop/run-files.mjs',
    // Folders of tests are named after it.
    String(groupCount),
  ];
  const child = spawn(process.execPath, args, {
    // Tests have time limits of their own.
    env: { ...env, TAP_TIMEOUT: '7200', ASSIZE_TEST_FILES: JSON.stringify(files) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [done, text, errors, hung, at] = [0, '', '', false, performance.now()];
  let hasFailed = false;
  const hang = () => {
    hung = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(hang, mostMs);
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
      report({ file: end[2], tests, seconds: (now - at) / 1_000, processor: Number(end[1]), failures });
      done += 1;
      at = now;
      clearTimeout(timer);
      timer = setTimeout(hang, mostMs);
    }
  });
  const [status, signal] = await once(child, 'close');
  clearTimeout(timer);
  const after = failuresOf(text, failSkip);
  const isWhole = done === files.length && after.length === 0;
  if (isWhole && (status === 0 || (status === 1 && hasFailed))) return { done, crash: null };
  const why = hung ? `no test ended in ${mostMs / 1_000} s` : `ended with ${signal ?? status}`;
  return { done, crash: [why, ...after, errors, text.slice(-2_000)].join('\n') };
}

/** The mark that run-files.mjs writes behind a file. */
const endOf = (text) =>
  /^# Subtest: end of .*\n {4}# processor ([\d.]+)\n(?: {4}.*\n)*ok \d+ - end of (\S+).*\n/m.exec(text);

/** Failed assertions and their diagnostics, without those of the tests around them. */
function failuresOf(text, failSkip) {
  const failures = text.match(/^ *not ok (?!.*# (time=|TODO)).*\n(?: +---\n[\s\S]*?\n +\.\.\.\n)?/gm) ?? [];
  const skipped = failSkip ? (text.match(/^ *ok \d.*# SKIP.*$/gm) ?? []) : [];
  return [...failures, ...skipped.map((line) => `skipped: ${line}`)];
}
