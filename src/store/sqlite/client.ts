import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { AppError } from '../../errors.ts';

export type Client = Database.Database;

/** How long a write waits for another process's write, in milliseconds. The event loop waits with it. */
const busyTimeoutMs = 2_000;

/** Opens the file, creating it and its folder. Throws an Error that names the file when it cannot be used. */
export function openClient(file: string): Client {
  let client: Client | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    client = new Database(file, { timeout: busyTimeoutMs });
    turnWalOn(client);
  } catch (cause) {
    client?.close();
    throw new Error(`cannot open the database ${file}: ${(cause as Error).message}`, { cause });
  }
  // Explicit, because the connection that turns WAL on gets FULL and every later one NORMAL. `wal-sync.ts` takes over
  // once the schema is in place.
  client.pragma('synchronous = FULL');
  client.pragma('foreign_keys = ON');
  client.pragma('trusted_schema = OFF');
  client.pragma('temp_store = MEMORY');
  // A deleted row, or one moved when a page is split, is overwritten where that costs no further write.
  client.pragma('secure_delete = FAST');
  return client;
}

/** SQLite does not wait here for another process that does the same at its start: it returns busy at once. */
function turnWalOn(client: Client): void {
  const giveUpAt = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      client.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const busy = error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
      if (!busy || performance.now() > giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

/** Whether a change found no space. A quota that is used up is told as a failed write. */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE'].includes(error.code)
  );
}

/** A failing database is the operator's trouble, not the caller's: 503, and the caller may try again. */
export function unavailable(error: unknown): unknown {
  return error instanceof Database.SqliteError
    ? new AppError('unavailable', 'the store is not available', { cause: error, retryAfterSeconds: 1 })
    : error;
}

/**
 * Runs a change that deletes content, and has SQLite overwrite it: the text would stay in pages that become free. Pages
 * that stay in use are overwritten at all times (client.ts).
 */
export function erase<T>(client: Client, change: () => T): T {
  client.pragma('secure_delete = ON');
  try {
    return change();
  } finally {
    client.pragma('secure_delete = FAST');
  }
}
