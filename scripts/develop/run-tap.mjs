import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';

const shell = process.platform === 'win32';

/** Runs a command that writes to this terminal. Returns its exit status. */
export const run = (command, ...args) => spawnSync(command, args, { stdio: 'inherit', shell }).status ?? 1;

/** More failing files than this are no accident of one run. */
const mostAgain = 2;
/** Of this run: PostgreSQL's tests run beside those of the console. */
const failedFiles = `.tap/failed-files-${process.pid}.txt`;

/**
 * Runs test files with tap. At most two that fail beside the others are run once more, alone: a test that a busy machine
 * disturbs does not fail the run, and stays named in its log. Resolves with the exit status.
 */
export async function runTap(options, files, env = process.env) {
  rmSync(failedFiles, { force: true });
  const tap = async (...all) => {
    const args = [...all, `--save=${failedFiles}`, ...files];
    const [status] = await once(spawn('tap', args, { stdio: 'inherit', env, shell }), 'exit');
    return status ?? 1;
  };
  if ((await tap(...options)) === 0) return 0;
  // One file to a line: with the list there, tap runs those alone.
  const failed = readFileSync(failedFiles, 'utf8').trim().split('\n');
  repeatFailures(failed);
  if (failed.length > mostAgain) return 1;
  console.error(`\nonce more, alone: ${failed.join(' ')}`);
  // The report of coverage stays that of all files.
  const others = options.filter((option) => !option.startsWith('--coverage'));
  const status = await tap(...others, '--jobs=1', '--disable-coverage');
  console.error(`${status === 0 ? 'passes alone, and is not stable' : 'fails alone'}: ${failed.join(' ')}`);
  return status;
}

/** What failed stands at the end as well, where the log of a long run is read first. */
function repeatFailures(files) {
  for (const file of files) {
    // An assertion and its diagnostics, without those of the tests and files around it.
    const failures = readFileSync(`.tap/test-results/${file}.tap`, 'utf8').matchAll(
      /^ *not ok (?!.*# time=).*\n(?: +---\n[\s\S]*?\n +\.\.\.\n)?/gm,
    );
    for (const [failure] of failures) console.error(`\nfailed: ${file}\n${failure}`);
  }
}
