import { createDetector, type Detector, type DetectorOptions } from '../../detectors/index.ts';
import { needsExactReading } from '../../json/parse.ts';
import { readExactly } from '../../json/read-exactly.ts';
import { type ContentRequest, type RequestContent, scanRequest } from '../content.ts';
import { digestInput } from '../evaluation-row.ts';
import { parseWithTexts } from '../verbatim-texts.ts';
import type { ScanJob } from './scan-messages.ts';

/** Detectors that are kept, because compiling the patterns of policies takes long. */
const keptDetectors = 64;

/** Scans requests as `scanRequest` does, with detectors of its own. */
export function createScanJobs(): (job: ScanJob) => RequestContent {
  const detectors = new Map<string, Detector>();

  function detectorOf(options: string): Detector {
    let detector = detectors.get(options);
    if (!detector) {
      if (detectors.size >= keptDetectors) detectors.clear();
      detector = createDetector(JSON.parse(options) as DetectorOptions);
      detectors.set(options, detector);
    }
    return detector;
  }

  return ({ detector, text, rest, recognized = null }) => {
    // It was read and checked already: it is valid, and no object in it has a key twice.
    const { value, texts } = parseWithTexts(text);
    const { input, targetMetadata = null } = (needsExactReading(text) ? readExactly(text) : value) as Pick<
      ContentRequest,
      'input'
    > &
      Partial<Pick<ContentRequest, 'targetMetadata'>>;
    const content = scanRequest(detectorOf(detector), { ...rest, input, targetMetadata, texts }, recognized);
    const { input: kept } = content.kept;
    return { ...content, inputDigest: kept === null ? null : digestInput(kept) };
  };
}
