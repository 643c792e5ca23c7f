import { BARE } from '../kinds/kind.ts';
import { classify, isSecretKind, type Label, MAX_LABEL } from '../labels/classifier.ts';
import { isVerb } from '../labels/labels.ts';
import { secretValue } from '../labels/secret-value.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, afterSpace, byteAt, is, isAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { type ColumnKind, columnKind } from './column-kinds.ts';
import { contextsOf } from './columns.ts';
import { cellBounds, isFrame, lastRow, MAX_COLUMNS, rowCells } from './table-columns.ts';

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
    if (column.secret !== null) secretValue(this.#pass, column.secret, from, 'literal');
    else if (column.kind?.fits(this.#pass.slice(from, to))) this.#pass.found(column.kind.tag, BARE, from, to);
  }
}

function secretLabel(pass: Pass, from: number, to: number): Label | null {
  if (to - from < 2 || to - from > MAX_LABEL) return null;
  const label = classify(pass.text.bytes, from, to);
  const isSecret = label !== null && isSecretKind(label) && pass.isOn(label.tag);
  return isSecret && !isVerb(pass.text.bytes, from, to) ? label : null;
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
 * Reads the values that `INSERT INTO t (a, b) VALUES (1, 'x'), (2, lower('y'))` and `INSERT INTO t (a, b) SELECT …` put into columns that
 * tell what they hold; the name of the table is at `from`.
 */
export function insertedValues(pass: Pass, from: number): void {
  const { bytes: b, end } = pass.text;
  if (from < pass.insertRead) return;
  let begin = from;
  while (begin < end && begin - from < MAX_NAME && b[begin] !== Char.LEFT_PARENTHESIS) begin++;
  if (b[begin] !== Char.LEFT_PARENTHESIS) return;
  const count = rowCells(b, begin + 1, Math.min(end, begin + MAX_HEAD), Char.COMMA, Char.RIGHT_PARENTHESIS);
  const heads = placesOf(b, count, lastRow.end);
  pass.insertRead = lastRow.end;
  let at = afterSpace(b, lastRow.end + 1);
  if (isAt(b, at, SELECT)) selectedValues(pass, heads, at);
  if (!isAt(b, at, VALUES)) return;
  const cells = new HeadedCells(pass, heads);
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

/** Characters of the expressions that are read, and how deep in parentheses. */
const MAX_SELECT = 4096;
const SELECT = 'select ';

/**
 * The values that `INSERT INTO t (a, b) SELECT 'x', to_date('1977-08-21', …) FROM dual` gives the columns whose names are `heads`;
 * what follows the list of columns is at `at`.
 */
function selectedValues(pass: Pass, heads: readonly Place[], at: number): void {
  const { bytes: b, end } = pass.text;
  const cells = new HeadedCells(pass, heads);
  if (!cells.isTelling) return;
  const stop = Math.min(end, at + MAX_SELECT);
  let column = 0;
  let depth = 0;
  let literal: Place | null = null;
  for (let i = at + SELECT.length; i <= stop && column < heads.length; i++) {
    const c = byteAt(b, i);
    const isEnd =
      i === stop || c === Char.SEMICOLON || (depth === 0 && isAt(b, i, ' from') && !is(b, i + 5, ALNUM));
    if (c === Char.SINGLE_QUOTE && !isEnd) {
      const to = quoteEnd(b, i + 1, stop);
      // the first literal is the value, those behind it are of a call
      literal ??= { from: i + 1, to };
      i = to;
    } else if (c === Char.LEFT_PARENTHESIS) depth++;
    else if (c === Char.RIGHT_PARENTHESIS) depth--;
    else if (isEnd || (c === Char.COMMA && depth === 0)) {
      if (literal !== null) cells.read(column, literal);
      literal = null;
      column++;
      if (isEnd) return;
    }
  }
}

function quoteEnd(b: Uint8Array, from: number, stop: number): number {
  let i = from;
  while (i < stop && b[i] !== Char.SINGLE_QUOTE) i++;
  return i;
}
