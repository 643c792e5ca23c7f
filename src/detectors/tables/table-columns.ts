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

interface Column {
  index: number;
  label: Label;
}

/**
 * The secrets below the labels in the first line of a table (CSV with commas, semicolons or tabs, Markdown) or in the rows of
 * a COPY, found by the first label in it, between `from` and `to`. A table is read once, for all its columns. Returns
 * `to` when there were any, else 0.
 */
export function tableColumn(pass: Pass, from: number, to: number): number {
  if (from < pass.tableRead) return 0;
  const { bytes: b, start } = pass.text;
  let begin = from;
  while (begin > start && from - begin < MAX_HEAD && !startsHead(byteAt(b, begin - 1))) begin--;
  const found =
    b[begin - 1] === Char.LEFT_PARENTHESIS ? copiedValues(pass, begin, to) : cellsBelow(pass, begin, to);
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
  // a union of types: | "password" | "text"
  if (separator === 0 || (separator === Char.VERTICAL_BAR && QUOTE[byteAt(b, to - 1)] === 1)) return false;
  const heads = rowCells(b, begin, end, separator, Char.LINE_FEED);
  return secretsBelow(pass, labelledColumns(pass, heads, stop), heads, stop + 1, separator);
}

/** The secrets in the lines of cells from `at` on. */
function secretsBelow(
  pass: Pass,
  columns: readonly Column[],
  heads: number,
  at: number,
  separator: number,
): boolean {
  let found = false;
  if (columns.length === 0) return found;
  eachRow(pass, at, separator, heads, () => {
    pass.tableRead = lastRow.end;
    if (readRow(pass, columns)) found = true;
  });
  return found;
}

/** Reads the lines from `at` on that have as many cells as the head: the first one that has not ends the table. */
export function eachRow(pass: Pass, at: number, separator: number, heads: number, read: () => void): void {
  const { bytes: b, end } = pass.text;
  for (let row = afterRule(b, at, end); row < end; row = afterRule(b, lastRow.end + 1, end)) {
    if (rowCells(b, row, end, separator, Char.LINE_FEED) !== heads) return;
    read();
  }
}

/** The secrets in the rows of `COPY t (a, b) FROM stdin;`, whose list of columns begins at `begin`. */
function copiedValues(pass: Pass, begin: number, to: number): boolean {
  const { bytes: b, end } = pass.text;
  const heads = rowCells(b, begin, Math.min(end, to + MAX_HEAD), Char.COMMA, Char.RIGHT_PARENTHESIS);
  const stop = lastRow.end;
  pass.tableRead = stop;
  const at = b[stop] === Char.RIGHT_PARENTHESIS ? afterSpace(b, stop + 1) : stop;
  if (!isAt(b, at, FROM_STDIN)) return false;
  return secretsBelow(pass, labelledColumns(pass, heads, stop), heads, nextLine(pass, at), Char.TAB);
}

/** The words behind the columns of a COPY of PostgreSQL, before rows in lines with tabs. */
export const FROM_STDIN = 'from stdin';

/** Where the line behind that of `at` begins. */
export function nextLine({ text: { bytes: b, end } }: Pass, at: number): number {
  let i = at;
  while (i < end && b[i] !== Char.LINE_FEED) i++;
  return i + 1;
}

/** The cells of the head that was read last which label secrets. */
function labelledColumns(pass: Pass, heads: number, stop: number): readonly Column[] {
  const columns: Column[] = [];
  for (let index = 0; index < Math.min(heads, MAX_COLUMNS); index++) {
    const [from, to] = cellBounds(pass.text.bytes, index, heads, stop);
    const label = secretLabel(pass, from, to);
    if (label !== null) columns.push({ index, label });
  }
  return columns;
}

/** The label of the secrets below the head between two places; null when it labels none. */
export function secretLabel(pass: Pass, from: number, to: number): Label | null {
  const b = pass.text.bytes;
  if (to - from < 2 || to - from > MAX_LABEL) return null;
  const label = classify(b, from, to);
  const isSecret = label !== null && isSecretKind(label) && pass.isOn(label.tag);
  return isSecret && !isVerb(b, from, to) ? label : null;
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
