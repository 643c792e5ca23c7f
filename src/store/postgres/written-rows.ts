import type { QueryConfig } from 'pg';

/** Numbers are integers. */
type Value = string | number | boolean | Buffer | null;
type Written = string | number | boolean;

/** By the names of their statements: they are the same in every batch. */
const texts = new Map<string, string>();

/** Rows to write in one statement, whose only parameter is all of them as JSON: that costs both sides less than a list for each column. */
export class WrittenRows<Column extends string> {
  readonly #name: string;
  readonly #types: Readonly<Record<Column, string>>;
  readonly #text: (rows: string, columns: string) => string;
  readonly #columns: readonly Column[];
  readonly #rows: Record<string, Written>[] = [];

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
  }

  /** Takes the bytes of a buffer as they are now. */
  add(row: Readonly<Record<Column, Value>>): void {
    const written: Record<string, Written> = {};
    for (const column of this.#columns) {
      const value = row[column];
      // What is not there is null.
      if (value !== null) written[column] = toWritten(value);
    }
    this.#rows.push(written);
  }

  /** Null when there is nothing to write. */
  get statement(): QueryConfig | null {
    if (this.#rows.length === 0) return null;
    const text = texts.get(this.#name) ?? this.#write();
    texts.set(this.#name, text);
    return { name: this.#name, text, values: [toJson(this.#rows)] };
  }
  #write(): string {
    const columns = this.#columns.map((column) => `${column} ${this.#types[column]}`);
    return this.#text(`json_to_recordset($1) AS rows(${columns.join(', ')})`, this.#columns.join(', '));
  }
}

/** As PostgreSQL reads it in JSON. */
function toWritten(value: NonNullable<Value>): Written {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Error('a number to write is not an exact integer');
  return value;
}

/** PostgreSQL refuses half of a surrogate pair in JSON. The replacement character is written instead, as where text is sent as UTF-8. */
function toJson(rows: readonly Record<string, Written>[]): string {
  const json = JSON.stringify(rows);
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
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
