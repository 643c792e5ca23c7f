import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

// Generates the migration to the tables as they are now, to be reviewed: npm run migration -- --name NOUN
const { status } = spawnSync('drizzle-kit', ['generate', ...process.argv.slice(2)], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

// drizzle-kit cannot make STRICT tables.
const folder = 'migrations/sqlite/';
for (const name of readdirSync(folder).filter((file) => file.endsWith('.sql'))) {
  const text = readFileSync(folder + name, 'utf8');
  const strict = text.replaceAll(/(CREATE TABLE [\s\S]*?\n\));/g, '$1 STRICT;');
  if (strict !== text) writeFileSync(folder + name, strict);
}
