import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, openClient } from '../../../src/store/sqlite/client.ts';
import { migrateDatabase } from '../../../src/store/sqlite/migrate.ts';
import { migrations } from '../../helpers/app.ts';

/** A file as an older version left it: with the first `applied` migrations and what `write` puts into it. */
export function writeOlderFile(folder: string, applied: number, write: (client: Client) => void): string {
  const older = join(folder, 'migrations');
  cpSync(migrations, older, { recursive: true });
  const journal = JSON.parse(readFileSync(join(older, 'meta/_journal.json'), 'utf8'));
  journal.entries.splice(applied);
  writeFileSync(join(older, 'meta/_journal.json'), JSON.stringify(journal));
  const file = join(folder, 'assize.db');
  const client = openClient(file);
  migrateDatabase(client, older);
  write(client);
  client.close();
  return file;
}
