import { sql } from 'drizzle-orm';
import t from 'tap';
import { openPostgres } from '../../../src/store/postgres/database.ts';
import { createPostgresMaintenance } from '../../../src/store/postgres/maintenance/maintenance.ts';
import { addressOf, createDatabase, direct, migrations } from './open.ts';

const by = (now: number) => ({ now, modeOf: () => 'ENFORCE' as const, hasSecretsKey: false });

t.test('what the tools of PostgreSQL do is left to them, by name', async (t) => {
  const maintenance = createPostgresMaintenance(await createDatabase(t), migrations);
  await t.rejects(maintenance.backup('a.db', false), { code: 'invalid', message: /pg_dump/ });
  await t.rejects(maintenance.restore('a.db'), { code: 'invalid', message: /pg_restore/ });
  await t.rejects(maintenance.planClockCorrection(0), { code: 'invalid', message: /clock of that server/ });
  await t.rejects(maintenance.correctClock(0), { code: 'invalid', message: /clock of that server/ });
});

t.test('an installation is examined without changing it', async (t) => {
  const address = await createDatabase(t);
  const maintenance = createPostgresMaintenance(address, migrations);
  const statusOf = async (now = Date.now()) =>
    Object.fromEntries((await maintenance.examine(by(now))).map(({ check, status }) => [check, status]));
  await maintenance.assertCurrent();
  t.strictSame(await statusOf(), {
    schema: 'ok',
    server: 'ok',
    settings: 'ok',
    durability: 'warn',
    clock: 'ok',
    retention: 'ok',
    policies: 'ok',
    secrets: 'ok',
    'operator key': 'warn',
  });
  t.match(await statusOf(Date.now() - 120_000), { clock: 'fail' });
  const postgres = openPostgres(direct(address));
  t.teardown(() => postgres.close());
  await postgres.change(async (tx) => {
    await tx.execute(sql`INSERT INTO clock (id, latest_at, retention_held_at) VALUES (1, 5, 4)
      ON CONFLICT (id) DO UPDATE SET retention_held_at = 4`);
  });
  t.match(await statusOf(), { retention: 'warn' });
  t.equal(await maintenance.confirmRetention(), true);
  t.equal(await maintenance.confirmRetention(), false);
  t.match(await statusOf(), { retention: 'ok' });
  await postgres.change(async (tx) => {
    await tx.execute(
      sql`INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`,
    );
  });
  t.match(await statusOf(), { schema: 'fail' });
  await t.rejects(maintenance.assertCurrent(), { code: 'invalid', message: /newer version/ });
});

t.test('a database without tables, and a server that is not there, are named', async (t) => {
  const address = await createDatabase(t);
  const postgres = openPostgres(direct(address));
  await postgres.change(async (tx) => {
    await tx.execute(sql`DROP TABLE __drizzle_migrations`);
  });
  await postgres.close();
  await t.rejects(createPostgresMaintenance(address, migrations).assertCurrent(), {
    code: 'invalid',
    message: /no tables of assize/,
  });
  const gone = createPostgresMaintenance(addressOf(address, 'none'), migrations);
  t.match(await gone.examine(by(Date.now())), [{ check: 'database', status: 'fail' }]);
});
