import { afterRule, hashBytes, hashPair, wordTable } from '../context/words.ts';
import { byteAt, classAt, entry, IDEOGRAPH, intAt, isQuote, LETTER, LOWER, UPPER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import type { Text } from '../text/text.ts';

/** Separators of cells, the most telling first, and the place among them of each byte, 4 for any other. */
const SEPARATORS = [Char.TAB, Char.VERTICAL_BAR, Char.SEMICOLON, Char.COMMA];
const NO_HEAD = 4;
const PLACES = new Uint8Array(256).fill(NO_HEAD);
SEPARATORS.forEach((separator, place) => {
  PLACES[separator] = place;
});
/** How many of each stand in the line, and how many other bytes. */
const counts = new Int32Array(NO_HEAD + 1);
const LEFT_BRACE = 123;
const COLON = 58;

/**
 * The separator of the cells in the line from `begin` to `stop`, when it can be the head of a table: names, with few blanks in
 * them and no values. 0 when it can not.
 */
export function parseHead(b: Uint8Array, begin: number, stop: number): number {
  let blanks = 0;
  // indentation and columns of spaces and tabs are no table, nor is a macro of C or a list with leaders
  if (b[begin] === Char.TAB || (b[begin] === Char.HASH_SIGN && b[begin + 1] !== Char.BLANK)) return 0;
  counts.fill(0);
  for (let i = begin; i < stop; i++) {
    const c = byteAt(b, i);
    if (c === Char.EQUALS_SIGN || c === LEFT_BRACE || c === COLON) return 0;
    if ((c === Char.TAB || c === Char.FULL_STOP) && b[i + 1] === c) return 0;
    if (c === Char.BLANK) blanks++;
    const place = byteAt(PLACES, c);
    counts[place] = intAt(counts, place) + 1;
  }
  for (let place = 0; place < NO_HEAD; place++) {
    const separator = entry(SEPARATORS, place);
    const parts = intAt(counts, place);
    // a line of a list ends with its only comma
    if (parts === 1 && separator !== Char.TAB && isLast(b, stop, separator)) return 0;
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
  while (byteAt(b, i) <= Char.BLANK && b[i] !== 0) i--;
  return i;
}

/** Whether a line and the one before it are lines of a literal in code that lists words: `'pwd', 'read',` or `r'pwd|read|'`. */
function isOfList(b: Uint8Array, begin: number, stop: number): boolean {
  return b[begin - 1] === Char.LINE_FEED && goesOn(b, stop) && goesOn(b, begin - 1);
}

/** Whether the line that ends at `stop` ends with a quote and a comma, or with a bar and a quote. */
function goesOn(b: Uint8Array, stop: number): boolean {
  const last = lastOfLine(b, stop);
  const before = byteAt(b, last - 1);
  return b[last] === Char.COMMA ? isQuote(before) : isQuote(byteAt(b, last)) && before === Char.VERTICAL_BAR;
}

/** Lines among which the head of a table is looked for, characters of a line of a table, and its columns. */
const MAX_LINES = 12;
/** Lines among which the head of a table without bars is looked for. */
const MAX_PLAIN = 4;
const MAX_LINE = 4096;
const MAX_COLUMNS = 256;
const LETTERS = UPPER | LOWER | LETTER | IDEOGRAPH;
const NONE: readonly number[] = [];

interface Cell {
  from: number;
  to: number;
  contexts: readonly number[];
}

/**
 * The kinds that the head of a table gives to the cells below it, however far below: of CSV or Markdown that begins in the first lines
 * of a text. Each line is read once, when a value in it asks.
 */
export class Columns {
  readonly #text: Text;
  #isRead = false;
  /** The separator of the cells; 0 when the text has no table whose head names a kind of value. */
  #separator = 0;
  #heads: (readonly number[])[] = [];
  /** The line and the cell that were asked for last. */
  #lineStart = 0;
  #lineEnd = 0;
  #isRow = false;
  #column = 0;
  #cellStart = 0;
  #cellEnd = 0;

  /** Cells of tables of other forms, in order: where they begin and end, and what their heads say. */
  readonly #cells: Cell[] = [];
  #cell = 0;

  constructor(text: Text) {
    this.#text = text;
  }

  /** Begins a new text. */
  begin(): void {
    this.#isRead = false;
    this.#separator = 0;
    // setting the length calls into the engine, even when it is 0 already
    if (this.#cells.length > 0) this.#cells.length = 0;
    this.#cell = 0;
  }

  /** Notes what the head of its column says of a cell; cells are noted in order. */
  note(from: number, to: number, contexts: readonly number[]): void {
    if (contexts.length > 0) this.#cells.push({ from, to, contexts });
  }

  /** The contexts that the head of its column gives to what stands at this position. */
  at(position: number): readonly number[] {
    const noted = this.#cells.length === 0 ? null : this.#notedAt(position);
    if (noted !== null) return noted;
    if (!this.#isRead) this.#readHead();
    if (this.#separator === 0) return NONE;
    if (position < this.#lineStart) return NONE;
    if (position >= this.#lineEnd) this.#readLine(position);
    if (!this.#isRow) return NONE;
    if (position < this.#cellStart || position >= this.#cellEnd) this.#readCell(position);
    return this.#heads[this.#column] ?? NONE;
  }

  #notedAt(position: number): readonly number[] | null {
    const cells = this.#cells;
    while (this.#cell > 0 && (cells[this.#cell] as Cell).from > position) this.#cell--;
    while (this.#cell < cells.length - 1 && (cells[this.#cell] as Cell).to <= position) this.#cell++;
    const { from, to, contexts } = cells[this.#cell] as Cell;
    return position >= from && position < to ? contexts : null;
  }

  #readHead(): void {
    this.#isRead = true;
    const { bytes: b, start, end } = this.#text;
    let begin = start;
    for (let line = 0; line < MAX_LINES; line++) {
      const stop = lineEnd(b, begin, end);
      if (stop >= end || stop - begin >= MAX_LINE) return;
      const separator = line < MAX_PLAIN || b[begin] === Char.VERTICAL_BAR ? parseHead(b, begin, stop) : 0;
      const first = separator === 0 ? stop + 1 : afterRule(b, stop + 1, end);
      const below = lineEnd(b, first, end);
      if (separator !== 0 && this.#isTable(separator, begin, stop, first, below)) {
        this.#separator = separator;
        this.#lineStart = this.#lineEnd = stop + 1;
        return;
      }
      begin = stop + 1;
    }
  }

  /** Whether the line below has as many cells, and any cell of the head names a kind of value; keeps what they say. */
  #isTable(separator: number, begin: number, stop: number, first: number, below: number): boolean {
    const { bytes: b } = this.#text;
    if (separators(b, begin, stop, separator) !== separators(b, first, below, separator)) return false;
    this.#heads = [];
    let isTelling = false;
    for (let from = begin; from <= stop && this.#heads.length < MAX_COLUMNS; ) {
      const to = cellEnd(b, from, stop, separator);
      const contexts = contextsOf(b, from, to);
      if (contexts.length > 0) isTelling = true;
      this.#heads.push(contexts);
      from = to + 1;
    }
    return isTelling;
  }

  #readLine(position: number): void {
    const { bytes: b, end } = this.#text;
    let begin = position;
    while (begin > this.#lineEnd && position - begin < MAX_LINE && b[begin - 1] !== Char.LINE_FEED) begin--;
    this.#lineStart = begin;
    this.#lineEnd = lineEnd(b, position, end) + 1;
    this.#isRow = separators(b, begin, this.#lineEnd - 1, this.#separator) === this.#heads.length - 1;
    this.#cellStart = this.#cellEnd = begin;
  }

  #readCell(position: number): void {
    const { bytes: b } = this.#text;
    if (position < this.#cellStart || this.#cellEnd === this.#lineStart) {
      this.#column = 0;
      this.#cellStart = this.#lineStart;
      this.#cellEnd = cellEnd(b, this.#cellStart, this.#lineEnd - 1, this.#separator) + 1;
    }
    while (position >= this.#cellEnd && this.#cellEnd < this.#lineEnd) {
      this.#column++;
      this.#cellStart = this.#cellEnd;
      this.#cellEnd = cellEnd(b, this.#cellStart, this.#lineEnd - 1, this.#separator) + 1;
    }
  }
}

/** End of the line that has `from` in it, or of what may be looked at of it. */
function lineEnd(b: Uint8Array, from: number, end: number): number {
  let i = from;
  while (i < end && i - from < MAX_LINE && b[i] !== Char.LINE_FEED) i++;
  return i;
}

/** End of the cell that begins at `from`; a separator in quotes is text. */
function cellEnd(b: Uint8Array, from: number, stop: number, separator: number): number {
  let isQuoted = false;
  let i = from;
  for (; i < stop; i++) {
    if (b[i] === Char.DOUBLE_QUOTE) isQuoted = !isQuoted;
    else if (b[i] === separator && !isQuoted) break;
  }
  return i;
}

function separators(b: Uint8Array, from: number, stop: number, separator: number): number {
  let count = 0;
  for (let i = cellEnd(b, from, stop, separator); i < stop; i = cellEnd(b, i + 1, stop, separator)) count++;
  return count;
}

/** The contexts that the words between two positions give, alone and in pairs. */
export function contextsOf(b: Uint8Array, from: number, to: number): readonly number[] {
  const contexts = new Set<number>();
  let previous = 0;
  for (let i = from; i < to; ) {
    const begin = i;
    let cls = classAt(b, i++);
    if ((cls & LETTERS) === 0) continue;
    for (; i < to; i++) {
      const before = cls & LOWER;
      cls = classAt(b, i);
      // cardNumber is two words
      if ((cls & LETTERS) === 0 || (before !== 0 && (cls & UPPER) !== 0)) break;
    }
    const hash = hashBytes(b, begin, i);
    for (const context of wordTable.get(hash).contexts) contexts.add(context);
    if (previous !== 0)
      for (const context of wordTable.get(hashPair(previous, hash)).contexts) contexts.add(context);
    previous = hash;
  }
  return [...contexts];
}
