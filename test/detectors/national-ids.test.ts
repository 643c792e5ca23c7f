import { test } from 'tap';
import { CONTEXTS, grouped, NATIONAL_IDS } from '../../bench/detection/national-ids.ts';
import { createDetector } from '../../src/detectors/index.ts';

const detector = createDetector();

for (const id of NATIONAL_IDS) {
  test(`${id.tag} is found and masked in every context, with and without its separators`, async (t) => {
    const missed: string[] = [];
    for (const [context, make] of Object.entries(CONTEXTS)) {
      for (const value of id.values) {
        for (const form of new Set([value, grouped(id, value)])) {
          const input = make(id, form);
          const scan = detector.scan(input);
          const isMasked = !JSON.stringify(scan.redacted()).includes(form);
          if (!scan.tags.includes(id.tag) || !isMasked)
            missed.push(`${context}: ${JSON.stringify(input)} ${scan.tags.join(' ')}`);
        }
      }
    }
    t.same(missed, []);
  });
}
