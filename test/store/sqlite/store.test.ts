import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { cached } from '../../../src/store/open.ts';
import { openClient } from '../../../src/store/sqlite/client.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { migrations, temporaryFolder } from '../../helpers/app.ts';
import { storeContract } from '../contract.ts';
import * as make from '../samples.ts';

// takes long: begins first

const { start } = make;
const onSyncFailure = (error: unknown): never => {
  throw error;
};

function open(t: Test, file = join(temporaryFolder(t), 'deep', 'folder', 'assize.db')) {
  const store = openSqliteStore({ file, migrations, onSyncFailure });
  t.teardown(() => store.close());
  return { store, file };
}
/** A second look at the file, past the store. */
function look(t: Test, file: string) {
  const client = openClient(file);
  t.teardown(() => client.close());
  return client;
}

storeContract(t, async (t) => {
  const { store } = open(t);
  return cached(store, store.changeCount);
});

t.test('an empty file gets every table, all of them STRICT, and is not touched again', async (t) => {
  const { store, file } = open(t);
  const client = look(t, file);
  const tables = client.pragma('table_list') as {
    name: string;
    type: string;
    strict: number;
    schema: string;
  }[];
  const ours = tables.filter(
    ({ name, schema, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'),
  );
  t.ok(ours.length > 10);
  t.strictSame(
    ours.filter(({ strict }) => strict !== 1).map(({ name }) => name),
    [],
  );
  t.strictSame(client.pragma('foreign_key_check'), []);
  await store.close();
  const before = client.pragma('data_version', { simple: true });
  await open(t, file).store.close();
  t.equal(client.pragma('data_version', { simple: true }), before);
});

t.test('every connection is durable, checks references, and writes ahead', async (t) => {
  const { file } = open(t);
  for (const client of [look(t, file), look(t, file)]) {
    const setting = (name: string) => client.pragma(name, { simple: true });
    t.strictSame(['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema'].map(setting), [
      'wal',
      2,
      1,
      0,
    ]);
  }
});

t.test('a row that refers to nothing is refused', async (t) => {
  const client = look(t, open(t).file);
  const insert = `INSERT INTO integration_keys (id, integration_id, name, key_hash, key_prefix, scopes, created_at)
    VALUES ('k', 'nobody', 'n', 'h', 'p', '[]', 0)`;
  t.throws(() => client.exec(insert), /FOREIGN KEY/);
});

t.test('a file that a newer version wrote is refused and left as it is', async (t) => {
  const { store, file } = open(t);
  await store.close();
  const client = look(t, file);
  const applied = client.prepare('SELECT count(*) FROM __drizzle_migrations').pluck();
  const before = applied.get() as number;
  client.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)");
  t.throws(() => openSqliteStore({ file, migrations, onSyncFailure }), {
    message: /written by a newer version of assize/,
  });
  t.equal(applied.get(), before + 1);
});

t.test('a file that a version before 0.2.0 wrote is refused and left as it is', async (t) => {
  const { store, file } = open(t);
  await store.close();
  const client = look(t, file);
  client.exec("UPDATE __drizzle_migrations SET hash = 'of a development version', created_at = 1");
  t.throws(() => openSqliteStore({ file, migrations, onSyncFailure }), {
    message: /written by a version before 0\.2\.0.*start with a new database/,
  });
  t.strictSame(client.prepare('SELECT created_at FROM __drizzle_migrations').pluck().all(), [1]);
});

t.test('a later migration is applied once, to what is there; one that fails changes nothing', async (t) => {
  const { store, file } = open(t);
  const { id } = await make.createIntegration(store);
  await store.close();
  const folder = join(temporaryFolder(t), 'migrations');
  cpSync(migrations, folder, { recursive: true });
  const journal = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'));
  journal.entries.push({
    idx: 1,
    version: '6',
    when: 99_999_999_999_999,
    tag: '9999_later',
    breakpoints: true,
  });
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify(journal));
  const write = (second: string) =>
    writeFileSync(
      join(folder, '9999_later.sql'),
      `CREATE TABLE later (a INTEGER) STRICT;\n--> statement-breakpoint\n${second}`,
    );
  write('CREATE NONSENSE');
  t.throws(() => openSqliteStore({ file, migrations: folder, onSyncFailure }), { message: /NONSENSE/ });
  const client = look(t, file);
  const later = () => client.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'later'").pluck().get();
  t.equal(later(), 0);
  write('INSERT INTO later VALUES (1)');
  for (let times = 0; times < 2; times++) {
    const migrated = openSqliteStore({ file, migrations: folder, onSyncFailure });
    t.match(await migrated.integrations.find(id), { id }, 'what was there is there');
    await migrated.close();
  }
  t.equal(client.prepare('SELECT count(*) FROM later').pluck().get(), 1);
});

t.test('what cannot be a database is refused in one sentence that names it', async (t) => {
  const folder = temporaryFolder(t);
  const words = join(folder, 'words.db');
  writeFileSync(words, 'just words, and enough of them to be looked at '.repeat(50));
  mkdirSync(join(folder, 'folder.db'));
  for (const [file, why] of [
    [words, 'file is not a database'],
    [join(words, 'assize.db'), 'file already exists'],
    [join(folder, 'folder.db'), 'unable to open database file'],
  ] as const) {
    t.throws(
      () => openSqliteStore({ file, migrations, onSyncFailure }),
      { message: new RegExp(`^cannot open the database ${file}: .*${why}`) },
      file,
    );
  }
  t.match(readFileSync(words, 'utf8'), /^just words/, 'and is left as it is');
});

t.test('a folder that may not be written to is refused in one sentence', async (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o555);
  // Nothing is forbidden to root: its tests put on another user for the moment.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    for (const name of ['assize.db', 'new/assize.db']) {
      const file = join(folder, name);
      t.throws(() => openSqliteStore({ file, migrations, onSyncFailure }), {
        message: new RegExp(`^cannot open the database ${file}: `),
      });
    }
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o755);
  }
});

t.test('a file that another program keeps for itself is refused after a wait, and named', async (t) => {
  const file = join(temporaryFolder(t), 'assize.db');
  const other = new Database(file);
  t.teardown(() => other.close());
  other.exec('CREATE TABLE theirs (a); BEGIN EXCLUSIVE');
  const started = performance.now();
  t.throws(() => openSqliteStore({ file, migrations, onSyncFailure }), {
    message: `cannot open the database ${file}: database is locked`,
  });
  t.ok(performance.now() - started >= 1_900, 'whoever only starts at the same time is waited for');
});

t.test('what another process on the same file changes is seen in the next turn', async (t) => {
  const { store: uncached, file } = open(t);
  const store = cached(uncached, uncached.changeCount);
  const other = open(t, file).store;
  const { id, keyHash } = await make.createIntegration(store);
  t.match(await store.integrationKeys.find(keyHash, start), { integration: { id } });
  const inForce = await store.policies.findInForce(id);
  t.equal(await store.policies.findInForce(id), inForce, 'the same object until something changes');
  const before = uncached.changeCount();
  await other.integrations.replaceKey(id, make.key(), start);
  t.not(uncached.changeCount(), before);
  t.not(await store.policies.findInForce(id), inForce);
  const late = make.evaluation(id, { revision: inForce?.revision ?? 0 });
  t.strictSame(await store.evaluations.record(late, () => make.verdict()), { kind: 'stale' });
  t.equal(await store.integrationKeys.find(keyHash, start), null);
});

t.test(
  'a lock that another process holds too long, and a broken table, are answered as unavailable',
  async (t) => {
    const { store, file } = open(t);
    const { id } = await make.createIntegration(store);
    const client = look(t, file);
    const unavailable = { code: 'unavailable', retryAfterSeconds: 1 };
    client.exec('BEGIN IMMEDIATE');
    await t.rejects(store.ping(), unavailable);
    t.match(await store.integrations.find(id), { id }, 'reading goes on');
    client.exec('ROLLBACK');
    await store.ping();
    client.exec('ALTER TABLE evaluation_sessions RENAME TO lost');
    await t.rejects(store.sessions.find(id, id, start), unavailable);
    await t.rejects(store.sessions.create(make.session(id), '{}', null), unavailable);
  },
);

t.test('an evaluation that comes together with a change of what decides comes after it', async (t) => {
  const { store } = open(t);
  const { id } = await make.createIntegration(store);
  const revision = await make.revisionOf(store, id);
  const [changed, late] = await Promise.all([
    store.integrations.change(id, { settings: { whenNoPolicy: 'BLOCK' } }, start),
    store.evaluations.record(make.evaluation(id, { revision }), () => make.verdict()),
  ]);
  t.ok(changed);
  t.strictSame(late, { kind: 'stale' });
});

t.test('what was learnt inside a failed step is forgotten', async (t) => {
  const { store } = open(t);
  const { id } = await make.createIntegration(store);
  const created = { id: make.newId(), status: 'ACTIVE' as const, createdAt: start };
  await store.policies.create(created, make.document('p'));
  await store.policies.bind(id, created.id, null, start);
  const policySet = { key: `${created.id}:1`, members: [{ policyId: created.id, version: 1 }], terms: [] };
  const decide = () => make.verdict();
  const decidedBy = { policySet, revision: await make.revisionOf(store, id) };
  const twice = make.evaluation(id, decidedBy);
  const failing = make.evaluation(id, { id: twice.id, ...decidedBy });
  const results = await Promise.allSettled([
    store.evaluations.record(twice, decide),
    store.evaluations.record(failing, decide),
  ]);
  t.strictSame(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  t.equal(await store.policies.delete(created.id), 'has_decided', 'the set was written with what used it');
});

t.test('idempotency keys that are out of date are purged while new ones come', async (t) => {
  const { store, file } = open(t);
  const { id } = await make.createIntegration(store);
  const client = look(t, file);
  const kept = () => client.prepare('SELECT key FROM idempotency_keys ORDER BY created_at').pluck().all();
  const create = (key: string, at: number, notBefore: number) =>
    store.sessions.create(make.session(id, { startedAt: at }), '{}', make.once({ key, notBefore }));
  for (let n = 0; n < 5; n++) await create(`old${n}`, start + n, start);
  t.equal(kept().length, 5);
  await create('new0', start + 100, start + 3);
  t.strictSame(kept(), ['old2', 'old3', 'old4', 'new0'], 'two at a time, the oldest first');
  await create('new1', start + 101, start + 3);
  t.strictSame(kept(), ['old3', 'old4', 'new0', 'new1'], 'and none that still counts');
});

t.test('closing finishes what was accepted, and can be repeated', async (t) => {
  const { store, file } = open(t);
  const pending = make.createIntegration(store);
  await store.close();
  await store.close();
  const { id } = await pending;
  t.match(await open(t, file).store.integrations.find(id), { id });
});
