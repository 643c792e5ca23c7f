import { hash } from 'node:crypto';
import { AppError } from '../errors.ts';

// Moves a database to another backend: first the evaluations, which are nearly all of it, while it is in use; then the rest, while
// nothing can be written to it. After a kill at any moment, the same call goes on.

export type MovedRow = Readonly<Record<string, string | number | null>>;

/** The database that is moved. */
export interface MoveSource {
  /** Where it was moved to; null while it was not. */
  movedTo(): string | null;
  /** In an order in which each table refers to those before it only; without the evaluations. */
  readonly tables: readonly string[];
  /** In chunks. */
  rows(table: string): Iterable<MovedRow[]>;
  /** At most `limit` evaluations after the one with this id, in the order of recording. */
  evaluations(after: string | null, limit: number): MovedRow[];
  /** The evaluations without content, after one place and up to another. In chunks. */
  erasedEvaluations(after: number, upTo: number): Iterable<MovedRow[]>;
  /** The place in its order up to which evaluations have lost their content. */
  erasedUpTo(): number;
  /** Nothing is written to it from now on, until `release`, or the end of this process. */
  hold(): void;
  release(): void;
  /** Ends the hold, and says where it was moved to: it can never be written to again. */
  markMoved(address: string, at: number): void;
  close(): void;
}

/** The database that it is moved to. */
export interface MoveTarget {
  /** Refuses a database that has data of its own. From now on it cannot be served until `finish`. */
  begin(): Promise<void>;
  /** Id of the last evaluation that it has; null for none. */
  lastEvaluation(): Promise<string | null>;
  /** Up to which place evaluations had lost their content when the first was copied; kept by the first call. */
  erasedAtFirst(place: number): Promise<number>;
  /** Adds them in one transaction, and checks them as the target has them. */
  addEvaluations(rows: readonly MovedRow[]): Promise<void>;
  /** All or nothing: `copy` replaces what the tables have. */
  replaceTables(tables: readonly string[], copy: (copying: TableCopy) => Promise<void>): Promise<void>;
  /** It can be served. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface TableCopy {
  add(table: string, rows: readonly MovedRow[]): Promise<void>;
  /** Replaces the evaluations at the same positions. */
  replaceEvaluations(rows: readonly MovedRow[]): Promise<void>;
  /** The digest of the table as it is now. */
  digest(table: string, columns: readonly string[]): Promise<TableDigest>;
}

/** The digest of rows in any order. */
export class TableDigest {
  count = 0;
  #sum = 0n;

  add(row: MovedRow, columns: readonly string[]): void {
    this.count++;
    const text = JSON.stringify(columns.map((column) => textOf(row[column] ?? null)));
    this.#sum = (this.#sum + BigInt(`0x${hash('sha256', text)}`)) % 2n ** 256n;
  }
  equals(other: TableDigest): boolean {
    return this.count === other.count && this.#sum === other.#sum;
  }
}

/** As both backends show it: ids in lower case, numbers in digits. */
const textOf = (value: string | number | boolean | null): string | null =>
  value === null ? null : typeof value === 'boolean' ? (value ? '1' : '0') : String(value);

const evaluationsAtOnce = 1_000;

export interface MoveProgress {
  /** `copied`: evaluations so far. */
  tell(copied: number): void;
}

export async function moveDatabase(
  source: MoveSource,
  target: MoveTarget,
  { address, at, progress }: { address: string; at: number; progress: MoveProgress },
): Promise<{ evaluations: number; rows: number }> {
  await target.begin();
  const moved = source.movedTo();
  if (moved !== null && moved !== address)
    throw new AppError('conflict', `the database was moved to ${moved} already`);
  // Killed after everything was copied and said.
  if (moved !== null) {
    await target.finish();
    return { evaluations: 0, rows: 0 };
  }
  const erased = await target.erasedAtFirst(source.erasedUpTo());
  let evaluations = await copyEvaluations(source, target, progress, 0);
  source.hold();
  try {
    evaluations = await copyEvaluations(source, target, progress, evaluations);
    let rows = 0;
    await target.replaceTables(source.tables, async (copying) => {
      await copyErased(source, copying, erased);
      for (const table of source.tables) rows += await copyTable(source, copying, table);
    });
    source.markMoved(address, at);
    await target.finish();
    return { evaluations, rows };
  } catch (error) {
    source.release();
    throw error;
  }
}

async function copyEvaluations(
  source: MoveSource,
  target: MoveTarget,
  progress: MoveProgress,
  before: number,
): Promise<number> {
  let copied = before;
  for (let after = await target.lastEvaluation(); ; ) {
    const rows = source.evaluations(after, evaluationsAtOnce);
    if (rows.length === 0) return copied;
    await target.addEvaluations(rows);
    after = String(rows.at(-1)?.id);
    copied += rows.length;
    progress.tell(copied);
  }
}

/** Content that was deleted after its evaluation was copied. */
async function copyErased(source: MoveSource, copying: TableCopy, from: number): Promise<void> {
  for (const rows of source.erasedEvaluations(from, source.erasedUpTo()))
    await copying.replaceEvaluations(rows);
}

async function copyTable(source: MoveSource, copying: TableCopy, table: string): Promise<number> {
  const given = new TableDigest();
  let columns: string[] = [];
  for (const rows of source.rows(table)) {
    columns = Object.keys(rows[0] ?? {});
    for (const row of rows) given.add(row, columns);
    await copying.add(table, rows);
  }
  if (!given.equals(await copying.digest(table, columns)))
    throw new AppError(
      'conflict',
      `what was copied of ${table} differs from what is there: nothing was moved`,
    );
  return given.count;
}
