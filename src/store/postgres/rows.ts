import type { ClientBase } from 'pg';

/** Something has to be read first: it is noted, and what was under way is done again once it is there. */
export class NotLoaded extends Error {}

type Key = readonly string[];
/** Rows say which key they are of: `k0`, `k1`, … */
export type Keyed<Row> = Row & { [part: `k${number}`]: string };

export interface RowsQuery {
  /** Of the prepared statement. */
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
