import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import t, { type Test } from 'tap';
import { adminKey, createClock, sqliteOnly, startApp, temporaryFolder } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { program, serveProcess } from '../helpers/process.ts';

async function evaluate(url: string, key: string, body: object): Promise<{ evaluationRunId: string }> {
  const response = await fetch(`${url}/v1/evaluate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await response.json()) as { data: { evaluationRunId: string } }).data;
}

/** The command in a process of its own, so that this one goes on asking. */
const beside = (args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { env: {} });
    const written = { out: '', err: '' };
    child.stdout.on('data', (text) => {
      written.out += text;
    });
    child.stderr.on('data', (text) => {
      written.err += text;
    });
    child.once('close', (code) => resolve({ code, ...written }));
  });

t.test(
  'a backup made while the service writes restores to a consistent service',
  sqliteOnly('PostgreSQL is backed up by pg_dump'),
  async (t) => {
    const folder = temporaryFolder(t);
    const database = join(folder, 'live.db');
    const served = serveProcess(t, { ASSIZE_DATABASE: database, ASSIZE_ADMIN_KEY: adminKey });
    const url = await served.url();
    const [, key = ''] =
      /demo agent key +(asz_live_[A-Za-z0-9_-]{43})\n/.exec(await served.firstKeys()) ?? [];
    const answered: string[] = [];
    let stop = false;
    const worker = async () => {
      while (!stop) answered.push((await evaluate(url, key, { input: { tool: 'x' } })).evaluationRunId);
    };
    const workers = Array.from({ length: 4 }, worker);
    while (answered.length < 50) await new Promise(setImmediate);
    const before = [...answered];
    const file = join(folder, 'backup.db');
    const made = await beside(['backup', file, '--database', database, '--json']);
    const after = answered.length;
    stop = true;
    await Promise.all(workers);
    t.match(made, { code: 0, err: '' });
    t.strictSame(JSON.parse(made.out), { file, database, bytes: statSync(file).size });
    t.ok(after > before.length, 'it wrote meanwhile');
    t.equal(statSync(file).mode & 0o777, 0o600);
    t.strictSame(
      readdirSync(folder).filter((name) => !name.startsWith('live.db')),
      ['backup.db'],
      'one file, and nothing half made',
    );
    const refused = await run(['restore', file, '--database', database]);
    t.match(refused, { code: 1, err: `assize: ${database} is in use: stop the server first\n` });
    await served.stop();

    const restored = await run(['restore', file, '--database', database, '--json']);
    t.equal(restored.code, 0, restored.err);
    const { keptAs } = JSON.parse(restored.out);
    const count = (path: string) => {
      const client = new Database(path, { readonly: true });
      const rows = client.prepare('SELECT uid FROM evaluations ORDER BY id').pluck().all() as string[];
      client.close();
      return rows;
    };
    t.equal(
      count(keptAs).length,
      answered.length,
      'the former database is kept, with all that was in its log',
    );
    const kept = count(database);
    t.ok(
      before.every((id) => kept.includes(id)),
      'all that was answered before the backup is in it',
    );
    t.strictSame(
      kept,
      count(keptAs).slice(0, kept.length),
      'and it is the beginning of the record, without a hole',
    );
    const again = serveProcess(t, { ASSIZE_DATABASE: database, ASSIZE_ADMIN_KEY: adminKey });
    t.ok((await evaluate(await again.url(), key, { input: { tool: 'y' } })).evaluationRunId, 'it serves');
  },
);

t.test(
  'a backup replaces nothing that nobody said it may',
  sqliteOnly('PostgreSQL is backed up by pg_dump'),
  async (t) => {
    const app = await startApp(t, {}, { clock: createClock(Date.now()) });
    const folder = temporaryFolder(t);
    const there = join(folder, 'there');
    writeFileSync(there, 'mine');
    const link = join(folder, 'link');
    symlinkSync(app.database, link);
    mkdirSync(join(folder, 'folder'));
    const backup = (file: string, ...more: string[]) =>
      run(['backup', file, '--database', app.database, ...more]);
    t.match(await backup(there), {
      code: 2,
      err: `assize: ${there} already exists: use --force to replace it\n`,
    });
    t.equal(readFileSync(there, 'utf8'), 'mine');
    for (const file of [app.database, `${app.database}-wal`, link]) {
      t.match(await backup(file, '--force'), { code: 2, err: /is the database itself/ }, file);
    }
    t.match(await backup(join(folder, 'folder'), '--force'), { code: 2, err: /is not a file/ });
    t.match(await backup(join(folder, 'none', 'x')), { code: 2, err: /there is no folder/ });
    t.match(await run(['backup', join(folder, 'x'), '--database', there]), {
      code: 2,
      err: /not a database/,
    });
    t.strictSame(readdirSync(folder).sort(), ['folder', 'link', 'there']);
    t.equal((await backup(there, '--force')).code, 0);
    t.not(readFileSync(there).subarray(0, 4).toString(), 'mine');
  },
);

/** A sound backup, and the path of a database that is not there. */
async function backedUp(t: Test): Promise<{ folder: string; file: string; database: string }> {
  const app = await startApp(t, {}, { clock: createClock(Date.now()) });
  await app.integration();
  const folder = temporaryFolder(t);
  const file = join(folder, 'backup.db');
  t.equal((await run(['backup', file, '--database', app.database])).code, 0);
  return { folder, file, database: join(folder, 'data', 'assize.db') };
}

t.test(
  'restore refuses what is no good backup, and leaves the database as it is',
  sqliteOnly('PostgreSQL is backed up by pg_dump'),
  async (t) => {
    const { folder, file, database } = await backedUp(t);
    t.equal((await run(['restore', file, '--database', database])).code, 0, 'where there was none');
    const before = readFileSync(database);
    const change = (name: string, edit: (client: Database.Database) => void) => {
      const path = join(folder, name);
      writeFileSync(path, readFileSync(file));
      const client = new Database(path);
      edit(client);
      client.close();
      return path;
    };
    const newer = change('newer.db', (client) => {
      client.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)");
    });
    const foreign = change('foreign.db', (client) =>
      client.exec("UPDATE __drizzle_migrations SET hash = 'theirs'"),
    );
    const damaged = join(folder, 'damaged.db');
    const bytes = readFileSync(file);
    bytes.fill(0x5a, 4_096 * 3, 4_096 * 6);
    writeFileSync(damaged, bytes);
    const cut = join(folder, 'cut.db');
    writeFileSync(cut, readFileSync(file).subarray(0, 20_000));
    const words = join(folder, 'words.db');
    writeFileSync(words, 'just words, and many of them '.repeat(1_000));
    const other = join(folder, 'other.db');
    new Database(other).exec('CREATE TABLE t (x)').close();
    for (const [bad, code, said] of [
      [newer, 1, /was written by a newer version of assize/],
      [foreign, 1, /foreign\.db is not a database of assize/],
      [other, 1, /other\.db is not a database of assize/],
      [damaged, 1, /damaged\.db is damaged/],
      [cut, 1, /cut\.db is damaged/],
      [words, 1, /words\.db is damaged, or not a database/],
      [join(folder, 'none.db'), 2, /there is no file/],
      [folder, 2, /there is no file/],
      [database, 2, /is the database itself/],
    ] as const) {
      const ran = await run(['restore', bad, '--database', database]);
      t.equal(ran.code, code, bad);
      t.match(ran.err, said);
      t.ok(readFileSync(database).equals(before), 'unchanged');
      t.strictSame(readdirSync(join(folder, 'data')), ['assize.db'], 'and nothing beside it');
    }
  },
);

t.test(
  'restore goes over a damaged database, and keeps it with its log',
  sqliteOnly('PostgreSQL is backed up by pg_dump'),
  async (t) => {
    const { file, database } = await backedUp(t);
    mkdirSync(join(database, '..'));
    writeFileSync(database, 'no database any more '.repeat(500));
    writeFileSync(`${database}-wal`, 'its log');
    const ran = await run(['restore', file, '--database', database, '--json']);
    t.equal(ran.code, 0, ran.err);
    const { keptAs } = JSON.parse(ran.out);
    t.match(readFileSync(keptAs, 'utf8'), /^no database any more/);
    t.equal(readFileSync(`${keptAs}-wal`, 'utf8'), 'its log');
    t.notOk(existsSync(`${database}-wal`), 'which the new one does not take for its own');
    t.match(await run(['integrations', 'list', '--database', database]), { code: 0, out: /test AGENT/ });
  },
);

t.test(
  'restore takes a plain copy of a live database with the log that was copied beside it',
  sqliteOnly('PostgreSQL is backed up by pg_dump'),
  async (t) => {
    const app = await startApp(t, {}, { clock: createClock(Date.now()) });
    const folder = temporaryFolder(t);
    await app.integration('MCP_SERVER');
    const file = join(folder, 'copy.db');
    for (const part of ['', '-wal']) writeFileSync(file + part, readFileSync(app.database + part));
    const database = join(folder, 'assize.db');
    t.equal((await run(['restore', file, '--database', database])).code, 0);
    t.match(await run(['integrations', 'list', '--database', database]), { out: /test MCP_SERVER/ });
  },
);

t.test('without a database each command names the options that it has', async (t) => {
  const none = join(temporaryFolder(t), 'none.db');
  const said = `assize: there is no database ${none}: name one with --database`;
  for (const args of [
    ['backup', join(temporaryFolder(t), 'copy.db')],
    ['migrate-to', 'postgres://assize@127.0.0.1:1/assize'],
    ['clock', 'reset'],
    ['retention', 'confirm'],
  ]) {
    const { code, err } = await run([...args, '--database', none]);
    t.strictSame([code, err.trimEnd()], [2, said], args.join(' '));
  }
  const { code, err } = await run(['policies', 'list', '--database', none]);
  t.strictSame([code, err.trimEnd()], [2, `${said}, or a server with --url`]);
});
