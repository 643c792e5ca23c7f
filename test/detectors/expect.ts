import type { Test } from 'tap';
import { createDetector, type DetectorOptions } from '../../src/detectors/index.ts';

/** A text, then what must be found in it and nothing else, as `TAG=value`. */
export type Case = readonly [text: string, ...found: string[]];

/** Checks the findings of each text, in order, with their exact bounds. */
export function expectCases(t: Test, cases: readonly Case[], options: DetectorOptions = {}): void {
  const detector = createDetector(options);
  for (const [text, ...wanted] of cases) {
    const found = detector
      .scan({ text })
      .detections()
      .filter(({ path }) => path === '/text')
      .map(({ tag, start, end }) => `${tag}=${text.slice(start, end)}`);
    t.same(found.sort(), [...wanted].sort(), text);
  }
}
