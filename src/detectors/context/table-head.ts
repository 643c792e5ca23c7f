import {
  BLANK,
  COMMA,
  EQUALS_SIGN,
  FULL_STOP,
  HASH_SIGN,
  LINE_FEED,
  SEMICOLON,
  TAB,
  VERTICAL_BAR,
} from '../text/ascii.ts';
import { byteAt, entry, intAt, isQuote } from '../text/read.ts';

/** Separators of cells, the most telling first, and the place among them of each byte, 4 for any other. */
const SEPARATORS = [TAB, VERTICAL_BAR, SEMICOLON, COMMA];
const NONE = 4;
const PLACES = new Uint8Array(256).fill(NONE);
SEPARATORS.forEach((separator, place) => {
  PLACES[separator] = place;
});
/** How many of each stand in the line, and how many other bytes. */
const counts = new Int32Array(NONE + 1);
const LEFT_BRACE = 123;
const COLON = 58;

/**
 * What parts the cells of the line from `begin` to `stop`, when it can be the head of a table: names, with few blanks in
 * them and no values. 0 when it can not.
 */
export function parseHead(b: Uint8Array, begin: number, stop: number): number {
  let blanks = 0;
  // indentation and columns of spaces and tabs are no table, nor is a macro of C or a list with leaders
  if (b[begin] === TAB || (b[begin] === HASH_SIGN && b[begin + 1] !== BLANK)) return 0;
  counts.fill(0);
  for (let i = begin; i < stop; i++) {
    const c = byteAt(b, i);
    if (c === EQUALS_SIGN || c === LEFT_BRACE || c === COLON) return 0;
    if ((c === TAB || c === FULL_STOP) && b[i + 1] === c) return 0;
    if (c === BLANK) blanks++;
    const place = byteAt(PLACES, c);
    counts[place] = intAt(counts, place) + 1;
  }
  for (let place = 0; place < NONE; place++) {
    const separator = entry(SEPARATORS, place);
    const parts = intAt(counts, place);
    // a line of a list ends with its only comma
    if (parts === 1 && separator !== TAB && isLast(b, stop, separator)) return 0;
    if (parts > 0) return blanks > 4 * parts + 2 || isOfList(b, begin, stop) ? 0 : separator;
  }
  return 0;
}

/** Whether nothing but blanks stands between the separator and the end of the line. */
function isLast(b: Uint8Array, stop: number, separator: number): boolean {
  return b[lastOfLine(b, stop)] === separator;
}

/** The place of the last byte before `stop` that is no blank. */
function lastOfLine(b: Uint8Array, stop: number): number {
  let i = stop - 1;
  while (byteAt(b, i) <= BLANK && b[i] !== 0) i--;
  return i;
}

/** Whether a line and the one before it are lines of a literal in code that lists words: `'pwd', 'read',` or `r'pwd|read|'`. */
function isOfList(b: Uint8Array, begin: number, stop: number): boolean {
  return b[begin - 1] === LINE_FEED && goesOn(b, stop) && goesOn(b, begin - 1);
}

/** Whether the line that ends at `stop` ends with a quote and a comma, or with a bar and a quote. */
function goesOn(b: Uint8Array, stop: number): boolean {
  const last = lastOfLine(b, stop);
  const before = byteAt(b, last - 1);
  return b[last] === COMMA ? isQuote(before) : isQuote(byteAt(b, last)) && before === VERTICAL_BAR;
}
