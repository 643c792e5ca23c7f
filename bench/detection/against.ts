import { createDetector, type Detector } from '../../src/detectors/index.ts';
import { type RealFile, realFiles } from './real-files.ts';

/** Characters of the files that are read before the other code has its turn. */
const TURN = 40_000;
/** For how long each kind of file is read, in milliseconds. */
const TIME = 12_000;

/** The files in parts of about the same size. */
function parted(files: readonly RealFile[]): RealFile[][] {
  const parts: RealFile[][] = [];
  let size = TURN;
  for (const file of files) {
    if (size >= TURN) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(file);
    size += file.text.length;
  }
  return parts;
}

function timeOf(detector: Detector, part: readonly RealFile[]): number {
  const begun = performance.now();
  for (const { value } of part) detector.scan(value);
  return performance.now() - begun;
}

/**
 * Prints the speed on real files before and now, in MB/s, and the ratio: both codes in one process, in turn for each part of the files, the
 * least time of each part, so that other load on the machine affects both equally.
 */
export function printAgainst(createFormer: () => Detector): void {
  const detectors = [createFormer(), createDetector()];
  console.log('real files, MB/s'.padEnd(18), 'before     now   ratio');
  for (const [group, files] of realFiles(800)) {
    const parts = parted(files);
    const least = detectors.map(() => parts.map(() => Number.POSITIVE_INFINITY));
    const until = performance.now() + TIME;
    for (let round = 0; performance.now() < until; round++)
      parts.forEach((part, k) => {
        // who is first finds the caches cold
        for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
          const times = least[which] ?? [];
          times[k] = Math.min(times[k] ?? 0, timeOf(detectors[which] as Detector, part));
        }
      });
    const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
    const [before = 0, now = 0] = least.map((times) => bytes / times.reduce((sum, ms) => sum + ms, 0) / 1000);
    const cells = [before.toFixed(1), now.toFixed(1), (now / before).toFixed(2)];
    console.log(group.padEnd(18), cells.map((cell) => cell.padStart(7)).join(' '));
  }
}
