import { BARE } from '../kinds/kind.ts';
import type { Label } from '../labels/classifier.ts';
import { secretValue } from '../labels/secret-value.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, afterSpace, byteAt, is, isAt, isQuote } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { type ColumnKind, columnKind } from './column-kinds.ts';
import { contextsOf } from './columns.ts';
import {
  cellBounds,
  eachRow,
  FROM_STDIN,
  isFrame,
  lastRow,
  MAX_COLUMNS,
  nextLine,
  rowCells,
  secretLabel,
} from './table-columns.ts';

const MAX_CELL = 160;

/** A part of a text. */
interface Place {
  readonly from: number;
  readonly to: number;
}

interface Column {
  readonly kind: ColumnKind | null;
  /** The label of its cells when they are secrets. */
  readonly secret: Label | null;
  readonly contexts: readonly number[];
}

/** The columns of a table of any form, by the places of their heads. */
class HeadedCells {
  readonly #pass: Pass;
  readonly #columns: readonly Column[];

  constructor(pass: Pass, heads: readonly Place[]) {
    this.#pass = pass;
    const begin = heads[0]?.from ?? 0;
    const stop = heads.at(-1)?.to ?? 0;
    this.#columns = heads.map((head) => {
      const { from, to } = trimmed(pass, head);
      return {
        kind: columnKind(pass, from, to, begin, stop),
        secret: secretLabel(pass, from, to),
        contexts: contextsOf(pass.text.bytes, from, to),
      };
    });
  }

  /** Whether any head tells what its cells are. */
  get isTelling(): boolean {
    return this.#columns.some(({ kind, secret, contexts }) => kind ?? secret ?? contexts.length > 0);
  }

  /** Reads a cell of the column with this number. Cells must be read in the order of the text. */
  read(index: number, cell: Place): void {
    const column = this.#columns[index];
    const { from, to } = trimmed(this.#pass, cell);
    if (column === undefined || to - from < 2 || to - from > MAX_CELL) return;
    this.#pass.context.noteCell(from, to, column.contexts);
    // a value in quotes may have commas and parentheses
    const at = isQuote(this.#pass.text.bytes[from - 1]) ? from - 1 : from;
    if (column.secret !== null) secretValue(this.#pass, column.secret, at, 'literal');
    else if (column.kind?.fits(this.#pass.slice(from, to))) this.#pass.found(column.kind.tag, BARE, from, to);
  }
}

/** A place without the blanks, quotes and emphasis around it. */
function trimmed({ text: { bytes: b } }: Pass, place: Place): Place {
  let { from, to } = place;
  while (from < to && isFrame(byteAt(b, from))) from++;
  while (to > from && isFrame(byteAt(b, to - 1))) to--;
  return { from, to };
}

/** Characters of the name of a table, and of its list of columns. */
const MAX_NAME = 160;
const MAX_HEAD = 2048;
const VALUES = 'values';

/**
 * Reads the values that `INSERT INTO t (a, b) VALUES (1, 'x'), (2, lower('y'))` puts into columns that tell what they hold; the name
 * of the table is at `from`.
 */
export function insertedValues(pass: Pass, from: number): void {
  const { bytes: b, end } = pass.text;
  if (from < pass.insertRead) return;
  const count = headsBehind(pass, from);
  if (count === 0) return;
  pass.insertRead = lastRow.end;
  let at = afterSpace(b, lastRow.end + 1);
  if (!isAt(b, at, VALUES)) return;
  const cells = new HeadedCells(pass, placesOf(b, count, lastRow.end));
  at = afterSpace(b, at + VALUES.length);
  while (b[at] === Char.LEFT_PARENTHESIS && cells.isTelling) {
    if (rowCells(b, at + 1, end, Char.COMMA, Char.RIGHT_PARENTHESIS) !== count) break;
    const stop = lastRow.end;
    for (const [k, place] of placesOf(b, count, stop).entries()) cells.read(k, valueIn(b, place));
    at = afterSpace(b, stop + 1);
    if (b[at] === Char.COMMA) at = afterSpace(b, at + 1);
  }
  pass.insertRead = Math.max(pass.insertRead, lastRow.end);
}

/** Characters in which the first line is looked for that copies a table, and that line: `COPY t (a, b) FROM stdin;`. */
const MAX_BEFORE = 2048;
const COPY = /(?:^|\n)copy [^(\n]{1,160}\(/i;

/** Reads the rows, in lines with tabs, that a text copies into columns that tell what they hold. */
export function copiedTable(pass: Pass): void {
  const { source, text } = pass;
  if (source !== null && !mayCopy(source.slice(0, MAX_BEFORE))) return;
  const copy = COPY.exec(pass.plain(text.start, text.start + MAX_BEFORE));
  const count = copy === null ? 0 : headsBehind(pass, text.start + copy.index + 1);
  const at = afterSpace(text.bytes, lastRow.end + 1);
  if (count === 0 || !isAt(text.bytes, at, FROM_STDIN)) return;
  const cells = new HeadedCells(pass, placesOf(text.bytes, count, lastRow.end));
  if (!cells.isTelling) return;
  eachRow(pass, nextLine(pass, at), Char.TAB, count, () => {
    for (const [k, place] of placesOf(text.bytes, count, lastRow.end).entries()) cells.read(k, place);
  });
}

/** Whether the word may stand in a text: a search of the engine tells most texts sooner than the expression. */
function mayCopy(text: string): boolean {
  return (text.includes('opy ') || text.includes('OPY ')) && text.includes('(');
}

/** Reads the names of columns in the parentheses behind the name of a table at `from`, as a row; returns how many there are, or 0. */
function headsBehind(pass: Pass, from: number): number {
  const { bytes: b, end } = pass.text;
  let begin = from;
  while (begin < end && begin - from < MAX_NAME && b[begin] !== Char.LEFT_PARENTHESIS) begin++;
  if (b[begin] !== Char.LEFT_PARENTHESIS) return 0;
  return rowCells(b, begin + 1, Math.min(end, begin + MAX_HEAD), Char.COMMA, Char.RIGHT_PARENTHESIS);
}

function placesOf(b: Uint8Array, count: number, stop: number): readonly Place[] {
  return Array.from({ length: Math.min(count, MAX_COLUMNS) }, (_, k) => {
    const [from, to] = cellBounds(b, k, count, stop);
    return { from, to };
  });
}

/** The first literal in a call, or the cell itself. */
function valueIn(b: Uint8Array, cell: Place): Place {
  if (!is(b, cell.from, ALNUM)) return cell;
  let i = cell.from;
  while (i < cell.to && b[i] !== Char.LEFT_PARENTHESIS && b[i] !== Char.SINGLE_QUOTE) i++;
  while (i < cell.to && b[i] !== Char.SINGLE_QUOTE) i++;
  return i < cell.to && b[cell.from - 1] !== Char.SINGLE_QUOTE
    ? { from: i + 1, to: quoteEnd(b, i + 1, cell.to) }
    : cell;
}

function quoteEnd(b: Uint8Array, from: number, stop: number): number {
  let i = from;
  while (i < stop && b[i] !== Char.SINGLE_QUOTE) i++;
  return i;
}
