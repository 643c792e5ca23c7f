import type { Pass } from '../pass.ts';
import { BLANK, COMMA } from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';

/** Parts of an address between commas that are read behind the first one, and their characters. */
const MAX_PARTS = 4;
const MAX_PART = 40;
const MAX_BEFORE = 6;
/** A part of an address: a town, the number of a house, a postcode; not what a label or the next words of a sentence begin. */
const PART =
  /^(?:(?:\p{Lu}|\p{N})[\p{L}\p{M}\p{N}.'\u2019/#\u00ba\u00b0\u00aa -]{0,38}|[\p{Script=Han}\p{Script=Hangul}].{0,30})$/u;
/** Bytes that end a part. */
const ENDS = new Uint8Array(256).fill(1, 0, BLANK);
for (const c of ',:;=|<"(') ENDS[c.charCodeAt(0)] = 1;
/** Where a sentence ends inside of a part: behind a word that is no abbreviation. */
const SENTENCE_END = /[\p{L}\p{N}]{4,}\.(?= |$)/u;
/** Words that begin another member of a list. */
const LABEL = /^(?:phone|mobile|tel|cell|email|e-mail|dob|ssn|born|telefon|handy|mobil|fax|iban|plz|zip)\b/i;

/** Where an address ends that goes on behind the comma at `to`: `12 Main Street, Springfield, IL 62704`. */
export function addressEnd(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (to - from < MAX_BEFORE || b[to] !== COMMA) return to;
  let end = to;
  for (let parts = 0; parts < MAX_PARTS && b[end] === COMMA; parts++) {
    let begin = end + 1;
    while (b[begin] === BLANK) begin++;
    let stop = begin;
    while (stop - begin < MAX_PART && stop < pass.text.end && ENDS[byteAt(b, stop)] === 0) stop++;
    const part = pass.slice(begin, stop).trimEnd();
    const sentence = SENTENCE_END.exec(part);
    const size = sentence === null ? part.length : sentence.index + sentence[0].length - 1;
    const text = part.slice(0, size);
    if (!PART.test(text) || LABEL.test(text)) return end;
    end = begin + size;
    if (sentence !== null) return end;
  }
  return end;
}
