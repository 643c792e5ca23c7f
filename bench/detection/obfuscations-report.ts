import { createDetector } from '../../src/detectors/index.ts';
import { OBFUSCATIONS, VALUES } from './obfuscations.ts';

/** Prints how many ways to write a value evade detection, and which. What could not be read, and says so, does not evade. */
export function printObfuscations(): void {
  const detector = createDetector();
  const evading: string[] = [];
  let tried = 0;
  for (const [name, make] of Object.entries(OBFUSCATIONS)) {
    for (const [tag, value] of Object.entries(VALUES)) {
      tried++;
      const { tags } = detector.scan({ text: make(value) });
      if (!tags.includes(tag) && !tags.includes('UNSCANNED')) evading.push(`${name} (${tag})`);
    }
  }
  console.log(`\nobfuscations that evade: ${evading.length} of ${tried}`);
  for (const one of evading) console.log(`  ${one}`);
}
