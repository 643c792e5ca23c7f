import { afterRule } from '../context/words.ts';
import { BARE } from '../kinds/kind.ts';
import { classify, isSecretKind, type Label, MAX_LABEL } from '../labels/classifier.ts';
import { isVerb, QUOTE } from '../labels/labels.ts';
import { mayBePlainPassword } from '../labels/plain-words.ts';
import { secretValue } from '../labels/secret-value.ts';
import type { Pass } from '../pass.ts';
import {
  afterBlanks,
  afterSpace,
  byteAt,
  classOf,
  endOf,
  intAt,
  is,
  isAt,
  LOWER,
  LOWERED,
  SPACE,
  UPPER,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { parseHead } from './columns.ts';

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
    else if (
      close === Char.RIGHT_PARENTHESIS &&
      (c === Char.LEFT_PARENTHESIS || c === Char.RIGHT_PARENTHESIS)
    )
      depth += c === Char.LEFT_PARENTHESIS ? 1 : -1;
    else if (c === separator && depth === 0) {
      if (count < MAX_COLUMNS) lastRow.cells[count] = i + 1;
      count++;
      isFirst = true;
      continue;
    } else if (
      isFirst &&
      (c === Char.DOUBLE_QUOTE || (c === Char.SINGLE_QUOTE && close === Char.RIGHT_PARENTHESIS))
    )
      quote = c;
    if (c !== Char.BLANK) isFirst = false;
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
  return (classOf(c) & SPACE) !== 0 || QUOTE[c] === 1 || c === Char.ASTERISK;
}

/** Characters of the head of a table before a label in it. */
const MAX_HEAD = 4096;
const VALUES = [...'values'].map((c) => c.charCodeAt(0));

interface Column {
  index: number;
  label: Label;
}

/**
 * The secrets below the labels in the first line of a table (CSV with commas, semicolons or tabs, Markdown) or in the rows of
 * an INSERT, found by the first label in it, between `from` and `to`. A table is read once, for all its columns. Returns
 * `to` when there were any, else 0.
 */
export function tableColumn(pass: Pass, from: number, to: number): number {
  if (from < pass.tableRead) return 0;
  const { bytes: b, start } = pass.text;
  let begin = from;
  while (begin > start && from - begin < MAX_HEAD && !startsHead(byteAt(b, begin - 1))) begin--;
  const found =
    b[begin - 1] === Char.LEFT_PARENTHESIS ? insertedValues(pass, begin, to) : cellsBelow(pass, begin, to);
  return found ? to : 0;
}

function startsHead(c: number): boolean {
  return c === Char.LINE_FEED || c === Char.LEFT_PARENTHESIS;
}

/** The values below the head that begins at `begin`. */
function cellsBelow(pass: Pass, begin: number, to: number): boolean {
  const { bytes: b, end } = pass.text;
  let stop = to;
  while (stop < end && stop - to < MAX_HEAD && b[stop] !== Char.LINE_FEED) stop++;
  pass.tableRead = stop;
  if (b[stop] !== Char.LINE_FEED) return false;
  const separator = parseHead(b, begin, stop);
  if (separator === 0) return false;
  const heads = rowCells(b, begin, end, separator, Char.LINE_FEED);
  const columns = labelledColumns(pass, heads, stop);
  let found = false;
  for (
    let at = afterRule(b, stop + 1, end);
    columns.length > 0 && at < end;
    at = afterRule(b, lastRow.end + 1, end)
  ) {
    if (rowCells(b, at, end, separator, Char.LINE_FEED) !== heads) break; // no row: the table has ended
    pass.tableRead = lastRow.end;
    if (readRow(pass, columns)) found = true;
  }
  return found;
}

/** The values of `INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y')`; the list of columns begins at `begin`. */
function insertedValues(pass: Pass, begin: number, to: number): boolean {
  const { bytes: b, end } = pass.text;
  const heads = rowCells(b, begin, Math.min(end, to + MAX_HEAD), Char.COMMA, Char.RIGHT_PARENTHESIS);
  pass.tableRead = lastRow.end;
  if (b[lastRow.end] !== Char.RIGHT_PARENTHESIS) return false;
  const columns = labelledColumns(pass, heads, lastRow.end);
  let at = afterSpace(b, lastRow.end + 1);
  if (isAt(b, at, FROM_STDIN)) return copiedRows(pass, columns, heads, at);
  for (let k = 0; k < VALUES.length; k++) if (LOWERED[byteAt(b, at + k)] !== VALUES[k]) return false;
  at = afterSpace(b, at + VALUES.length);
  let found = false;
  while (b[at] === Char.LEFT_PARENTHESIS && columns.length > 0) {
    if (rowCells(b, at + 1, end, Char.COMMA, Char.RIGHT_PARENTHESIS) !== heads) break;
    pass.tableRead = lastRow.end;
    if (readRow(pass, columns)) found = true;
    at = afterSpace(b, lastRow.end + 1);
    if (b[at] === Char.COMMA) at = afterSpace(b, at + 1);
  }
  return found;
}

/** The words behind the columns of a COPY of PostgreSQL, before rows in lines with tabs. */
export const FROM_STDIN = 'from stdin';

/** The rows of `COPY t (a, b) FROM stdin;`, whose last word begins at `from`. */
function copiedRows(pass: Pass, columns: readonly Column[], heads: number, from: number): boolean {
  const { bytes: b, end } = pass.text;
  let at = from;
  while (at < end && b[at] !== Char.LINE_FEED) at++;
  let found = false;
  for (at++; columns.length > 0 && at < end; at = lastRow.end + 1) {
    if (rowCells(b, at, end, Char.TAB, Char.LINE_FEED) !== heads) break;
    pass.tableRead = lastRow.end;
    if (readRow(pass, columns)) found = true;
  }
  return found;
}

/** The cells of the head that was read last which label secrets. */
function labelledColumns(pass: Pass, heads: number, stop: number): readonly Column[] {
  const b = pass.text.bytes;
  const columns: Column[] = [];
  for (let index = 0; index < Math.min(heads, MAX_COLUMNS); index++) {
    let from = intAt(lastRow.cells, index);
    let to = index + 1 < Math.min(heads, MAX_COLUMNS) ? intAt(lastRow.cells, index + 1) - 1 : stop;
    while (from < to && isFrame(byteAt(b, from))) from++;
    while (to > from && isFrame(byteAt(b, to - 1))) to--;
    if (to - from < 2 || to - from > MAX_LABEL) continue;
    const label = classify(b, from, to);
    if (label === null || !isSecretKind(label) || !pass.isOn(label.tag) || isVerb(b, from, to)) continue;
    columns.push({ index, label });
  }
  return columns;
}

/** Whether the row that was read last has secrets. */
function readRow(pass: Pass, columns: readonly Column[]): boolean {
  const b = pass.text.bytes;
  let found = false;
  for (const { index, label } of columns) {
    const at = afterBlanks(b, intAt(lastRow.cells, index));
    if (b[at] === Char.HYPHEN) continue;
    if (secretValue(pass, label, at, 'literal') !== 0 || capitalWord(pass, label, at) !== 0) found = true;
  }
  return found;
}

/** A cell that is one word with a capital, below a password: Marmalade. */
function capitalWord(pass: Pass, { tag, kind }: Label, at: number): number {
  const b = pass.text.bytes;
  const to = endOf(b, at + 1, LOWER);
  const isCell = b[to] === Char.COMMA || b[to] === Char.SEMICOLON || byteAt(b, to) < Char.BLANK;
  if (kind !== 'password' || !isCell || !is(b, at, UPPER)) return 0;
  if (!mayBePlainPassword(pass.slice(at, to).toLowerCase())) return 0;
  return pass.found(tag, BARE, at, to);
}
