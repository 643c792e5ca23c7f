import type { Pass } from '../pass.ts';
import {
  COMMA,
  DOUBLE_QUOTE,
  HYPHEN,
  LINE_FEED,
  SEMICOLON,
  SINGLE_QUOTE,
  TAB,
  VERTICAL_BAR,
} from '../text/ascii.ts';
import { CLASS, LOWERED, SPACE } from '../text/bytes.ts';
import type { Label } from './label-rules.ts';
import { secretValue } from './secret-value.ts';

/** Columns before the one that is labelled, and characters of the head of a table. */
const MAX_COLUMNS = 64;
const MAX_HEAD = 512;

/**
 * The values below a label in the first line of a table: CSV with commas, semicolons or tabs, Markdown; or in the list of
 * values of an INSERT. The label is between `from` and `to`. Returns the end of the label when there were any, else 0.
 */
export function tableColumn(pass: Pass, label: Label, from: number, to: number): number {
  const { bytes: b, start } = pass.text;
  if (pass.tableBudget <= 0) return 0;
  let begin = from;
  while (begin > start && from - begin < MAX_HEAD && b[begin - 1] !== LINE_FEED && b[begin - 1] !== 40)
    begin--;
  pass.tableBudget -= from - begin;
  if (b[begin - 1] === 40) return insertedValue(pass, label, begin, from, to);
  const separator = separatorOf(b, begin, from, to);
  if (separator === 0) return 0;
  const column = columnOf(b, begin, from, separator);
  if (column < 0) return 0;
  return readColumn(pass, label, to, separator, column) ? to : 0;
}

function separatorOf(b: Uint8Array, begin: number, from: number, to: number): number {
  for (const separator of [TAB, VERTICAL_BAR, SEMICOLON, COMMA]) {
    if (b[to] === separator) return separator;
    for (let i = begin; i < from; i++) if (b[i] === separator) return separator;
  }
  return 0;
}

/** Number of the column that begins before `at`; -1 when the line is no head of a table: heads are names. */
function columnOf(b: Uint8Array, begin: number, at: number, separator: number): number {
  let column = 0;
  let blanks = 0;
  for (let i = begin; i < at; i++) {
    const c = b[i] as number;
    if (c === separator) column++;
    else if (c === 32) blanks++;
    else if (c === 61 || c === 123 || c === 58) return -1;
  }
  return column > MAX_COLUMNS || blanks > 2 * column + 2 ? -1 : column;
}

function readColumn(pass: Pass, label: Label, from: number, separator: number, column: number): boolean {
  const { bytes: b, start, end } = pass.text;
  let found = false;
  let i = from;
  let line = from;
  let head = from;
  while (head > start && b[head - 1] !== LINE_FEED) head--;
  let rows = from;
  while (rows < end && b[rows] !== LINE_FEED) rows++;
  // a line without an end costs as much for each label in it
  pass.tableBudget -= 2 * (rows - head);
  if (rows >= end) return false;
  const heads = separators(b, head, end, separator);
  while (i < end) {
    while (i < end && b[i] !== LINE_FEED) i++;
    i++;
    if (i >= end) break;
    const cell = separators(b, i, end, separator) === heads ? cellAt(b, i, end, separator, column) : -1;
    pass.tableBudget -= Math.max(cell, i) - line;
    line = i;
    if (pass.tableBudget < 0) break;
    if (cell === -1) break; // no row: the table has ended
    if (cell > 0 && b[cell] !== HYPHEN && secretValue(pass, label, cell, 'literal') !== 0) found = true;
  }
  return found;
}

/** Separators in the line from `at` on, outside of quotes. */
function separators(b: Uint8Array, at: number, end: number, separator: number): number {
  let count = 0;
  let quoted = false;
  for (let i = at; i < end && (quoted || b[i] !== LINE_FEED); i++) {
    if (b[i] === DOUBLE_QUOTE) quoted = !quoted;
    else if (b[i] === separator && !quoted) count++;
  }
  return count;
}

/** Where the cell of the row at `at` begins; -1 when the row has no such cell. */
function cellAt(b: Uint8Array, at: number, end: number, separator: number, column: number): number {
  let left = column;
  let quote = 0;
  let i = at;
  for (; left > 0; i++) {
    const c = b[i] as number;
    if (i >= end || (c === LINE_FEED && quote === 0)) return -1;
    if (quote !== 0) quote = c === quote ? 0 : quote;
    else if (c === separator) left--;
    else if (c === DOUBLE_QUOTE || (c === SINGLE_QUOTE && separator === COMMA)) quote = c;
  }
  while ((CLASS[b[i] as number] as number) & SPACE && b[i] !== LINE_FEED && b[i] !== separator) i++;
  return i;
}

/** The value of a column in `INSERT INTO t (a, b) VALUES (1, 'x')`; the list of columns begins at `begin`. */
function insertedValue(pass: Pass, label: Label, begin: number, from: number, to: number): number {
  const { bytes: b, end } = pass.text;
  const column = columnOf(b, begin, from, COMMA);
  let i = to;
  while (i < end && b[i] !== 41 && i - to < MAX_HEAD) i++;
  if (b[i] !== 41 || column < 0) return 0;
  i++;
  while ((CLASS[b[i] as number] as number) & SPACE) i++;
  for (let k = 0; k < 6; k++) if (LOWERED[b[i + k] as number] !== 'values'.charCodeAt(k)) return 0;
  i += 6;
  let found = false;
  // row after row
  for (;;) {
    while ((CLASS[b[i] as number] as number) & SPACE || b[i] === COMMA) i++;
    if (b[i] !== 40 || pass.tableBudget < 0) return found ? to : 0;
    const cell = cellAt(b, i + 1, end, COMMA, column);
    if (cell > 0 && secretValue(pass, label, cell, 'literal') !== 0) found = true;
    const row = i;
    while (i < end && b[i] !== 41) i++;
    pass.tableBudget -= 2 * (i - row);
    i++;
  }
}
