import { existsSync } from 'node:fs';
import { AppError } from '../../../errors.ts';
import type { SchemaAge } from '../../maintenance.ts';
import type { Client } from '../client.ts';
import { openExisting } from '../file/existing.ts';
import { compareSchema } from '../file/migrate.ts';

/** Why a schema cannot be worked with, and what to do; null for the one of this version. */
export function schemaTrouble(file: string, age: SchemaAge): string | null {
  switch (age) {
    case 'current':
      return null;
    case 'foreign':
      return `${file} is not a database of assize`;
    case 'older':
      return `${file} has the schema of an older version: start this one once (assize serve), which brings it up`;
    case 'newer':
      return `${file} was written by a newer version of assize: use that version`;
  }
}

/** Opens a database of any version of this service. Refuses anything else, and says what it is. */
export function openOurs(file: string, migrations: string): Client {
  if (!existsSync(file)) {
    throw new AppError('invalid', `there is no database ${file}: name one with --database`);
  }
  let client: Client;
  try {
    client = openExisting(file);
  } catch (cause) {
    throw new AppError('invalid', `${file} cannot be opened: ${(cause as Error).message}`, { cause });
  }
  if (compareSchema(client, migrations) !== 'foreign') return client;
  client.close();
  throw new AppError('invalid', schemaTrouble(file, 'foreign') ?? '');
}

export function assertCurrent(file: string, migrations: string): void {
  const client = openOurs(file, migrations);
  const age = compareSchema(client, migrations);
  client.close();
  const trouble = schemaTrouble(file, age);
  if (trouble !== null) throw new AppError('invalid', trouble);
}

/** SQLite ends the write-ahead log of a database only when nobody else has it open, and what was in it is copied first. */
export function takeOutOfUse(database: string): void {
  let client: Client | undefined;
  try {
    client = openExisting(database);
    client.pragma('journal_mode = DELETE');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code.startsWith('SQLITE_BUSY')) {
      throw new AppError('conflict', `${database} is in use: stop the server first`, { cause: error });
    }
    // People restore over a damaged file: it is kept as it is, with its log.
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(code)) throw error;
  } finally {
    client?.close();
  }
}
