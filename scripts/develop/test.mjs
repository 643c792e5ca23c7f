import './require-node.mjs';
import { globSync, readFileSync } from 'node:fs';
import { holdsFloors } from './coverage-floors.mjs';
import { run, runTap } from './run-tap.mjs';
import { groupTests } from './test-groups.mjs';

// Runs tap. With --coverage, and in CI, a run of everything holds coverage to its floors, and takes a sixth longer. Other
// arguments go to tap: test files run alone.
const stopOn = (status) => status !== 0 && process.exit(status);

const withCoverage = process.argv.includes('--coverage') || Boolean(process.env.CI);
const given = process.argv.slice(2).filter((argument) => argument !== '--coverage');
// Tests run what is built as well: the program, and what other programs import.
stopOn(run('npm', 'run', '-s', 'build'));
// tap must be built once after an install.
stopOn(run('tap', 'build'));
if (given.length > 0) process.exit(run('tap', ...given));
const { include, exclude } = JSON.parse(readFileSync('package.json', 'utf8')).tap;
// Packages that are installed below test/ have tests of their own.
const files = globSync(include, { exclude: [...exclude, '**/node_modules/**'] });
const options = withCoverage ? '--coverage-report=json-summary' : '--disable-coverage';
stopOn(runTap([options], groupTests(files)));
if (withCoverage && !holdsFloors()) process.exit(1);
