import type { RecognizedTexts, TextFinding } from '../../detectors/index.ts';
import { type Chunk, chunksOf, textsIn } from './chunks.ts';
import { createAnalyzer, type Entity } from './presidio.ts';

/** Finds what patterns cannot, such as names in prose, with the help of another process. */
export interface Recognizer {
  /** The findings in the texts of these values. Never rejects: a text that was not read says so, or is left out. */
  recognize(values: readonly unknown[]): Promise<RecognizedTexts>;
  close(): void;
}

export interface RecognizerOptions {
  /** The address of a Presidio Analyzer. */
  url: string;
  /** The language of the texts: ISO 639-1. */
  language: string;
  /** For all calls of one request. */
  timeoutMs: number;
  /** `closed` tags texts that were not read as UNSCANNED; `open` goes on without. */
  failure: 'closed' | 'open';
  onError: (error: unknown) => void;
}

/** The entities that are asked for, and the tag of each. */
const tags: ReadonlyMap<string, string> = new Map([
  ['PERSON', 'PERSON'],
  ['LOCATION', 'LOCATION'],
  ['NRP', 'NRP'],
  ['ORGANIZATION', 'ORGANIZATION'],
]);
/** Calls at once for one request: another's wait no longer for it. */
const callsAtOnce = 4;

export function createRecognizer(options: RecognizerOptions): Recognizer {
  const analyzer = createAnalyzer(options.url, options.language, [...tags.keys()]);

  return {
    async recognize(values) {
      const found = new Map<string, TextFinding[]>();
      const { chunks, unread } = chunksOf(textsIn(values));
      if (options.failure === 'closed') for (const text of unread) add(found, text, notRead(text));
      const signal = AbortSignal.timeout(options.timeoutMs);
      const left = [...chunks];
      let failure: unknown = null;
      const work = async (): Promise<void> => {
        for (let chunk = left.pop(); chunk !== undefined; chunk = left.pop()) {
          try {
            keep(found, chunk, await analyzer.analyze(chunk.text, signal));
          } catch (error) {
            failure ??= error;
            if (options.failure === 'closed')
              for (const { text } of chunk.parts) add(found, text, notRead(text));
          }
        }
      };
      await Promise.all(Array.from({ length: Math.min(callsAtOnce, chunks.length) }, work));
      if (failure !== null) options.onError(failure);
      return found;
    },
    close: () => analyzer.close(),
  };
}

/** A finding without width: it raises the tag and hides none of what patterns find in the text. */
function notRead({ length }: string): TextFinding {
  return { tag: 'UNSCANNED', start: length, end: length };
}

function add(found: Map<string, TextFinding[]>, text: string, finding: TextFinding): void {
  const known = found.get(text);
  if (known === undefined) found.set(text, [finding]);
  else known.push(finding);
}

/** Notes each entity at the text it is part of. */
function keep(found: Map<string, TextFinding[]>, chunk: Chunk, entities: readonly Entity[]): void {
  const units = unitsOf(chunk.text);
  for (const { entityType, start, end } of entities) {
    const tag = tags.get(entityType);
    if (tag === undefined) continue;
    const from = units(start);
    const to = units(end);
    for (const part of chunk.parts) {
      const first = Math.max(from, part.at);
      const last = Math.min(to, part.at + part.length);
      if (first < last)
        add(found, part.text, { tag, start: part.from + first - part.at, end: part.from + last - part.at });
    }
  }
}

/** From an index of characters to one of UTF-16 units, which differ after characters such as emoji. */
function unitsOf(text: string): (index: number) => number {
  if (!/[\ud800-\udbff]/.test(text)) return (index) => index;
  const starts: number[] = [];
  for (let i = 0; i < text.length; i += (text.codePointAt(i) as number) > 0xffff ? 2 : 1) starts.push(i);
  return (index) => starts[index] ?? text.length;
}
