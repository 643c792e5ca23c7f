import pg from 'pg';
import t from 'tap';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { createFinalPosition } from '../../../src/store/postgres/final-position.ts';
import { createDatabase, direct } from './open.ts';

t.test('a position is final once whoever may record before it has ended', async (t) => {
  const address = await createDatabase(t);
  const postgres = openPostgres(direct(address));
  const [early, late] = [new pg.Client(address), new pg.Client(address)];
  t.teardown(async () => {
    await Promise.all([early.end(), late.end()]);
    await postgres.close();
  });
  await Promise.all([early.connect(), late.connect()]);
  const { find } = createFinalPosition(postgres);
  t.equal(await find(), 0);
  for (const client of [early, late]) {
    await client.query('BEGIN');
    await client.query("SELECT pg_current_xact_id(), nextval('record_positions')");
    t.equal(await find(), 0, 'the newest transaction of all has not ended');
  }
  await late.query('COMMIT');
  t.equal(await find(), 0, 'the later position is committed, and the earlier one is not');
  await early.query('COMMIT');
  t.equal(await find(), 2);
  await late.query("BEGIN; SELECT pg_current_xact_id(), nextval('record_positions')");
  const waiting = find();
  await late.query('ROLLBACK');
  t.equal(await waiting, 3, 'it waits for those that end soon, whether they commit or not');
});

t.test('a transaction that stays open in another database of the server holds up nothing', async (t) => {
  const [address, other] = [await createDatabase(t), await createDatabase(t)];
  const postgres = openPostgres(direct(address));
  const [client, foreign] = [new pg.Client(address), new pg.Client(other)];
  t.teardown(async () => {
    await Promise.all([client.end(), foreign.end()]);
    await postgres.close();
  });
  await Promise.all([client.connect(), foreign.connect()]);
  const { find } = createFinalPosition(postgres);
  await foreign.query('BEGIN; SELECT pg_current_xact_id()');
  await client.query("SELECT nextval('record_positions')");
  t.equal(await find(), 1);
  await client.query("BEGIN; SELECT pg_current_xact_id(), nextval('record_positions')");
  t.equal(await find(), 1, 'one of its own does');
  await client.query('COMMIT');
  t.equal(await find(), 2);
});

t.test('those that ask at once share what is looked for, and it begins after they asked', async (t) => {
  const address = await createDatabase(t);
  const postgres = openPostgres(direct(address));
  const client = new pg.Client(address);
  t.teardown(async () => {
    await client.end();
    await postgres.close();
  });
  await client.connect();
  let reads = 0;
  const { find } = createFinalPosition({
    read: (query) => {
      reads++;
      return postgres.read(query);
    },
  });
  const draw = () => client.query("SELECT nextval('record_positions')");
  await draw();
  const first = find();
  await Promise.resolve();
  await draw();
  t.strictSame(new Set(await Promise.all(Array.from({ length: 200 }, find))), new Set([2]));
  await first;
  t.ok(reads <= 20, `${reads} reads`);

  const ask = createFinalPosition({ read: () => Promise.reject(new Error('gone')) }).find;
  await t.rejects(Promise.all([ask(), ask()]), { message: 'gone' });
  await t.rejects(ask(), { message: 'gone' });
});
