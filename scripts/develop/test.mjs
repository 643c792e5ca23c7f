import './require-node.mjs';
import { globSync, readFileSync } from 'node:fs';
import { holdsFloors, holdsPureFloors, isPureTest } from './coverage-floors.mjs';
import { run, runTap } from './run-tap.mjs';
import { groupTests } from './test-groups.mjs';

// Runs tap. With --coverage, a run of everything holds coverage to its floors, and takes a third more processor time; in CI, only the
// tests of pure code do. Other arguments go to tap: test files run alone.
const stopOn = (status) => status !== 0 && process.exit(status);

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

const measured = withCoverage ? files : process.env.CI ? files.filter(isPureTest) : [];
const others = files.filter((file) => !measured.includes(file));
if (measured.length > 0) {
  stopOn(await runTap(['--coverage-report=json-summary'], groupTests(measured)));
  if (!(withCoverage ? holdsFloors() : holdsPureFloors())) process.exit(1);
}
if (others.length > 0) stopOn(await runTap(['--disable-coverage'], groupTests(others)));
