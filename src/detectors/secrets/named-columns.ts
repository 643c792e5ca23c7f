import { afterRule } from '../context/rule.ts';
import { parseHead } from '../context/table-head.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { COMMA, LEFT_PARENTHESIS, LINE_FEED, RIGHT_PARENTHESIS, TAB, VERTICAL_BAR } from '../text/ascii.ts';
import { DIGIT, SPACE } from '../text/bytes.ts';
import { classAt, is, isAt } from '../text/read.ts';
import { type ColumnKind, columnKind } from './column-kinds.ts';
import { cellBounds, lastRow, MAX_COLUMNS, rowCells } from './rows.ts';
import { FROM_STDIN } from './table-columns.ts';

/** Lines among which the head is looked for, and characters of the head and of a cell. */
const MAX_LINES = 12;
/** Those of tables without bars. */
const MAX_PLAIN = 4;
const MAX_HEAD = 1024;
const MAX_CELL = 160;

interface Column extends ColumnKind {
  readonly index: number;
}

/** Names, addresses and numbers of accounts in the columns of a table (CSV, Markdown, aligned) or of a COPY that a text begins with. */
export function namedColumns(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (end - start < MIN_TABLE) return;
  // most texts are one line: the engine tells soonest
  const isLine = pass.source !== null && !pass.source.includes('\n');
  let begin = start;
  if (isAt(b, start, 'copy ')) {
    copiedTable(pass, start);
    return;
  }
  if (isLine) return;
  for (let line = 0; line < MAX_LINES && begin < end; line++) {
    let stop = begin;
    while (stop < end && stop - begin < MAX_HEAD && b[stop] !== LINE_FEED) stop++;
    if (b[stop] !== LINE_FEED) return;
    if (line === MAX_PLAIN && !hasBars(pass)) return;
    const separator = line < MAX_PLAIN || b[begin] === VERTICAL_BAR ? parseHead(b, begin, stop) : 0;
    if (separator !== 0 && readTable(pass, begin, stop, separator)) return;
    begin = stop + 1;
  }
}

const MIN_TABLE = 16;

function readTable(pass: Pass, begin: number, stop: number, separator: number): boolean {
  const { bytes: b, end } = pass.text;
  const heads = rowCells(b, begin, end, separator, LINE_FEED);
  const columns = labelledColumns(pass, heads, begin, stop);
  if (columns.length === 0) return false;
  for (let at = afterRule(b, stop + 1, end); at < end; at = afterRule(b, lastRow.end + 1, end)) {
    if (rowCells(b, at, end, separator, LINE_FEED) !== heads) break; // no row: the table has ended
    readRow(pass, columns, heads);
  }
  return true;
}

/** The rows of `COPY t (a, b) FROM stdin;`, which begins at `from`. */
function copiedTable(pass: Pass, from: number): void {
  const { bytes: b, end } = pass.text;
  let begin = from;
  while (begin < end && begin - from < MAX_CELL && b[begin] !== LEFT_PARENTHESIS) begin++;
  if (b[begin] !== LEFT_PARENTHESIS) return;
  begin++;
  const heads = rowCells(b, begin, Math.min(end, begin + MAX_HEAD), COMMA, RIGHT_PARENTHESIS);
  const stop = lastRow.end;
  const columns = labelledColumns(pass, heads, begin, stop);
  const at = skipSpace(b, stop + 1);
  if (columns.length > 0 && isAt(b, at, FROM_STDIN)) copiedRows(pass, columns, heads, at);
}

/** The rows of a COPY in lines with tabs, below the line of `from`. */
function copiedRows(pass: Pass, columns: readonly Column[], heads: number, from: number): void {
  const { bytes: b, end } = pass.text;
  let at = from;
  while (at < end && b[at] !== LINE_FEED) at++;
  for (at++; at < end; at = lastRow.end + 1) {
    if (rowCells(b, at, end, TAB, LINE_FEED) !== heads) return;
    readRow(pass, columns, heads);
  }
}

/** Whether any line near the beginning of the text begins with a bar. */
function hasBars({ source }: Pass): boolean {
  return source === null || source.slice(0, MAX_HEAD).includes('\n|');
}

/** Whether any cell of the head that was read last begins with a digit: then it is a row. */
function hasNumber(b: Uint8Array, heads: number, stop: number): boolean {
  for (let index = 0; index < Math.min(heads, MAX_COLUMNS); index++)
    if (is(b, cellBounds(b, index, heads, stop)[0], DIGIT)) return true;
  return false;
}

/** The columns of the head that was read last which hold names, addresses or numbers that only their label explains. */
function labelledColumns(pass: Pass, heads: number, begin: number, stop: number): readonly Column[] {
  const columns: Column[] = [];
  if (hasNumber(pass.text.bytes, heads, stop)) return columns;
  for (let index = 0; index < Math.min(heads, MAX_COLUMNS); index++) {
    const [from, to] = cellBounds(pass.text.bytes, index, heads, stop);
    const kind = columnKind(pass, from, to, begin, stop);
    if (kind !== null) columns.push({ index, ...kind });
  }
  return columns;
}

function readRow(pass: Pass, columns: readonly Column[], heads: number): void {
  for (const { index, tag, fits } of columns) {
    const [from, to] = cellBounds(pass.text.bytes, index, heads, lastRow.end);
    if (to - from < 2 || to - from > MAX_CELL || !fits(pass.slice(from, to))) continue;
    pass.found(tag, BARE, from, to);
  }
}

function skipSpace(b: Uint8Array, at: number): number {
  let i = at;
  while (classAt(b, i) & SPACE) i++;
  return i;
}
