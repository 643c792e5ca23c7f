import { COMMA, LEFT_PARENTHESIS, LINE_FEED, RIGHT_PARENTHESIS, SINGLE_QUOTE, TAB } from '../text/ascii.ts';
import { SPACE } from '../text/bytes.ts';
import { byteAt, is, isAt, loweredAt } from '../text/read.ts';
import type { Text } from '../text/text.ts';

/** How far into a text, or behind a statement, the next INSERT is looked for; characters of its list of columns, and of a row. */
const MAX_BEFORE = 2048;
const MAX_HEAD = 2048;
const MAX_ROW = 1024;
const MAX_COLUMNS = 128;
const NONE: readonly number[] = [];

/** COPY of PostgreSQL, and what follows its list of columns before rows in lines with tabs. */
const COPY = 'copy ';
const FROM_STDIN = 'from stdin';

/** What the names of an INSERT's columns say of its values: `INSERT INTO t (id, birth_date) VALUES (1, '1984-03-05')`. */
export class InsertColumns {
  readonly #text: Text;
  readonly #contextsOf: (b: Uint8Array, from: number, to: number) => readonly number[];
  #heads: (readonly number[])[] = [];
  /** Up to where statements were looked for, and where the values of the last one begin; 0 for none. */
  #read = 0;
  #values = 0;
  /** Whether rows are lines with tabs, as behind COPY. */
  #isCopied = false;

  constructor(text: Text, contextsOf: (b: Uint8Array, from: number, to: number) => readonly number[]) {
    this.#text = text;
    this.#contextsOf = contextsOf;
  }

  /** Begins a new text. */
  begin(): void {
    this.#read = this.#text.start;
    this.#values = 0;
  }

  /** The contexts that the name of its column gives to the value at this position. */
  at(position: number): readonly number[] {
    this.#readTo(position);
    if (this.#values === 0 || position < this.#values) return NONE;
    return this.#heads[this.#column(position)] ?? NONE;
  }

  /** Reads the statements that begin before the position, each once. */
  #readTo(position: number): void {
    const { bytes: b, start } = this.#text;
    const from = this.#values === 0 ? start : this.#values;
    const stop = Math.min(position, this.#values === 0 ? from + MAX_BEFORE : position);
    for (let i = this.#read; i < stop; i++) {
      const c = loweredAt(b, i);
      if (c === 105 && isAt(b, i, 'insert into ')) this.#statement(i + 12);
      else if (c === 99 && isAt(b, i, COPY)) this.#statement(i + COPY.length);
    }
    if (stop > this.#read) this.#read = stop;
  }

  #statement(at: number): void {
    const b = this.#text.bytes;
    const stop = Math.min(this.#text.end, at + MAX_HEAD);
    let i = at;
    while (i < stop && b[i] !== LEFT_PARENTHESIS) i++;
    const heads: (readonly number[])[] = [];
    for (let from = i + 1; i < stop && b[i] !== RIGHT_PARENTHESIS; from = i + 1) {
      for (i = from; i < stop && b[i] !== COMMA && b[i] !== RIGHT_PARENTHESIS; ) i++;
      if (heads.length < MAX_COLUMNS) heads.push(this.#contextsOf(b, from, i));
    }
    while (i < stop && !is(b, i + 1, 255 ^ SPACE)) i++;
    this.#isCopied = isAt(b, i + 1, FROM_STDIN);
    if (!this.#isCopied && !isAt(b, i + 1, 'values')) return;
    this.#heads = heads;
    this.#values = i + 7;
  }

  /** The place of the value at this position among those of its row; -1 when it is none. */
  #column(position: number): number {
    const b = this.#text.bytes;
    const stop = Math.max(this.#values, position - MAX_ROW);
    if (this.#isCopied) return tabsBefore(b, position, stop);
    let commas = 0;
    let isQuoted = false;
    for (let i = position - 1; i >= stop; i--) {
      const c = byteAt(b, i);
      if (c === SINGLE_QUOTE) isQuoted = i < position - 1 && !isQuoted;
      else if (isQuoted) continue;
      else if (c === COMMA) commas++;
      else if (c === LEFT_PARENTHESIS) return commas;
      else if (c === RIGHT_PARENTHESIS) return -1;
    }
    return -1;
  }
}

function tabsBefore(b: Uint8Array, position: number, stop: number): number {
  let tabs = 0;
  for (let i = position - 1; i >= stop && b[i] !== LINE_FEED; i--) if (b[i] === TAB) tabs++;
  return tabs;
}
