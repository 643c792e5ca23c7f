import type { QueryConfig } from 'pg';

type Value = string | number | boolean | Buffer | null;

/** Rows to write in one statement, column by column. */
export class WrittenRows<Column extends string> {
  readonly #name: string;
  readonly #text: string;
  readonly #columns: readonly Column[];
  readonly #values: Value[][];

  /** `text`: of the statement, for its source of rows: `rows(column, …)`. */
  constructor(
    name: string,
    types: Readonly<Record<Column, string>>,
    text: (rows: string, columns: string) => string,
  ) {
    this.#columns = Object.keys(types) as Column[];
    const lists = this.#columns.map((column, place) => `$${place + 1}::${types[column]}[]`);
    const columns = this.#columns.join(', ');
    this.#name = name;
    this.#text = text(`unnest(${lists.join(', ')}) AS rows(${columns})`, columns);
    this.#values = this.#columns.map(() => []);
  }

  add(row: Readonly<Record<Column, Value>>): void {
    for (const [place, column] of this.#columns.entries()) this.#values[place]?.push(row[column]);
  }

  /** Null when there is nothing to write. */
  get statement(): QueryConfig | null {
    if (this.#values[0]?.length === 0) return null;
    return { name: this.#name, text: this.#text, values: this.#values };
  }
}

/** A statement that inserts rows; `otherwise`: what it does where one is there already. */
export const inserting =
  (table: string, otherwise = '') =>
  (rows: string, columns: string): string =>
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${rows} ${otherwise}`;
