// drizzle-kit has no word for STRICT tables: run after `drizzle-kit generate`, before the migration is reviewed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const folder = 'migrations/sqlite/';
for (const name of readdirSync(folder).filter((file) => file.endsWith('.sql'))) {
  const text = readFileSync(folder + name, 'utf8');
  const strict = text.replaceAll(/(CREATE TABLE [\s\S]*?\n\));/g, '$1 STRICT;');
  if (strict !== text) writeFileSync(folder + name, strict);
}
