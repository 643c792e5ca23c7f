import type { QueryConfig } from 'pg';

type Value = string | number | boolean | Buffer | null;

/** By the names of their statements: they are the same in every batch. */
const texts = new Map<string, string>();

/** Rows to write in one statement, column by column. */
export class WrittenRows<Column extends string> {
  readonly #name: string;
  readonly #types: Readonly<Record<Column, string>>;
  readonly #text: (rows: string, columns: string) => string;
  readonly #columns: readonly Column[];
  readonly #values: Value[][];

  /** `text`: of the statement, for its source of rows: `rows(column, …)`. */
  constructor(
    name: string,
    types: Readonly<Record<Column, string>>,
    text: (rows: string, columns: string) => string,
  ) {
    this.#name = name;
    this.#types = types;
    this.#text = text;
    this.#columns = Object.keys(types) as Column[];
    this.#values = this.#columns.map(() => []);
  }

  add(row: Readonly<Record<Column, Value>>): void {
    for (const [place, column] of this.#columns.entries()) this.#values[place]?.push(row[column]);
  }

  /** Null when there is nothing to write. */
  get statement(): QueryConfig | null {
    if (this.#values[0]?.length === 0) return null;
    const text = texts.get(this.#name) ?? this.#write();
    texts.set(this.#name, text);
    return { name: this.#name, text, values: this.#values };
  }
  #write(): string {
    const lists = this.#columns.map((column, place) => `$${place + 1}::${this.#types[column]}[]`);
    const columns = this.#columns.join(', ');
    return this.#text(`unnest(${lists.join(', ')}) AS rows(${columns})`, columns);
  }
}

/** Both as one statement, which costs less than two. Neither sees what the other one writes. */
export function together(first: QueryConfig | null, second: QueryConfig | null): QueryConfig | null {
  if (!first || !second) return first ?? second;
  const [before = [], after = []] = [first.values, second.values];
  const name = `${first.name}, ${second.name}`;
  const text =
    texts.get(name) ??
    `WITH first AS (${first.text}) ${second.text.replace(/\$(\d+)/g, (_, place) => `$${before.length + Number(place)}`)}`;
  texts.set(name, text);
  return { name, text, values: [...before, ...after] };
}

/** A statement that inserts rows; `otherwise`: what it does where one is there already. */
export const inserting =
  (table: string, otherwise = '') =>
  (rows: string, columns: string): string =>
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${rows} ${otherwise}`;
