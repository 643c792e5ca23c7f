import type { RecognizedTexts } from '../../detectors/index.ts';
import type { ContentRequest, RequestContent } from '../content.ts';

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

/**
 * A content on its way between threads. Its values may be 100,000, and mostly nobody asks for them: a text is copied at once. What is kept
 * of the input is mostly a part of the request's text, which both threads have.
 */
export interface PackedContent extends Omit<RequestContent, 'values'> {
  /** JSON text. */
  values: string;
  /** Where the text of the request has what is kept of the input; -1 when `kept.input` has it. */
  inputAt: number;
  inputLength: number;
}

/** Characters by which the place of the input is looked for: a search for all of it could take quadratic time. */
const startOfInput = 64;

/** `text` is that of the job. */
export function packed(content: RequestContent, text: string): PackedContent {
  const { kept } = content;
  const { input } = kept;
  const place = input === null ? -1 : text.indexOf(input.slice(0, startOfInput));
  // Not by `startsWith`, which compares character by character.
  const isPart = input !== null && place >= 0 && text.slice(place, place + input.length) === input;
  const inputAt = isPart ? place : -1;
  return {
    ...content,
    kept: inputAt < 0 ? kept : { ...kept, input: null },
    inputAt,
    inputLength: input?.length ?? 0,
    values: JSON.stringify(content.values),
  };
}

export function unpacked(
  { values: spelled, inputAt, inputLength, kept, ...content }: PackedContent,
  text: string,
): RequestContent {
  let values: RequestContent['values'] | undefined;
  return {
    ...content,
    kept: inputAt < 0 ? kept : { ...kept, input: text.slice(inputAt, inputAt + inputLength) },
    get values() {
      values ??= JSON.parse(spelled) as RequestContent['values'];
      return values;
    },
  };
}
