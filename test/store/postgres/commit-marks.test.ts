import pg from 'pg';
import t from 'tap';
import { startPostgres } from '../../../scripts/develop/postgres.mjs';
import { findMark, markCommit, newMark, wasCommitted } from '../../../src/store/postgres/commit-marks.ts';
import { migrateDatabase } from '../../../src/store/postgres/migrate.ts';
import { migrations } from './open.ts';

t.test('a transaction that a crash took is not taken for another one that got its number', async (t) => {
  const server = await startPostgres();
  t.teardown(() => server.stop());
  await migrateDatabase(server.address, migrations);
  async function connect() {
    const client = new pg.Client(server.address);
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }
  async function begin(client: pg.Client): Promise<string> {
    await client.query('BEGIN');
    return (await client.query('SELECT pg_current_xact_id()::text AS xid')).rows[0].xid;
  }
  const [lost, kept] = [newMark(), newMark()];

  const first = await connect();
  const keptXid = await begin(first);
  t.strictSame((await first.query(markCommit(kept))).rows, [{ xid: keptXid }]);
  await first.query('COMMIT');
  await first.query('BEGIN');
  t.strictSame((await first.query(markCommit(newMark()))).rows, [], 'nothing was written');
  await first.query('COMMIT');
  const lostXid = await begin(first);
  await first.query(markCommit(lost));
  await server.kill();
  await server.start();

  const second = await connect();
  t.teardown(() => second.end());
  t.equal(await wasCommitted(second, lostXid, findMark(lost)), false, 'no transaction has its number');
  t.equal(await begin(second), lostXid, 'another one gets it');
  await second.query('INSERT INTO clock (id, latest_at) VALUES (1, 1)');
  await second.query('COMMIT');
  t.equal(await wasCommitted(second, lostXid, findMark(lost)), false);
  t.equal(await wasCommitted(second, keptXid, findMark(kept)), true);
});
