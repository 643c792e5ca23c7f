import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';

// Generates the migration to the tables of PostgreSQL as they are now. While no version has them, it is one, made anew: what drizzle
// has no word for is in postgres-tables.sql.
const folder = 'migrations/postgres';
rmSync(folder, { recursive: true, force: true });
const args = ['generate', '--config', 'drizzle.postgres.config.ts', '--name', 'first'];
const { status } = spawnSync('drizzle-kit', args, { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const more = readFileSync('scripts/develop/postgres-tables.sql', 'utf8');
appendFileSync(`${folder}/0000_first.sql`, `--> statement-breakpoint\n${more}`);
