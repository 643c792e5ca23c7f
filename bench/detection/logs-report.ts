import { createDetector } from '../../src/detectors/index.ts';
import { isShort } from '../measure.ts';
import { LOGS, log } from './logs.ts';
import { systemFiles } from './system-files.ts';

const BYTES = isShort ? 50_000 : 2_000_000;
/** Bytes that are passed on at once, as an agent reads a file in parts. */
const PART = 60_000;
const SHOWN = 8;
/** What logs do have. */
const EXPECTED = new Set(['IP_ADDRESS', 'UNSCANNED', 'MAC_ADDRESS']);
/** What notes of packages do have besides: authors. */
const AUTHORS = new Set(['EMAIL_ADDRESS', 'PERSON']);

/** Prints how much is found per MB in logs of machines beyond addresses and hashes, and what. */
export function printLogs(): void {
  console.log('\nlogs: findings per MB beyond addresses and hashes');
  for (const kind of Object.keys(LOGS)) printRow(kind, [log(kind, 3, BYTES)], EXPECTED);
  for (const [name, files] of systemFiles()) {
    const texts = files.map(({ text }) => text);
    if (texts.length > 0) printRow(name, texts, new Set([...EXPECTED, ...AUTHORS]));
  }
}

function printRow(name: string, texts: readonly string[], expected: ReadonlySet<string>): void {
  const detector = createDetector();
  const counts = new Map<string, number>();
  const shown: string[] = [];
  let bytes = 0;
  for (const text of texts) {
    bytes += text.length;
    for (let from = 0; from < text.length; from += PART) {
      const part = text.slice(from, from + PART);
      for (const { tag, start, end } of detector.scan({ text: part }).detections()) {
        if (expected.has(tag)) continue;
        counts.set(tag, (counts.get(tag) ?? 0) + 1);
        if (shown.length < SHOWN)
          shown.push(`${tag}: ${JSON.stringify(part.slice(Math.max(0, start - 30), end + 10))}`);
      }
    }
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const named = [...counts].map(([type, count]) => `${type} ${count}`).join(', ');
  console.log(
    `${name.padEnd(18)} ${(bytes / 1e6).toFixed(1)} MB  ${((total * 1e6) / bytes).toFixed(2)} per MB  ${named}`,
  );
  for (const line of shown) console.log(`  ${line}`);
}
