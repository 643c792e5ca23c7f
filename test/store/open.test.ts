import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openMaintenance, openStore } from '../../src/store/open.ts';
import { allMigrations, temporaryFolder } from '../helpers/app.ts';

const migrations = allMigrations;

t.test('the address of a server is no file: nothing is created in its name', async (t) => {
  const database = 'mysql://localhost/assize';
  const message = 'the database is a file or at postgres://, and cannot be at mysql://';
  await t.rejects(openStore(database, { migrations }), { message });
  await t.rejects(openMaintenance(database, { migrations }), { message });
  t.notOk(existsSync('mysql:'));
});

t.test('a database that must exist is not created', async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const open = () => openStore(database, { migrations, mustExist: true });
  await t.rejects(open(), { message: /is missing, and ASSIZE_DATABASE_MUST_EXIST is true/ });
  t.notOk(existsSync(database));
  writeFileSync(database, '');
  await t.rejects(open(), { message: /is empty/ });
  const created = await openStore(database, { migrations });
  await created.close();
  const opened = await open();
  await opened.ping();
  await opened.close();
});
