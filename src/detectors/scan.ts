import { formSecret, userList } from './commands/command-forms.ts';
import { SCRIPT_OPENINGS, shellSecrets } from './commands/shell-commands.ts';
import { UNSCANNED } from './encoded/decoder.ts';
import { BARE } from './kinds/kind.ts';
import { mayBeSpot, SPOT_PAIRS } from './labels/trigger-words.ts';
import { numeral } from './numbers/numeral.ts';
import type { Pass } from './pass.ts';
import { assignment } from './syntaxes/assignment.ts';
import { elementText } from './syntaxes/elements.ts';
import { spottedSecret } from './syntaxes/named-secret.ts';
import { namedColumns } from './tables/column-kinds.ts';
import { copiedTable } from './tables/inserted-rows.ts';
import { byteAt, classOf, is, unitAt, WORD } from './text/bytes.ts';
import * as Char from './text/chars.ts';
import { isTelling, printableSize } from './text/escapes.ts';
import { email } from './tokens/email.ts';
import { partedToken } from './tokens/parted-tokens.ts';
import { colon, dash, dot, lowLine } from './tokens/punctuated.ts';
import { CARD_OPENINGS, contactCard, HL7_OPENINGS, hl7Message } from './tokens/records.ts';
import { seedPhrase } from './tokens/seed-phrase.ts';
import { signature } from './tokens/urls.ts';
import { encodedWithoutDigit } from './tokens/word.ts';

/** The tokens that may begin at a byte, as bits. */
const NUMERAL = 1;
const AT = 2;
const COLON = 3;
const EQUALS = 4;
const DASH = 5;
const LOW_LINE = 6;
const DOT = 7;
const ESCAPE = 8;
const END = 9;
const CONTROL = 10;

/** One of the above for each byte, 0 for those at which nothing begins but a word that names a secret. */
const KIND = new Uint8Array(256);
KIND.fill(NUMERAL, 48, 58);
for (const [chars, kind] of [
  ['@', AT],
  [':', COLON],
  ['=', EQUALS],
  ['-', DASH],
  ['_', LOW_LINE],
  ['.', DOT],
  ['\\%&<+', ESCAPE],
] as const) {
  for (const c of chars) KIND[c.charCodeAt(0)] = kind;
}

for (let c = 1; c < 32; c++)
  if (c !== 9 && c !== Char.LINE_FEED && c !== Char.CARRIAGE_RETURN) KIND[c] = CONTROL;
KIND[127] = CONTROL;
KIND[0] = END;

/** Whether the dot before this byte may part something: not where a sentence ends. */
const AFTER_DOT = new Uint8Array(256);
for (let c = 33; c < 256; c++) AFTER_DOT[c] = c === Char.HYPHEN || classOf(c) & WORD ? 1 : 0;

/**
 * For two bytes, the place of the first at which something may begin: 1 or 2, or 0 for none; from `SPOT` on, the class of
 * the pair where only a word that names a secret may stand. Prose is passed over two characters at a time, and a stop
 * needs no second look-up.
 */
const PAIR = new Uint8Array(65536);
const SPOT = 2;
for (const [pair, spot] of SPOT_PAIRS) PAIR[pair] = SPOT + spot;
const FIRSTS = [...KIND.keys()].filter((byte) => KIND[byte] !== 0);
for (let second = 0; second < 256; second++) {
  const pairs = PAIR.subarray(second << 8, (second + 1) << 8);
  if (KIND[second] !== 0) pairs.fill(2);
  for (const first of FIRSTS) if (KIND[first] !== DOT || AFTER_DOT[second] !== 0) pairs[first] = 1;
}

/** A reader of texts that are one message, list or script as a whole, and how such a text may begin. */
interface Reader {
  readonly read: (pass: Pass) => void;
  readonly openings: readonly string[];
}

const inAnyCase = (openings: readonly string[]): string[] =>
  openings.flatMap((opening) => {
    const [first = '', second = ''] = opening;
    return [opening, first + second.toUpperCase(), first.toUpperCase() + second, opening.toUpperCase()];
  });

/** In the order in which they are asked; at most eight. */
const READERS: readonly Reader[] = [
  { read: userList, openings: Array.from({ length: 128 }, (_, c) => `"${String.fromCharCode(c)}`) },
  { read: hl7Message, openings: inAnyCase(HL7_OPENINGS) },
  { read: contactCard, openings: inAnyCase(CARD_OPENINGS) },
  { read: shellSecrets, openings: SCRIPT_OPENINGS },
];

/** For the first two bytes of a text, a bit for each reader that it may be for: most texts are for none. */
const READ_BY = new Uint8Array(1 << 14);
const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);
for (const [k, { openings }] of READERS.entries())
  for (const opening of openings) {
    const pair = pairOf(opening.charCodeAt(0), opening.charCodeAt(1));
    READ_BY[pair] = byteAt(READ_BY, pair) | (1 << k);
  }

/** Reads a text as a whole where it begins as a known message, list or script does. */
function wholeText(pass: Pass): void {
  const { bytes: b, start } = pass.text;
  const readBy = byteAt(READ_BY, pairOf(byteAt(b, start), byteAt(b, start + 1)));
  if (readBy === 0) return;
  for (let k = 0; k < READERS.length; k++) if (readBy & (1 << k)) (READERS[k] as Reader).read(pass);
}

/** Control characters from which on a text is binary data: that many, and one in that many characters. */
const MIN_CONTROLS = 8;
const BINARY_SHARE = 10;

/** Stands for bytes that are no UTF-8: of binary data beside control characters, of text in another encoding alone. */
const REPLACEMENT = 0xfffd;
/** Bytes below are control characters; the escape of terminals and what stands for other characters are not. */
const MAX_CONTROL = 27;

/**
 * Reads the text once, from left to right, and dispatches by what a byte may begin; `contexts` are what its JSON key says.
 */
export function scanText(pass: Pass, contexts: readonly number[]): void {
  const { bytes, pairs, start, end } = pass.text;
  pass.escapeCount = 0;
  // most texts are one line, which holds no table: the engine tells soonest
  const hasLines = pass.source?.includes('\n') ?? true;
  if (nextTrigger(bytes, pairs, start) >= end) {
    if (hasLines) namedColumns(pass);
    if (!seedPhrase(pass, start, end)) lastWord(pass, contexts);
    return;
  }
  pass.begin(contexts);
  wholeText(pass);
  if (hasLines) {
    namedColumns(pass);
    copiedTable(pass);
  }
  let floor = start;
  for (let i = start; ; ) {
    i = nextTrigger(bytes, pairs, i);
    if (i >= end) break;
    // Whatever a reader returns, the same byte is never read again.
    const next = Math.max(i + 1, readAt(pass, i, floor));
    // what was found is read: no word reaches back into it, nor into a number
    if (next > i + 1 || KIND[byteAt(bytes, i)] === NUMERAL) floor = next;
    i = next;
  }
  encodedWithoutDigit(pass, end);
  if (pass.controls > MIN_CONTROLS && (pass.controls + pass.replaced) * BINARY_SHARE > end - start)
    pass.found(UNSCANNED, BARE, start, end);
}

/** Reads what the byte at `i` may begin or end, as far back as `floor`; returns where it ends, or the next byte. */
function readAt(pass: Pass, i: number, floor: number): number {
  const { bytes } = pass.text;
  const next = i + 1;
  switch (KIND[byteAt(bytes, i)]) {
    case END: // a zero in the text itself
    case CONTROL:
      pass.escaped(i);
      if (byteAt(bytes, i) < MAX_CONTROL) {
        if (pass.source?.charCodeAt(i - pass.text.start) === REPLACEMENT) pass.replaced++;
        else pass.controls++;
      }
      return next;
    case NUMERAL:
      return numeral(pass, i, floor);
    case DOT:
      return AFTER_DOT[byteAt(bytes, next)] === 0 ? next : dot(pass, i, floor) || next;
    case COLON:
      return colon(pass, i) || next;
    case EQUALS:
      if (printableSize(bytes, i) > 0) pass.escaped(i);
      return signature(pass, i) || assignment(pass, i) || padded(pass, i) || partedToken(pass, i) || next;
    case DASH:
      return dash(pass, i, floor) || next;
    case LOW_LINE:
      return lowLine(pass, i, floor) || next;
    case AT:
      return (isSign(byteAt(bytes, i - 1)) && formSecret(pass, '@', i)) || email(pass, i);
    case ESCAPE:
      if (isTelling(bytes, i)) pass.escaped(i);
      return (
        (byteAt(bytes, next) === Char.SLASH && byteAt(bytes, i) === Char.LESS_THAN && elementText(pass, i)) ||
        next
      );
    default: // a word that names a secret
      return spottedSecret(pass, i) || next;
  }
}

/** Reads what the last word of a text without any trigger may encode. */
function lastWord(pass: Pass, contexts: readonly number[]): void {
  const { bytes, end } = pass.text;
  if (!is(bytes, end - 1, WORD)) return;
  pass.begin(contexts);
  encodedWithoutDigit(pass, end);
}

/** The encoded text that the padding at `at` ends; returns where it ends, or 0. */
function padded(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  return is(b, at - 1, WORD) && !is(b, at + 1, WORD) ? encodedWithoutDigit(pass, at) : 0;
}

/** Whether a category of commands may follow it in a rule of Redis: +@all, -@write. */
function isSign(c: number): boolean {
  return c === Char.PLUS || c === Char.HYPHEN;
}

/** Position of the next byte from `i` at which something may begin; the zero after the text at the latest. */
function nextTrigger(bytes: Uint8Array, pairs: Uint16Array, i: number): number {
  if (KIND[byteAt(bytes, i)] !== 0) return i;
  for (let p = (i + 1) >> 1; ; p++) {
    let place = byteAt(PAIR, unitAt(pairs, p));
    // written out: a loop of one look each takes a third longer over prose
    while (place === 0) {
      place = byteAt(PAIR, unitAt(pairs, ++p));
      if (place !== 0) break;
      place = byteAt(PAIR, unitAt(pairs, ++p));
      if (place !== 0) break;
      place = byteAt(PAIR, unitAt(pairs, ++p));
      if (place !== 0) break;
      place = byteAt(PAIR, unitAt(pairs, ++p));
    }
    if (place <= SPOT) return 2 * p + place - 1;
    if (mayBeSpot(place - SPOT, byteAt(bytes, 2 * p - 1), byteAt(bytes, 2 * p + 2))) return 2 * p;
  }
}
