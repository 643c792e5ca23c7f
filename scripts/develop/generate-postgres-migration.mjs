import './require-node.mjs';
import { spawnSync } from 'node:child_process';

// Generates the migration to the tables of PostgreSQL as they are now, to be reviewed: npm run migration:postgres -- --name NOUN
const args = ['generate', '--config', 'drizzle.postgres.config.ts', ...process.argv.slice(2)];
const { status } = spawnSync('drizzle-kit', args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
