import { sql } from 'drizzle-orm';
import t from 'tap';
import { afterCommit, openPostgres, writtenRows } from '../../../src/store/postgres/database.ts';
import { integrations } from '../../../src/store/postgres/tables.ts';
import * as make from '../samples.ts';
import { createDatabase, direct } from './open.ts';

const row = () => ({
  id: make.newId(),
  name: 'n',
  kind: 'AGENT' as const,
  settings: '{}',
  webhookSecret: 's',
  createdAt: 1,
  updatedAt: 1,
});

t.test('a change that throws changes nothing', async (t) => {
  const postgres = openPostgres(direct(await createDatabase(t)));
  t.teardown(() => postgres.close());
  const told: string[] = [];
  await t.rejects(
    postgres.change(async (tx) => {
      await tx.insert(integrations).values(row());
      afterCommit(tx, () => told.push('never'));
      throw new Error('no');
    }),
    { message: 'no' },
  );
  t.equal((await postgres.read((db) => db.select().from(integrations))).length, 0);
  const written = await postgres.change(async (tx) => {
    await tx.execute(sql`SELECT 1`);
    await tx.insert(integrations).values([row(), row()]);
    afterCommit(tx, () => told.push('told'));
    return writtenRows(tx);
  });
  t.equal(written, 2);
  t.strictSame(told, ['told']);
});

t.test('a change whose connection is lost is made once', async (t) => {
  const postgres = openPostgres(direct(await createDatabase(t)));
  t.teardown(() => postgres.close());
  let runs = 0;
  await postgres.change(async (tx) => {
    await tx.insert(integrations).values(row());
    if (++runs === 1) await tx.execute(sql`SELECT pg_terminate_backend(pg_backend_pid())`);
  });
  t.equal(runs, 2);
  t.equal((await postgres.read((db) => db.select().from(integrations))).length, 1);
});
