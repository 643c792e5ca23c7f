import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

// Generates the migrations of both databases to the tables as they are now, to be reviewed: npm run migration -- --name NOUN
// Until the first release: npm run migration -- --anew writes each database's one migration again, and ends it with the
// statements of scripts/develop/by-hand, which drizzle has no words for.
const given = process.argv.slice(2);
const isAnew = given.includes('--anew');
const args = isAnew ? ['--name', 'first'] : given;

/** Tables of short rows that are found by their key only: with a row id, each change would be written to the table and to its key. */
const withoutRowIds = [
  'counter_cells',
  'counter_scopes',
  'counting_sessions',
  'evaluation_blocks',
  'session_cells',
  'session_marks',
  'session_stopped_tools',
  'session_tools',
  'violations',
];

for (const [database, config] of [
  ['sqlite', 'drizzle.config.ts'],
  ['postgres', 'scripts/develop/drizzle.postgres.config.ts'],
]) {
  const folder = `migrations/${database}/`;
  if (isAnew) rmSync(folder, { recursive: true, force: true });
  const { status } = spawnSync('drizzle-kit', ['generate', '--config', config, ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  if (database === 'sqlite') mend(folder);
  if (isAnew) {
    const byHand = readFileSync(`scripts/develop/by-hand/${database}.sql`, 'utf8');
    appendFileSync(`${folder}0000_first.sql`, `\n--> statement-breakpoint\n${byHand}`);
  }
}

/** drizzle-kit cannot make STRICT tables, nor tables without row ids, and quotes the parts of an indexed expression as if they were columns. */
function mend(folder) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.sql'))) {
    const text = readFileSync(folder + name, 'utf8');
    const mended = text
      .replaceAll(/(CREATE TABLE `(\w+)`[\s\S]*?\n\));/g, (_, table, name) =>
        withoutRowIds.includes(name) ? `${table} STRICT, WITHOUT ROWID;` : `${table} STRICT;`,
      )
      .replaceAll(/(CREATE INDEX [^(]*)\(`(\w+\([^`]*)`,` ([^`]*\))`\)/g, '$1($2, $3)');
    if (mended !== text) writeFileSync(folder + name, mended);
  }
}
