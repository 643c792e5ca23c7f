import { BLANK, CARRIAGE_RETURN, LINE_FEED, LOW_LINE_SIGN } from './ascii.ts';
/** Classes of a normalised byte, as bits; a word is a run of the WORD classes. */
export const DIGIT = 1;
export const UPPER = 2;
export const LOWER = 4;
export const UNDERSCORE = 8;
/** Letters of scripts that separate words (Greek, Cyrillic, …). */
export const LETTER = 16;
/** Letters of scripts that do not: a number may follow them without a space. */
export const IDEOGRAPH = 32;
export const SPACE = 64;
export const WORD = DIGIT | UPPER | LOWER | UNDERSCORE | LETTER;
export const ALNUM = DIGIT | UPPER | LOWER;
export const ALPHA = UPPER | LOWER;

/** A character that is invisible, and one that stands for several: both need the second view of a text. */
export const INVISIBLE = 0x1e;
export const EXPANDS = 0x1d;
/** Control characters, and what replaces bytes that are no text. */
export const CONTROL = 1;
/** Every other character that is neither letter nor digit. */
export const SYMBOL = 0xff;

export const CLASS = new Uint8Array(256);
/** Lower case for A to Z, every other byte as it is. */
export const LOWERED = new Uint8Array(256);
/** Value of a hexadecimal digit, 255 for any other byte. */
export const HEX = new Uint8Array(256).fill(255);

for (let c = 0; c < 256; c++) {
  LOWERED[c] = c >= 65 && c <= 90 ? c + 32 : c;
  if (c >= 48 && c <= 57) CLASS[c] = DIGIT;
  else if (c >= 65 && c <= 90) CLASS[c] = UPPER;
  else if (c >= 97 && c <= 122) CLASS[c] = LOWER;
  else if (c === LOW_LINE_SIGN) CLASS[c] = UNDERSCORE;
  else if (c === BLANK || c === 9 || c === LINE_FEED || c === CARRIAGE_RETURN) CLASS[c] = SPACE;
  else if (c === SYMBOL) CLASS[c] = 0;
  else if (c >= 0xc0) CLASS[c] = IDEOGRAPH;
  else if (c >= 0x80) CLASS[c] = LETTER;
  if (c >= 48 && c <= 57) HEX[c] = c - 48;
  if (c >= 97 && c <= 102) HEX[c] = c - 87;
  if (c >= 65 && c <= 70) HEX[c] = c - 55;
}
