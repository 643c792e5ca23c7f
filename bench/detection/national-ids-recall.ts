import { createDetector } from '../../src/detectors/index.ts';
import { CONTEXTS, grouped, NATIONAL_IDS } from './national-ids.ts';

/** Prints for every context how many identifiers are found and masked there, and which kinds are missed. */
export function printNationalIds(): void {
  const detector = createDetector();
  console.log('\nnational identifiers: recall by context, kinds missed');
  for (const [context, make] of Object.entries(CONTEXTS)) {
    let found = 0;
    let total = 0;
    const missed = new Set<string>();
    for (const id of NATIONAL_IDS) {
      for (const value of id.values.flatMap((one) => [...new Set([one, grouped(id, one)])])) {
        total++;
        const scan = detector.scan(make(id, value));
        if (scan.tags.includes(id.tag) && !JSON.stringify(scan.redacted()).includes(value)) found++;
        else missed.add(id.tag);
      }
    }
    console.log(`${context.padEnd(24)} ${(found / total).toFixed(3)} of ${total} ${[...missed].join(' ')}`);
  }
}
