import { checkCustomDetectors, createDetector, type Detector, taxonomy } from '../../detectors/index.ts';
import type { CheckOptions } from '../../policy/document/check-policy-document.ts';
import type { CustomDetector } from '../../schemas/policy-documents.ts';
import { replaySteps } from './policy-tests/replay-steps.ts';

/** Every tag and category of the built-in detectors. */
export const knownTags: readonly string[] = [
  ...new Set(taxonomy.flatMap(({ tag, categories }) => [tag, ...categories])),
];

/** All tests of a document have the same patterns, and compiling them takes long. */
const detectors = new WeakMap<readonly CustomDetector[], Detector>();

/** What a check needs to look at all of a document: its own detectors and tests included. */
export const wholeCheck = {
  checkCustomDetectors: (custom) => checkCustomDetectors(custom, () => performance.now()),
  // The data tags of a document's test, with the document's own detectors.
  detect: (input, custom) => {
    const detector = detectors.get(custom) ?? createDetector({ custom });
    detectors.set(custom, detector);
    const scan = detector.scan(input);
    return { dataTags: scan.tags, detections: scan.counts };
  },
  replaySteps,
  tags: knownTags,
} satisfies CheckOptions;
