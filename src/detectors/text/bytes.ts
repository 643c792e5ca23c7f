/** Bytes of ASCII by name. */
export const NUL = 0;
export const TAB = 9;
export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
export const BLANK = 32;
export const EXCLAMATION_MARK = 33;
export const DOUBLE_QUOTE = 34;
export const HASH_SIGN = 35;
export const DOLLAR = 36;
export const PERCENT = 37;
export const AMPERSAND = 38;
export const SINGLE_QUOTE = 39;
export const LEFT_PARENTHESIS = 40;
export const RIGHT_PARENTHESIS = 41;
export const ASTERISK = 42;
export const PLUS = 43;
export const COMMA = 44;
export const HYPHEN = 45;
export const FULL_STOP = 46;
export const SLASH = 47;
export const DIGIT_0 = 48;
export const DIGIT_1 = 49;
export const DIGIT_2 = 50;
export const DIGIT_4 = 52;
export const DIGIT_9 = 57;
export const COLON_SIGN = 58;
export const SEMICOLON = 59;
export const LESS_THAN = 60;
export const EQUALS_SIGN = 61;
export const GREATER_THAN = 62;
export const QUESTION_MARK = 63;
export const AT_SIGN = 64;
export const UPPER_A = 65;
export const DIGIT_5 = 53;
export const UPPER_D = 68;
export const UPPER_E = 69;
export const UPPER_F = 70;
export const UPPER_B = 66;
export const UPPER_J = 74;
export const UPPER_I = 73;
export const UPPER_M = 77;
export const UPPER_P = 80;
export const UPPER_Q = 81;
export const UPPER_S = 83;
export const UPPER_T = 84;
export const UPPER_U = 85;
export const UPPER_Y = 89;
export const UPPER_Z = 90;
export const LEFT_BRACKET = 91;
export const BACKSLASH = 92;
export const RIGHT_BRACKET = 93;
export const CARET = 94;
export const LOW_LINE_SIGN = 95;
export const BACKTICK = 96;
export const LOWER_A = 97;
export const LOWER_B = 98;
export const LOWER_C = 99;
export const LOWER_D = 100;
export const LOWER_E = 101;
export const LOWER_F = 102;
export const LOWER_G = 103;
export const LOWER_H = 104;
export const LOWER_I = 105;
export const LOWER_K = 107;
export const LOWER_L = 108;
export const LOWER_N = 110;
export const LOWER_O = 111;
export const LOWER_P = 112;
export const LOWER_R = 114;
export const LOWER_S = 115;
export const LOWER_T = 116;
export const LOWER_U = 117;
export const LOWER_V = 118;
export const LOWER_W = 119;
export const LOWER_X = 120;
export const LOWER_Y = 121;
export const LEFT_BRACE = 123;
export const VERTICAL_BAR = 124;
export const RIGHT_BRACE = 125;
export const TILDE = 126;

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

/**
 * Typed reads. An index may be out of range to the compiler; here it never is: every text has zero bytes around it, and
 * tables have an entry for each byte. One function for each type of array, so that each stays fast.
 */
export function byteAt(b: Uint8Array, i: number): number {
  return b[i] as number;
}

export function unitAt(a: Uint16Array, i: number): number {
  return a[i] as number;
}

export function intAt(a: Int32Array, i: number): number {
  return a[i] as number;
}

/** The entry of a table of numbers. */
export function entry(table: readonly number[], i: number): number {
  return table[i] as number;
}

/** The class bits of a byte, and of the byte at `i`. */
export function classOf(byte: number): number {
  return CLASS[byte] as number;
}

export function classAt(b: Uint8Array, i: number): number {
  return CLASS[b[i] as number] as number;
}

/** Whether the byte at `i` has one of these class bits. */
export function is(b: Uint8Array, i: number, bits: number): boolean {
  return ((CLASS[b[i] as number] as number) & bits) !== 0;
}

/** Value of the hexadecimal digit at `i`, above 15 for any other byte. */
export function hexAt(b: Uint8Array, i: number): number {
  return HEX[b[i] as number] as number;
}

export function loweredAt(b: Uint8Array, i: number): number {
  return LOWERED[b[i] as number] as number;
}

/** Whether a byte or unit is a single or double quotation mark. */
export function isQuote(c: number | undefined): boolean {
  return c === DOUBLE_QUOTE || c === SINGLE_QUOTE;
}

/** Whether the lower-case word stands at `at`, in any case. */
export function isAt(b: Uint8Array, at: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) if (LOWERED[b[at + i] as number] !== word.charCodeAt(i)) return false;
  return true;
}

/** Whether the text stands at `at`, as it is written. */
export function isExactly(b: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (b[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Whether the lower-case word ends at `to`, in any case. */
export function endsWith(b: Uint8Array, to: number, word: string): boolean {
  return isAt(b, to - word.length, word);
}

/** The first byte from `at` on that is no white space. */
export function afterSpace(b: Uint8Array, at: number): number {
  let i = at;
  while (is(b, i, SPACE)) i++;
  return i;
}

/** Whether a byte breaks a line. */
export function isBreak(c: number | undefined): boolean {
  return c === LINE_FEED || c === CARRIAGE_RETURN;
}

/** How many bits are 1. */
export function bitCount(bits: number): number {
  let n = 0;
  for (let left = bits; left !== 0; left &= left - 1) n++;
  return n;
}
