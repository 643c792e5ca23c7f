import {
  AT_SIGN,
  CARRIAGE_RETURN,
  DIGIT_0,
  DIGIT_2,
  DIGIT_4,
  DIGIT_5,
  EQUALS_SIGN,
  FULL_STOP,
  HYPHEN,
  LINE_FEED,
  LOW_LINE_SIGN,
  UPPER_D,
  UPPER_E,
  UPPER_F,
} from './ascii.ts';
import { ALNUM, ALPHA, CLASS } from './bytes.ts';

/** Characters of a line that an encoder ends: at most 76 with its equals sign (RFC 2045, 6.7). */
const MIN_LINE = 60;
const MAX_LINE = 75;

/** The bytes or UTF-16 units of a text. */
type Characters = Uint8Array | Uint16Array;

/** Length of what the equals sign at `i` begins in quoted-printable text: an @, or a soft line break; 0 for none. */
export function printableSize(text: Characters, i: number): number {
  return printableChar(text, i) !== 0 ? 3 : softBreakSize(text, i);
}

/** The sign that an equals sign and two digits stand for between letters and digits: jane=40example.com, 536=2D22=2D1847; 0 for none. */
export function printableChar(text: Characters, i: number): number {
  const high = text[i + 1];
  const low = text[i + 2];
  if (high === DIGIT_4 && low === DIGIT_0)
    return isLetter(text[i - 1]) && isLetter(text[i + 3]) ? AT_SIGN : 0;
  // a space (=20) also begins many numbers: status=200
  let sign = 0;
  if (high === DIGIT_2) sign = low === UPPER_D ? HYPHEN : low === UPPER_E ? FULL_STOP : 0;
  else if (high === DIGIT_5 && low === UPPER_F) sign = LOW_LINE_SIGN;
  return sign !== 0 && isPart(text[i - 1]) && isPart(text[i + 3]) ? sign : 0;
}

function isPart(unit: number | undefined): boolean {
  return ((CLASS[unit ?? 0] ?? 0) & ALNUM) !== 0;
}

/** Length of the equals sign and line break that an encoder put into a long line; 0 for none. */
function softBreakSize(text: Characters, i: number): number {
  const size = text[i + 1] === LINE_FEED ? 2 : text[i + 1] === CARRIAGE_RETURN ? 3 : 0;
  if (size === 0 || text[i + size - 1] !== LINE_FEED || text[i - 1] === EQUALS_SIGN) return 0;
  let start = i;
  while (start > 0 && i - start <= MAX_LINE && text[start - 1] !== LINE_FEED && text[start - 1] !== 0)
    start--;
  return i - start >= MIN_LINE && i - start <= MAX_LINE ? size : 0;
}

function isLetter(unit: number | undefined): boolean {
  return ((CLASS[unit ?? 0] ?? 0) & ALPHA) !== 0;
}
