import { createDetector } from '../../src/detectors/index.ts';
import { LOGS, log } from './logs.ts';

const BYTES = 2_000_000;
/** Bytes that are passed on at once, as an agent reads a file in parts. */
const PART = 60_000;
/** What logs do have. */
const EXPECTED = new Set(['IP_ADDRESS', 'UNSCANNED', 'MAC_ADDRESS']);

/** Prints how much is found per MB in logs of machines beyond addresses and hashes, and what. */
export function printLogs(): void {
  const detector = createDetector();
  console.log('\nlogs: findings per MB beyond addresses and hashes');
  for (const kind of Object.keys(LOGS)) {
    const text = log(kind, 3, BYTES);
    const counts = new Map<string, number>();
    for (let from = 0; from < text.length; from += PART)
      for (const { type, count } of detector.scan({ text: text.slice(from, from + PART) }).counts)
        if (!EXPECTED.has(type)) counts.set(type, (counts.get(type) ?? 0) + count);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const named = [...counts].map(([type, count]) => `${type} ${count}`).join(', ');
    console.log(`${kind.padEnd(14)} ${((total * 1e6) / BYTES).toFixed(2)}  ${named}`);
  }
}
