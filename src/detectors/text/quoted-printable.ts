import { CARRIAGE_RETURN, DIGIT_0, DIGIT_4, EQUALS_SIGN, LINE_FEED } from './ascii.ts';
import { ALPHA, CLASS } from './bytes.ts';

/** Characters of a line that an encoder ends: at most 76 with its equals sign (RFC 2045, 6.7). */
const MIN_LINE = 60;
const MAX_LINE = 75;

/** The bytes or UTF-16 units of a text. */
type Characters = Uint8Array | Uint16Array;

/** Length of what the equals sign at `i` begins in quoted-printable text: an @, or a soft line break; 0 for none. */
export function printableSize(text: Characters, i: number): number {
  return isAtSign(text, i) ? 3 : softBreakSize(text, i);
}

/** Whether `=40` stands between two letters: jane=40example.com. */
export function isAtSign(text: Characters, i: number): boolean {
  return text[i + 1] === DIGIT_4 && text[i + 2] === DIGIT_0 && isLetter(text[i - 1]) && isLetter(text[i + 3]);
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
