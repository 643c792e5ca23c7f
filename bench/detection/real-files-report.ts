import { createDetector } from '../../src/detectors/index.ts';
import { isShort } from '../measure.ts';
import { FLOORS, stringsOf } from './floors.ts';
import { realFiles } from './real-files.ts';

/** Rounds at least, and for how long: the compiler of JavaScript takes about two seconds to be done with code this size. */
const ROUNDS = isShort ? 1 : 5;
const MIN_TIME = isShort ? 0 : 3_000;
const FILES = isShort ? 8 : 800;
const SHOWN = 8;
/** Tags of what real files do have: authors, addresses of examples, hashes. */
const EXPECTED = new Set(['EMAIL_ADDRESS', 'IP_ADDRESS', 'UNSCANNED', 'PERSON']);

/** Megabytes per second over all files, of the fastest of several rounds, in four columns. */
function speed(bytes: number, scanAll: () => void): string {
  let best = Number.POSITIVE_INFINITY;
  const until = performance.now() + MIN_TIME;
  for (let round = 0; round < ROUNDS || performance.now() < until; round++) {
    const begun = performance.now();
    scanAll();
    best = Math.min(best, performance.now() - begun);
  }
  return (bytes / best / 1000).toFixed(0).padStart(4);
}

/** Prints, for each kind of real and harmless file, what is found in it and how fast it is read. */
export function printRealFiles(): void {
  const detector = createDetector();
  console.log('\nreal files: MB/s, tagged CREDENTIALS, findings per MB beyond addresses, authors and hashes');
  for (const [group, files] of realFiles(FILES)) {
    const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
    if (bytes === 0) continue;
    const tagged: string[] = [];
    let others = 0;
    for (const { path, value } of files) {
      const scan = detector.scan(value);
      if (scan.tags.includes('CREDENTIALS')) tagged.push(path.slice(path.lastIndexOf('node_modules/') + 1));
      for (const { type, count } of scan.counts) if (!EXPECTED.has(type)) others += count;
    }
    const mbs = speed(bytes, () => {
      for (const { value } of files) detector.scan(value);
    });
    const strings = files.flatMap(({ value }) => stringsOf(value));
    const floors = Object.entries(FLOORS).map(
      ([name, run]) => `${name} ${speed(bytes, () => run(strings)).trim()}`,
    );
    const share = ((100 * tagged.length) / files.length).toFixed(2);
    const rate = ((others * 1e6) / bytes).toFixed(2);
    console.log(`${group.padEnd(14)} ${files.length} files ${mbs} MB/s  ${share} %  ${rate} per MB`);
    console.log(`  for comparison: ${floors.join(', ')} MB/s`);
    for (const path of tagged.slice(0, SHOWN)) console.log(`  ${path}`);
  }
}
