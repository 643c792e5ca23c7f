import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import type { Client } from './client.ts';

interface Journal {
  entries: { when: number; tag: string }[];
}

/**
 * Brings the database to this version's schema. Throws when the file was written by a newer version: an older one
 * would not know what it must not break.
 */
export function migrateDatabase(client: Client, folder: string): void {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as Journal;
  const newest = Math.max(...journal.entries.map((entry) => entry.when));
  const applied = newestApplied(client);
  if (applied > newest) {
    throw new Error(
      'the database was written by a newer version of assize: start that version, or restore a backup',
    );
  }
  migrate(drizzle(client), { migrationsFolder: folder });
}

function newestApplied(client: Client): number {
  const known = client.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'").get();
  if (known === undefined) return 0;
  return Number(client.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() ?? 0);
}
