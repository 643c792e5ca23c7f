import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createClient } from '../../../src/store/postgres/client.ts';
import { migrateDatabase } from '../../../src/store/postgres/migrate.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { createDatabase, migrations } from './open.ts';

const journalOf = (folder: string) => join(folder, 'meta/_journal.json');

/** A copy of the migrations, of which `edit` changes the list. */
function editedMigrations(
  t: Test,
  edit: (entries: { idx: number; tag: string; when: number }[]) => void,
): string {
  const folder = join(temporaryFolder(t), 'migrations');
  cpSync(migrations, folder, { recursive: true });
  const journal = JSON.parse(readFileSync(journalOf(folder), 'utf8'));
  edit(journal.entries);
  writeFileSync(journalOf(folder), JSON.stringify(journal));
  return folder;
}

t.test('a migration may take longer than the timeouts of the role, which poolers need', async (t) => {
  const address = await createDatabase(t);
  const client = new pg.Client(address);
  await client.connect();
  t.teardown(() => client.end());
  const { pathname } = new URL(address);
  for (const name of ['statement_timeout', 'lock_timeout'])
    await client.query(`ALTER DATABASE ${pathname.slice(1)} SET ${name} = '50ms'`);
  const folder = editedMigrations(t, (entries) => {
    const last = entries.at(-1);
    if (last) entries.push({ ...last, idx: last.idx + 1, tag: 'slow', when: last.when + 1 });
  });
  writeFileSync(
    join(folder, 'slow.sql'),
    `CREATE TABLE slow AS SELECT pg_sleep(0.2)::text, current_setting('idle_in_transaction_session_timeout') AS idle;`,
  );
  // Another replica that migrates: this one waits for it.
  await client.query('BEGIN');
  await client.query('LOCK TABLE __drizzle_migrations');
  const migrating = migrateDatabase(address, folder);
  while ((await client.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rowCount === 0);
  await client.query('SELECT pg_sleep(0.04); SELECT pg_sleep(0.04)');
  await client.query('COMMIT');
  await migrating;
  const { rows } = await client.query('SELECT idle FROM slow');
  t.strictSame(rows, [{ idle: '1min' }], 'a busy machine may pause between two statements');
});

t.test('a connection that breaks between two statements fails the next one, not the process', async (t) => {
  const address = await createDatabase(t);
  const [client, other] = [createClient(address), createClient(address)];
  await Promise.all([client.connect(), other.connect()]);
  t.teardown(() => Promise.all([client.end(), other.end()]));
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  await other.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
  await t.rejects(client.query('SELECT 1'));
});

t.test('a standby is refused, by name', async (t) => {
  const address = await createDatabase(t);
  const client = createClient(address);
  await client.connect();
  t.teardown(() => client.end());
  await client.query(
    `ALTER DATABASE ${new URL(address).pathname.slice(1)} SET default_transaction_read_only = on`,
  );
  await t.rejects(migrateDatabase(address, migrations), { message: /read-only, as a standby is/ });
});
