import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createClient } from '../../../src/store/postgres/client.ts';
import { migrateDatabase } from '../../../src/store/postgres/migrate.ts';
import { temporaryFolder } from '../../helpers/app.ts';
import { createDatabase, migrations, untilAwaited } from './open.ts';

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
  await untilAwaited(client);
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

t.test('a database that a version before 0.2.0 wrote is refused and left as it is', async (t) => {
  const address = await createDatabase(t);
  const client = createClient(address);
  await client.connect();
  t.teardown(() => client.end());
  await client.query("UPDATE __drizzle_migrations SET hash = 'of a development version', created_at = 1");
  await t.rejects(migrateDatabase(address, migrations), { message: /written by a version before 0\.2\.0/ });
  const { rows } = await client.query('SELECT created_at FROM __drizzle_migrations');
  t.strictSame(rows, [{ created_at: 1 }]);
});

type Row = Record<string, string | null>;

/** Rows of every table, as text; each value differs from row to row, so that no key is there twice. */
async function fillEveryTable(client: pg.Client): Promise<void> {
  // Neither keys of other tables nor triggers.
  await client.query('SET session_replication_role = replica');
  const { rows: columns } = await client.query<{ table: string; name: string; type: string }>(
    `SELECT c.table_name AS table, c.column_name AS name, c.udt_name AS type
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER' AND is_identity = 'NO'
       -- A sign-in has a key or an operator.
       AND table_name <> '__drizzle_migrations' AND (table_name, column_name) <> ('sign_ins', 'operator_id') AND NOT EXISTS (
         SELECT 1 FROM pg_inherits WHERE inhrelid = format('%I', table_name)::regclass)
     ORDER BY table_name, ordinal_position`,
  );
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    for (let serial = 1; serial <= 3; serial++) {
      const values = own.map(({ type }) => textOf(type, serial));
      const names = own.map(({ name }) => client.escapeIdentifier(name));
      const places = own.map(({ type }, place) => `$${place + 1}::text::${type}`);
      await client.query(`INSERT INTO ${table} (${names}) VALUES (${places}) ON CONFLICT DO NOTHING`, values);
    }
  }
  await client.query('RESET session_replication_role');
}

function textOf(type: string, serial: number): string {
  if (type === 'uuid') return `01900000-0000-7000-8000-00000000000${serial}`;
  if (type === 'bool') return 'true';
  if (type === 'bytea') return `\\x0${serial}`;
  if (type === 'text') return `{"n":${serial}}`;
  return `${serial}`;
}

async function readEveryTable(client: pg.Client): Promise<Map<string, Row[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> '__drizzle_migrations' ORDER BY 1`,
  );
  const found = new Map<string, Row[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `SELECT row_to_json(t) AS row FROM ${name} AS t ORDER BY t::text`,
    );
    const texts = ({ row }: (typeof rows)[number]): Row =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, value === null ? null : `${value}`]),
      );
    found.set(name, rows.map(texts));
  }
  return found;
}

t.test('every older schema with rows in every table is brought up, and keeps them', async (t) => {
  const counts = JSON.parse(readFileSync(journalOf(migrations), 'utf8')).entries.length as number;
  const address = await createDatabase(t);
  const admin = createClient(address);
  await admin.connect();
  t.teardown(() => admin.end());
  for (let applied = 1; applied < counts; applied++) {
    await admin.query('DROP SCHEMA public CASCADE');
    await admin.query('CREATE SCHEMA public');
    const older = editedMigrations(t, (entries) => void entries.splice(applied));
    await migrateDatabase(address, older);
    const client = createClient(address);
    await client.connect();
    await fillEveryTable(client);
    const before = await readEveryTable(client);
    t.ok([...before.values()].filter((rows) => rows.length > 0).length > 25, 'rows in nearly every table');
    await migrateDatabase(address, migrations);
    const after = await readEveryTable(client);
    await client.end();
    for (const [table, rows] of before) {
      const now = after.get(table);
      if (!t.equal(now?.length, rows.length, `${applied} migrations, then all: ${table} keeps its rows`))
        continue;
      const kept = Object.keys(rows[0] ?? {}).filter((name) => name in (now?.[0] ?? {}));
      const only = (all: Row[] = []) => all.map((row) => kept.map((name) => `${row[name]}`).join()).sort();
      t.strictSame(only(now), only(rows), `and what is in them: ${table}`);
    }
  }
});
