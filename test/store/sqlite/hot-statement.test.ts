import { join } from 'node:path';
import { gte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import t from 'tap';
import { openClient } from '../../../src/store/sqlite/client.ts';
import { hideValues, prepareNamedRead } from '../../../src/store/sqlite/hot-statement.ts';
import { temporaryFolder } from '../../helpers/app.ts';

t.test('what is compared with or limits is hidden from the planner, what is written is not', async (t) => {
  t.equal(
    hideValues('select a from t where (b = ? and c >= ? and d < ?) order by a limit ? offset ?'),
    'select a from t where (b = +? and c >= +? and d < +?) order by a limit +? offset +?',
  );
  t.equal(
    hideValues('SELECT a FROM t WHERE b > @b LIMIT @limit'),
    'SELECT a FROM t WHERE b > +@b LIMIT +@limit',
  );
  t.equal(hideValues('insert into t values (?, ?)'), 'insert into t values (?, ?)');
  t.equal(hideValues('update t set a = ? where b = ?'), 'update t set a = +? where b = +?');
});

t.test('a value is the same behind the plus', async (t) => {
  const client = openClient(join(temporaryFolder(t), 'a.db'));
  t.teardown(() => client.close());
  client.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY, whole INTEGER, word TEXT, bytes BLOB) STRICT');
  const prepare = (sql: string) => client.prepare(hideValues(sql));
  const bytes = Buffer.from([0, 255]);
  prepare('INSERT INTO kept VALUES (?, ?, ?, ?)').run(1, 0, '', null);
  prepare('UPDATE kept SET whole = ?, word = ?, bytes = ? WHERE id = ?').run(2 ** 53 - 1, '007', bytes, 1);
  t.strictSame(
    prepare('SELECT whole, word, bytes FROM kept WHERE word = ? AND bytes = ? LIMIT ?').get('007', bytes, 1),
    {
      whole: 2 ** 53 - 1,
      word: '007',
      bytes,
    },
  );
  t.equal(prepare('SELECT id FROM kept WHERE word = ?').get('7'), undefined, 'text stays text');
  prepare('UPDATE kept SET word = ? WHERE id = ?').run(null, 1);
  t.equal(prepare('SELECT word FROM kept WHERE id = ?').pluck().get(1), null);
});

t.test('rows of a prepared read are as drizzle gives them', async (t) => {
  const client = openClient(join(temporaryFolder(t), 'a.db'));
  t.teardown(() => client.close());
  client.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY, is_on INTEGER, word TEXT) STRICT');
  client.exec("INSERT INTO kept VALUES (1, 1, 'one'), (2, 0, NULL), (3, NULL, 'three')");
  const kept = sqliteTable('kept', {
    id: integer().primaryKey(),
    isOn: integer({ mode: 'boolean' }),
    word: text(),
  });
  const query = drizzle(client, { casing: 'snake_case' })
    .select({
      word: kept.word,
      isOn: kept.isOn,
      text: sql<string>`${kept.id}`.mapWith(String),
      same: sql<boolean>`${kept.isOn}`.mapWith(kept.isOn).as('same'),
    })
    .from(kept)
    .where(gte(kept.id, sql.placeholder('least')))
    .limit(sql.placeholder('most'));
  const values = { least: 1, most: 3 };
  const found = prepareNamedRead(client, query).all(values);
  t.strictSame(found, query.prepare().all(values));
  t.strictSame(found, [
    { word: 'one', isOn: true, text: '1', same: true },
    { word: null, isOn: false, text: '2', same: false },
    { word: 'three', isOn: null, text: '3', same: null },
  ]);
  const nested = drizzle(client)
    .select({ kept: { id: kept.id } })
    .from(kept);
  t.throws(() => prepareNamedRead(client, nested), { message: /must read flat rows/ });
});
