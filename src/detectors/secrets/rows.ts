import { ASTERISK, BLANK, DOUBLE_QUOTE, RIGHT_PARENTHESIS, SINGLE_QUOTE } from '../text/ascii.ts';
import { SPACE } from '../text/bytes.ts';
import { byteAt, classOf } from '../text/read.ts';
import { QUOTE } from './labels.ts';

/** Columns that are read. */
export const MAX_COLUMNS = 256;
/** Where the cells of the row that was read last begin, and where it ends. */
export const lastRow = { cells: new Int32Array(MAX_COLUMNS), end: 0 };

/** Reads where the cells of a row begin, up to its closing byte outside of quotes; returns how many there are. */
export function rowCells(b: Uint8Array, at: number, end: number, separator: number, close: number): number {
  let count = 0;
  lastRow.cells[count++] = at;
  let quote = 0;
  let isFirst = true;
  let i = at;
  for (; i < end; i++) {
    const c = byteAt(b, i);
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === close) break;
    else if (c === separator) {
      if (count < MAX_COLUMNS) lastRow.cells[count] = i + 1;
      count++;
      isFirst = true;
      continue;
    } else if (isFirst && (c === DOUBLE_QUOTE || (c === SINGLE_QUOTE && close === RIGHT_PARENTHESIS)))
      quote = c;
    if (c !== BLANK) isFirst = false;
  }
  lastRow.end = i;
  return count;
}

/** Bytes around the name of a column. */
export function isFrame(c: number): boolean {
  return (classOf(c) & SPACE) !== 0 || QUOTE[c] === 1 || c === ASTERISK;
}
