import {
  ASTERISK,
  BLANK,
  DOUBLE_QUOTE,
  LEFT_PARENTHESIS,
  RIGHT_PARENTHESIS,
  SINGLE_QUOTE,
} from '../text/ascii.ts';
import { SPACE } from '../text/bytes.ts';
import { byteAt, classOf, intAt } from '../text/read.ts';
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
  // of calls among the values of a row: (1, NOW(), lower('x'))
  let depth = 0;
  let i = at;
  for (; i < end; i++) {
    const c = byteAt(b, i);
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === close && depth === 0) break;
    else if (close === RIGHT_PARENTHESIS && (c === LEFT_PARENTHESIS || c === RIGHT_PARENTHESIS))
      depth += c === LEFT_PARENTHESIS ? 1 : -1;
    else if (c === separator && depth === 0) {
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

/** The bounds of a cell of the row that was read last, which ends at `stop`, without quotes and blanks. */
export function cellBounds(
  b: Uint8Array,
  index: number,
  count: number,
  stop: number,
): readonly [number, number] {
  let from = intAt(lastRow.cells, index);
  let to = index + 1 < Math.min(count, MAX_COLUMNS) ? intAt(lastRow.cells, index + 1) - 1 : stop;
  while (from < to && isFrame(byteAt(b, from))) from++;
  while (to > from && isFrame(byteAt(b, to - 1))) to--;
  return [from, to];
}

/** Bytes around the name of a column. */
export function isFrame(c: number): boolean {
  return (classOf(c) & SPACE) !== 0 || QUOTE[c] === 1 || c === ASTERISK;
}
