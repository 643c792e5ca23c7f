import { SPOT_PAIRS } from '../secrets/label-spots.ts';
import { CARRIAGE_RETURN, HYPHEN, LINE_FEED } from './ascii.ts';
import { WORD } from './bytes.ts';
import { byteAt, classOf } from './read.ts';

/** What may begin at a byte. */
export const NUMERAL = 1;
export const AT = 2;
export const COLON = 3;
export const EQUALS = 4;
export const DASH = 5;
export const LOW_LINE = 6;
export const DOT = 7;
export const ESCAPE = 8;
export const END = 9;
export const CONTROL = 10;

/** One of the above for each byte, 0 for those at which nothing begins but a word that names a secret. */
export const KIND = new Uint8Array(256);
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

for (let c = 1; c < 32; c++) if (c !== 9 && c !== LINE_FEED && c !== CARRIAGE_RETURN) KIND[c] = CONTROL;
KIND[127] = CONTROL;
KIND[0] = END;

/** Whether the dot before this byte may part something: not where a sentence ends. */
export const AFTER_DOT = new Uint8Array(256);
for (let c = 33; c < 256; c++) AFTER_DOT[c] = c === HYPHEN || classOf(c) & WORD ? 1 : 0;

/**
 * For two bytes, the place of the first at which something may begin: 1 or 2, or 0 for none; from `SPOT` on, the class of
 * the pair where only a word that names a secret may stand. Prose is passed over two characters at a time, and a stop
 * needs no second look-up.
 */
export const PAIR = new Uint8Array(65536);
export const SPOT = 2;
for (let pair = 0; pair < 65536; pair++) {
  const first = byteAt(KIND, pair & 255);
  const second = pair >> 8;
  const isFirst = first !== 0 && !(first === DOT && AFTER_DOT[second] === 0);
  const spot = SPOT_PAIRS.get(pair);
  PAIR[pair] = isFirst ? 1 : KIND[second] ? 2 : spot === undefined ? 0 : SPOT + spot;
}
