import { readFileSync } from 'node:fs';

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

/** What the tests of pure code reach without those of the service, which CI runs without coverage. */
const pureFloors = { 'src/cel/': 100, 'src/engine/': 98, 'src/detectors/': 99.9 };

/** True for a test of pure code. */
export const isPureTest = (file) => /^test[/\\](cel|engine|detectors|json)[/\\]/.test(file);

export const holdsPureFloors = () => holds(pureFloors);
export const holdsFloors = () => holds(floors);

/** Prints what the last run with `--coverage-report=json-summary` reached. False when it is below a floor. */
function holds(floors) {
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
  if (missed.length > 0) console.error(`coverage fell below its floor in ${missed.join(', ')}`);
  return missed.length === 0;
}
