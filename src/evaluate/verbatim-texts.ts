import { randomBytes } from 'node:crypto';
import { exactJson, stringifyJson } from '../json/stringify.ts';

/**
 * JSON of long texts as they were sent, by the text. The content kept of a request is spelled anew, so that nothing gets into
 * the record which was not looked at, such as the first of two members of one name; but to spell a text of 100 KB takes
 * three times as long as to parse it, and its own spelling says the same.
 */
export type SentTexts = ReadonlyMap<string, string>;
export const noTexts: SentTexts = new Map();

/** Characters from which a text is long. */
const long = 4_096;
/** Long texts are looked for only where there is little beside them. */
const mostOutside = 2_048;
const charactersForQuote = 256;

/** TypeScript does not describe it yet (https://github.com/tc39/proposal-json-parse-with-source). */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };
/** Stands for a long text while all else is spelled: a number of 39 digits by chance, which no other text holds. */
const mark = BigInt(`0x${randomBytes(16).toString('hex')}`).toString();
const marked = rawJSON(mark);

/** `JSON.parse`, and the long texts of it. */
export function parseWithTexts(text: string): { value: unknown; texts: SentTexts } {
  const value = JSON.parse(text) as unknown;
  if (text.length < long) return { value, texts: noTexts };
  const texts = new Map<string, string>();
  for (const spelled of longTexts(text)) {
    const said = spelled.includes('\\') ? (JSON.parse(spelled) as string) : spelled.slice(1, -1);
    if (said.length >= long) texts.set(said, spelled);
  }
  return { value, texts };
}

/** `stringifyJson`, but long texts that were sent are not spelled again. */
export function stringifyWithTexts(value: unknown, texts: SentTexts): string {
  if (texts.size === 0) return stringifyJson(value);
  const spelled: string[] = [];
  const outline = JSON.stringify(value, (_key, member) => {
    const text = typeof member === 'string' && member.length >= long ? texts.get(member) : undefined;
    if (text === undefined) return exactJson(member);
    spelled.push(text);
    return marked;
  });
  return outline.split(mark).reduce((before, after, at) => before + spelled[at - 1] + after);
}

/**
 * `JSON.stringify` of a text, as `canonicalJson` asks for it. A long text that was sent without escapes needs none: JSON allows
 * no control character or quotation mark in it, and UTF-8 no half of a surrogate pair.
 */
export function spelledAsSent(texts: SentTexts): (text: string) => string {
  if (texts.size === 0) return JSON.stringify;
  return (text) => {
    const sent = text.length >= long ? texts.get(text) : undefined;
    return sent === undefined || sent.includes('\\') ? JSON.stringify(text) : sent;
  };
}

/** The long texts as they stand in JSON of little else, none of any other; in time that grows with its length alone. */
function longTexts(text: string): readonly string[] {
  const found: string[] = [];
  let quotes = Math.floor(text.length / charactersForQuote);
  let outside = text.length;
  let start = -1;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (--quotes < 0) return [];
    if (start < 0) start = at;
    else if (!isEscaped(text, at)) {
      outside -= at - start;
      if (at - start > long) found.push(text.slice(start, at + 1));
      start = -1;
    }
  }
  return outside <= mostOutside ? found : [];
}

function isEscaped(text: string, place: number): boolean {
  let first = place;
  while (text[first - 1] === '\\') first--;
  return (place - first) % 2 === 1;
}
