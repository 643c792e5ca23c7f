import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Client } from '../client.ts';

/** How long to wait for another process's lock, in milliseconds. */
const busyTimeoutMs = 2_000;

/** Opens a database that is there, and changes nothing of it. Throws a SqliteError when it is missing or no database. */
export function openExisting(file: string): Client {
  // Read-only at first: a connection that can write, closing a database that it could not read, deletes its log.
  open(file, true).close();
  return open(file, false);
}

/** The same for reading only. */
export const openReadOnly = (file: string): Client => open(file, true);

function open(file: string, readonly: boolean): Client {
  const client = new Database(file, { fileMustExist: true, timeout: busyTimeoutMs, readonly });
  try {
    client.pragma('trusted_schema = OFF');
    // SQLite opens anything; only reading shows whether it is a database.
    client.prepare('SELECT count(*) FROM sqlite_master').get();
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/** For a database that must not be created, as when its volume is not mounted. */
export function assertNotEmpty(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size) return;
  throw new Error(
    `the database ${file} ${size === 0 ? 'is empty' : 'is missing'}, and ASSIZE_DATABASE_MUST_EXIST is true: mount its volume, correct ASSIZE_DATABASE, or restore a backup`,
  );
}

/** The problems that `PRAGMA integrity_check` finds; empty for a sound database. `quick` leaves out whether indexes match. */
export function findDamage(client: Client, how: 'integrity' | 'quick' = 'integrity'): string[] {
  const found = client.pragma(`${how}_check(20)`) as Record<string, string>[];
  const lines = found.flatMap((row) => Object.values(row));
  return lines.length === 1 && lines[0] === 'ok' ? [] : lines;
}

/** Where the database was moved to; null while it was not. */
export function findMove(client: Client): string | null {
  const isMoved = client.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'moved'").get();
  if (!isMoved) return null;
  return client.prepare<[], string>('SELECT address FROM moved').pluck().get() ?? null;
}

/** Writes to it from now on would be lost. */
export function assertNotMoved(client: Client): void {
  const address = findMove(client);
  if (address !== null)
    throw new Error(
      `the database ${client.name} was moved to ${address}: set ASSIZE_DATABASE to that address`,
    );
}
