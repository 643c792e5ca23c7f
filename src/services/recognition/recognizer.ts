import { once } from 'node:events';
import type { RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { RecognizedTexts, TextFinding } from '../../detectors/index.ts';
import {
  createAddressPolicy,
  guardedLookup,
  nonPublicKind,
  readAddress,
} from '../callbacks/address-policy.ts';

import { Agent as HttpAgent, readText, request as requestHttp } from '../node-http.ts';

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

/** Texts that are sent in one call, one below the other, and where each begins. */
export interface Chunk {
  text: string;
  parts: readonly Part[];
}

export interface Part {
  /** The text that this is a piece of, where the piece begins in it and where in the chunk, and its length. */
  text: string;
  from: number;
  at: number;
  length: number;
}

/** UTF-16 units of one call, and calls for one request: beyond them texts stay unread. */
const chunkUnits = 8_000;
const mostChunks = 32;
/** Between two texts, so that no name reaches from one into the next. */
const gap = '\n\n';
const letters = /\p{L}{2}/u;

/** Every text of a value that may hold a name, each once. */
export function textsIn(values: readonly unknown[]): readonly string[] {
  const texts = new Set<string>();
  const left = [...values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (letters.test(value)) texts.add(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) left.push(inner);
    }
  }
  return [...texts];
}

/** The calls that read these texts, and the texts that no call has room for. */
export function chunksOf(texts: readonly string[]): { chunks: readonly Chunk[]; unread: readonly string[] } {
  const chunks: { text: string; parts: Part[] }[] = [];
  const unread: string[] = [];
  for (const text of texts) {
    const pieces = piecesOf(text);
    const last = chunks.at(-1);
    const fits =
      last !== undefined && pieces.length === 1 && last.text.length + gap.length + text.length <= chunkUnits;
    if (fits) {
      const at = last.text.length + gap.length;
      last.text += gap + text;
      last.parts.push({ text, from: 0, at, length: text.length });
    } else if (chunks.length + pieces.length > mostChunks) unread.push(text);
    else
      for (const [from, to] of pieces)
        chunks.push({ text: text.slice(from, to), parts: [{ text, from, at: 0, length: to - from }] });
  }
  return { chunks, unread };
}

/** Bounds of the pieces of a text: a long one is cut at spaces. */
function piecesOf(text: string): readonly (readonly [from: number, to: number])[] {
  const pieces: [number, number][] = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + chunkUnits);
    const space = text.lastIndexOf(' ', to);
    if (to < text.length && space > from) to = space;
    pieces.push([from, to]);
    from = to;
  }
  return pieces;
}

/** A finding as the API has it: offsets count characters (code points), as Python does. */
export interface Entity {
  entityType: string;
  start: number;
  end: number;
}

/** Calls at once, for all requests; more wait, within the time limit of the request they are for. */
const mostCalls = 16;
/** The limit of one response: a text of 8,000 characters has few names. */
const responseLimitBytes = 1_048_576;
/** Below, the model is guessing. */
const scoreThreshold = 0.5;

export interface Analyzer {
  /** Rejects unless the service answered in the form that its API has. */
  analyze(text: string, signal: AbortSignal): Promise<readonly Entity[]>;
  close(): void;
}

/**
 * Calls `POST /analyze` of a Presidio Analyzer. Its host may be anywhere but at a metadata address: the operator names it.
 * Redirects are not followed. Node's own client: see the callback sender.
 */
function createAnalyzer(base: string, language: string, entities: readonly string[]): Analyzer {
  const url = new URL(`${base.replace(/\/+$/, '')}/analyze`);
  const isSecure = url.protocol === 'https:';
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: mostCalls });
  const port = Number(url.port) || (isSecure ? 443 : 80);
  const policy = createAddressPolicy(isMetadata(url) ? [] : [`${url.hostname}:${port}`]);

  return {
    async analyze(text, signal) {
      const dial: RequestOptions = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'assize' },
        agent,
        lookup: guardedLookup(url, policy),
        signal,
      };
      const request = isSecure ? requestHttps : requestHttp;
      const outgoing = request(url, dial).on('error', () => undefined); // `once` tells the first; none after it may throw
      outgoing.end(JSON.stringify({ text, language, entities, score_threshold: scoreThreshold }));
      const [response] = await once(outgoing, 'response');
      const body = await readText(response, 'the recogniser', responseLimitBytes);
      if (response.statusCode !== 200) throw new Error(`the recogniser answered ${response.statusCode}`);
      return readEntities(readJson(body));
    },
    close: () => agent.destroy(),
  };
}

/** Whether the URL names the address of a cloud's metadata itself: nothing opens that. */
function isMetadata({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && nonPublicKind(readAddress(host)) === 'metadata';
}

/** An error of the parser would quote what was answered, and with it the text. */
function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new Error('the recogniser answered no JSON');
  }
}

function readEntities(value: unknown): readonly Entity[] {
  if (!Array.isArray(value)) throw new Error('the recogniser answered no list');
  return value.map((one: unknown) => {
    const { entity_type: entityType, start, end } = (one ?? {}) as Record<string, unknown>;
    const isEntity =
      typeof entityType === 'string' && Number.isSafeInteger(start) && Number.isSafeInteger(end);
    if (!isEntity || (start as number) < 0 || (end as number) <= (start as number))
      throw new Error('the recogniser answered something else than entities');
    return { entityType, start: start as number, end: end as number };
  });
}
