import { globSync } from 'node:fs';
import { startPostgres } from './postgres.mjs';
import { run, runTap } from './run-tap.mjs';
import { groupTests } from './test-groups.mjs';

// Tests on a PostgreSQL server of their own: those of the store, and a part of the HTTP and CLI tests that takes a minute;
// with --all, all that use a database; with the names of files, these. Other flags go to tap.

const store = [
  'test/store/postgres/*.test.ts',
  'test/replicas/*.test.ts',
  'test/http/plugins/shared-limits.test.ts',
];
/** What differs most between the two databases: locks, order, texts, failures, and what other processes change. */
const part = [
  'test/http/plugins/{authenticate,errors}.test.ts',
  'test/http/{key-scopes,large-requests,idempotency-key}.test.ts',
  'test/http/routes/health.test.ts',
  'test/http/routes/v1/{audit,evaluate,evaluation-sessions,integrations,policies,reviews}.test.ts',
  'test/cli/{audit,replay}.test.ts',
  'test/features/operators/cli.test.ts',
];
const all = ['test/{features,http,cli,services,mcp,record,telemetry}/**/*.test.ts'];

// Replicas are processes of what is built.
if (run('npm', 'run', '-s', 'build') !== 0) process.exit(1);
const server = await startPostgres();
const env = { ...process.env, TEST_POSTGRES: server.address };

async function tap(files, ...more) {
  // Each test makes a database of its own.
  const args = ['--disable-coverage', '--jobs=2', '--timeout=1200', ...more, ...flags];
  if ((await runTap(args, files, env)) !== 0) process.exitCode = 1;
}

const flags = process.argv.slice(2).filter((argument) => argument.startsWith('--') && argument !== '--all');
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
try {
  if (files.length > 0) await tap(files);
  else {
    // What needs the server is never skipped.
    await tap(groupTests(globSync(store)), '--fail-skip');
    await tap(groupTests(globSync(process.argv.includes('--all') ? all : part)));
  }
} finally {
  await server.stop();
}
