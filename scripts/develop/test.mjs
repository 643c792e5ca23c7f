import './require-node.mjs';
import { globSync, readFileSync } from 'node:fs';
import { run, runTap } from './run-tap.mjs';
import { groupTests } from './test-groups.mjs';

// Runs tap. With --coverage, a run of everything holds coverage to its floors, and takes a sixth longer. Other arguments go to
// tap: test files run alone.
const stopOn = (status) => status !== 0 && process.exit(status);

/**
 * Lines that tests must reach, in percent. Pure code wholly; elsewhere what is left are the branches of a failing
 * machine, and the process itself, which tests run as a program of its own.
 */
const floors = {
  'src/cel/': 100,
  'src/engine/': 100,
  'src/detectors/': 100,
  'src/store/': 97,
  'src/services/': 97,
  'src/': 96,
};

const withCoverage = process.argv.includes('--coverage');
const given = process.argv.slice(2).filter((argument) => argument !== '--coverage');
// Tests run what is built as well: the program, and what other programs import.
stopOn(run('npm', 'run', '-s', 'build'));
// tap must be built once after an install.
stopOn(run('tap', 'build'));
if (given.length > 0) process.exit(run('tap', ...given));
const { include, exclude } = JSON.parse(readFileSync('package.json', 'utf8')).tap;
// Packages that are installed below test/ have tests of their own.
const files = globSync(include, { exclude: [...exclude, '**/node_modules/**'] });
const tests = groupTests(files);
if (!withCoverage) process.exit(runTap(['--disable-coverage'], tests));
// Coverage is that of one run.
stopOn(run('tap', '--coverage-report=json-summary', ...tests));

const { total: _, ...summary } = JSON.parse(readFileSync('.tap/report/coverage-summary.json', 'utf8'));
const covered = Object.entries(summary)
  .map(([file, { lines }]) => ({ file: file.replaceAll('\\', '/'), lines }))
  // Its tests need a server: npm run test:postgres.
  .filter(({ file }) => !file.includes('/src/store/postgres/'));
const missed = Object.entries(floors).flatMap(([folder, floor]) => {
  const inside = covered.filter(({ file }) => file.includes(`/${folder}`));
  const lines = inside.reduce((sum, { lines }) => sum + lines.total, 0);
  const reached = inside.reduce((sum, { lines }) => sum + lines.covered, 0);
  const percent = (100 * reached) / lines;
  console.log(`coverage of ${folder}: ${percent.toFixed(2)} % of lines (floor ${floor} %)`);
  return percent < floor ? [folder] : [];
});
if (missed.length > 0) {
  console.error(`coverage fell below its floor in ${missed.join(', ')}`);
  process.exit(1);
}
