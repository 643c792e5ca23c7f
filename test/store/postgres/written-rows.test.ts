import { randomBytes } from 'node:crypto';
import pg from 'pg';
import t from 'tap';
import { inserting, together, WrittenRows } from '../../../src/evaluate/postgres/rows.ts';
import { createDatabase } from './open.ts';

const types = {
  id: 'uuid',
  small: 'int',
  large: 'bigint',
  is_so: 'boolean',
  words: 'text',
  bytes: 'bytea',
} as const;
const nothing = { small: null, large: null, is_so: null, words: null, bytes: null };
const id = '0198c0de-0000-7000-8000-000000000001';

async function openTable(t: Parameters<typeof createDatabase>[0]) {
  const client = new pg.Client(await createDatabase(t));
  await client.connect();
  t.teardown(() => client.end());
  const columns = Object.entries(types).map(([name, type]) => `${name} ${type}`);
  await client.query(`CREATE TEMPORARY TABLE written (${columns.join(', ')})`);
  const rows = () => new WrittenRows('insert written', types, inserting('written'));
  const written = async (given: pg.QueryConfig | null) => {
    if (given) await client.query(given);
    return (await client.query('SELECT * FROM written')).rows;
  };
  return { client, rows, written };
}

t.test('rows come back as they were given', async (t) => {
  const { rows, written } = await openTable(t);
  const most = Number.MAX_SAFE_INTEGER;
  const given = [
    { id, small: -2_147_483_648, large: most, is_so: false, words: '', bytes: Buffer.alloc(0) },
    { ...nothing, id },
    {
      id,
      small: 0,
      large: -most,
      is_so: true,
      words: `"quoted" \\ {a,NULL} NULL \\x41 \u{1f600} \u0001\n\u2028 123456789012345678901234567890`,
      bytes: randomBytes(3_000),
    },
    { ...nothing, id, words: '{"a":"\\ud83d"}' },
  ];
  const several = rows();
  for (const row of given) several.add(row);
  const found = await written(several.statement);
  t.strictSame(
    found.map(({ large, ...rest }) => ({ ...rest, large: large === null ? null : Number(large) })),
    given.map(({ large, ...rest }) => ({ ...rest, large })),
  );
  t.equal(found[0].large, '9007199254740991');
});

t.test('nothing to write is no statement', async (t) => {
  const { rows } = await openTable(t);
  t.equal(rows().statement, null);
  t.equal(together(null, rows().statement), null);
});

t.test('half of a surrogate pair is written as the replacement character', async (t) => {
  const { rows, written } = await openTable(t);
  const one = rows();
  one.add({ ...nothing, id, words: 'a\ud83db\ude00' });
  t.match(await written(one.statement), [{ words: 'a\ufffdb\ufffd' }]);
});

t.test('the bytes are those of the time when the row was added', async (t) => {
  const { rows, written } = await openTable(t);
  const one = rows();
  const bytes = Buffer.from('abc');
  one.add({ ...nothing, id, bytes });
  bytes.fill(0);
  t.match(await written(one.statement), [{ bytes: Buffer.from('abc') }]);
});

t.test('a number that is no exact integer is refused', async (t) => {
  const { rows } = await openTable(t);
  for (const large of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 2 ** 53])
    t.throws(() => rows().add({ ...nothing, id, large }), {
      message: 'a number to write is not an exact integer',
    });
});

t.test('two statements as one write the rows of both', async (t) => {
  const { rows, written } = await openTable(t);
  const [first, second] = [rows(), new WrittenRows('update', { id: 'uuid' }, inserting('written'))];
  first.add({ ...nothing, id, small: 1 });
  second.add({ id });
  t.match(await written(together(first.statement, second.statement)), [{ small: null }, { small: 1 }]);
});
