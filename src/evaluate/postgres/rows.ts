import type { ClientBase, QueryConfig } from 'pg';

/** Something has to be read first: it is noted, and what was under way is done again once it is there. */
export class NotLoaded extends Error {}

type Key = readonly string[];
/** Rows say which key they are of: `k0`, `k1`, … */
export type Keyed<Row> = Row & { [part: `k${number}`]: string };

interface RowsQuery {
  /** The name of the prepared statement. */
  name: string;
  /** Its parameters are lists, one for each part of the key: what is asked for. An empty part is null there. */
  text: string;
  parts: number;
  /** The column that is the key, instead of `k0`. */
  key?: string;
  /** Runs before it, with the same parameters: locks, after which the query sees what those that held them wrote. */
  lock?: string;
}

/**
 * Rows by their key, as they were when the batch read them. Evaluations are decided synchronously: what is not there is noted,
 * and read for the whole batch at once.
 */
export class Rows<Row> {
  readonly #query: RowsQuery;
  readonly #found = new Map<string, readonly Row[]>();
  readonly #wanted = new Map<string, Key>();

  constructor(query: RowsQuery) {
    this.#query = query;
  }

  /** Says what will be asked for. */
  want(...key: Key): void {
    const id = idOf(key);
    if (!this.#found.has(id)) this.#wanted.set(id, key);
  }
  /** Empty when there is none. Throws `NotLoaded`. */
  of(...key: Key): readonly Row[] {
    const found = this.#found.get(idOf(key));
    if (found) return found;
    this.want(...key);
    throw new NotLoaded();
  }
  one(...key: Key): Row | null {
    return this.of(...key)[0] ?? null;
  }

  get isWanted(): boolean {
    return this.#wanted.size > 0;
  }

  /** Reads all that is wanted. The connection keeps the order of what it is sent. */
  async load(client: ClientBase): Promise<void> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const { name, text, parts, lock } = this.#query;
    const values = Array.from({ length: parts }, (_, part) => wanted.map(([, key]) => key[part] || null));
    const locked = lock && client.query({ name: `lock ${name}`, text: lock, values });
    const [{ rows }] = await Promise.all([client.query<Keyed<Row>>({ name, text, values }), locked]);
    const found = new Map<string, Row[]>(wanted.map(([id]) => [id, []]));
    for (const row of rows) found.get(this.#idOf(row))?.push(row);
    for (const [id, rowsOfKey] of found) this.#found.set(id, rowsOfKey);
  }

  /** Keeps rows that another statement read: one for each key. */
  keep(rows: readonly Keyed<Row>[]): void {
    for (const row of rows) {
      const id = this.#idOf(row);
      this.#found.set(id, [row]);
      this.#wanted.delete(id);
    }
  }

  /** A row that loses a column becomes slow to read and to copy: those that are many and wide have their key as a column of their own. */
  #idOf(row: Keyed<Row>): string {
    const { key, parts } = this.#query;
    return key === undefined ? takeId(row, parts) : String(row[key as keyof typeof row]);
  }
}

/**
 * For what a decision reads: it goes on without what is missing, to ask for all of it at once, and is taken again when the rows are
 * there.
 */
export function orElse<Found, Fallback>(find: () => Found, fallback: Fallback): Found | Fallback {
  try {
    return find();
  } catch (error) {
    if (error instanceof NotLoaded) return fallback;
    throw error;
  }
}

const idOf = (key: Key): string => (key.length === 1 ? (key[0] as string) : JSON.stringify(key));

const takeId = (row: Keyed<unknown>, parts: number): string =>
  idOf(Array.from({ length: parts }, (_, part) => takeKey(row, part)));

function takeKey(row: Keyed<unknown>, part: number): string {
  const value = row[`k${part}`] ?? '';
  delete row[`k${part}`];
  return value;
}

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
      // A missing value is null.
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
