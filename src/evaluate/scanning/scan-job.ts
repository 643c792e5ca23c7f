import {
  createDetector,
  type Detector,
  type DetectorOptions,
  type RecognizedTexts,
} from '../../detectors/index.ts';
import { needsExactReading } from '../../json/parse.ts';
import { readExactly } from '../../json/read-exactly.ts';
import { type ContentRequest, type RequestContent, scanRequest } from '../content.ts';
import { parseWithTexts } from '../verbatim-texts.ts';

/** A request to be scanned in another thread. Its large parts travel as the text that they were sent as. */
export interface ScanJob {
  /** JSON text of the detector's options. */
  detector: string;
  /** JSON text of an object with the members `input` and `targetMetadata` of the request. */
  text: string;
  /** Findings of a recogniser; null or absent without one. */
  recognized?: RecognizedTexts | null;
  rest: Omit<ContentRequest, 'input' | 'targetMetadata' | 'texts'>;
}

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
    return scanRequest(detectorOf(detector), { ...rest, input, targetMetadata, texts }, recognized);
  };
}

/** A content on its way between threads. Its values may be 100,000, and mostly nobody asks for them: a text is copied at once. */
export interface PackedContent extends Omit<RequestContent, 'values'> {
  /** JSON text. */
  values: string;
}

export const packed = (content: RequestContent): PackedContent => ({
  ...content,
  values: JSON.stringify(content.values),
});

export function unpacked({ values: text, ...content }: PackedContent): RequestContent {
  let values: RequestContent['values'] | undefined;
  return {
    ...content,
    get values() {
      values ??= JSON.parse(text) as RequestContent['values'];
      return values;
    },
  };
}
