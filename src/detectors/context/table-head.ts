import {
  BLANK,
  COMMA,
  EQUALS_SIGN,
  FULL_STOP,
  HASH_SIGN,
  SEMICOLON,
  TAB,
  VERTICAL_BAR,
} from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';

/** Separators of cells, the most telling first. */
const SEPARATORS = [TAB, VERTICAL_BAR, SEMICOLON, COMMA];
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
  for (let i = begin; i < stop; i++) {
    const c = byteAt(b, i);
    if (c === EQUALS_SIGN || c === LEFT_BRACE || c === COLON) return 0;
    if ((c === TAB || c === FULL_STOP) && b[i + 1] === c) return 0;
    if (c === BLANK) blanks++;
  }
  for (const separator of SEPARATORS) {
    const parts = count(b, begin, stop, separator);
    // a line of a list ends with its only comma
    if (parts === 1 && separator !== TAB && isLast(b, stop, separator)) return 0;
    if (parts > 0) return blanks > 4 * parts + 2 ? 0 : separator;
  }
  return 0;
}

/** Whether nothing but blanks stands between the separator and the end of the line. */
function isLast(b: Uint8Array, stop: number, separator: number): boolean {
  let i = stop - 1;
  while (byteAt(b, i) <= BLANK && b[i] !== 0) i--;
  return b[i] === separator;
}

function count(b: Uint8Array, from: number, to: number, byte: number): number {
  let found = 0;
  for (let i = from; i < to; i++) if (b[i] === byte) found++;
  return found;
}
