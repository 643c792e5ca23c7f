import { existsSync } from 'node:fs';
import { shipped } from '../../files.ts';
import type { Client } from '../../store/sqlite/client.ts';
import { openExisting } from '../../store/sqlite/existing.ts';
import { compareSchema, type SchemaAge } from '../../store/sqlite/migrate.ts';
import { Exit, exitCodes } from '../exit.ts';

export const schemaOf = (client: Client): SchemaAge => compareSchema(client, shipped('migrations/sqlite'));

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

/** Opens a database of any version of this service. Throws an Exit that says what it is instead. */
export function openOurs(file: string): Client {
  if (!existsSync(file)) {
    throw new Exit(
      exitCodes.wrongUse,
      `there is no database ${file}: name one by --database, or a server by --url`,
    );
  }
  let client: Client;
  try {
    client = openExisting(file);
  } catch (error) {
    throw new Exit(exitCodes.wrongUse, `${file} cannot be opened: ${(error as Error).message}`);
  }
  if (schemaOf(client) !== 'foreign') return client;
  client.close();
  throw new Exit(exitCodes.wrongUse, schemaTrouble(file, 'foreign') ?? '');
}

/** Commands work on a database, they never create or migrate one: another version may be serving it. */
export function assertCurrent(file: string): void {
  const client = openOurs(file);
  const age = schemaOf(client);
  client.close();
  const trouble = schemaTrouble(file, age);
  if (trouble !== null) throw new Exit(exitCodes.wrongUse, trouble);
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
      throw new Exit(exitCodes.failed, `${database} is in use: stop the server first`);
    }
    // One that is damaged is what people restore over: it is kept as it is, with its log.
    if (!/^SQLITE_(NOTADB|CORRUPT)/.test(code)) throw error;
  } finally {
    client?.close();
  }
}
