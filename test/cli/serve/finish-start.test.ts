import { rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { finishStart } from '../../../src/cli/serve/run.ts';
import { adminKey, sqliteOnly, startApp, temporaryFolder } from '../../helpers/app.ts';
import { openBeside } from '../../helpers/database-beside.ts';

t.test('a rest of the start that fails is logged, and ends no service that answers already', async (t) => {
  const app = await startApp(t);
  await app.integration();
  const beside = await openBeside(t, app.database);
  await beside.exec('ALTER TABLE integrations RENAME TO away');
  await finishStart(app, new AbortController().signal);
  await beside.exec('ALTER TABLE away RENAME TO integrations');
  t.match(app.log.join(''), /background work failed/);
  t.equal((await app.call(adminKey, 'GET', '/v1/integrations')).status, 200);
});

t.test('the same when files of the database are lost meanwhile', sqliteOnly('files'), async (t) => {
  const app = await startApp(t, {}, { database: join(temporaryFolder(t), 'assize.db') });
  rmSync(`${app.database}-wal`);
  await finishStart(app, new AbortController().signal);
  t.equal((await app.call(null, 'GET', '/health/live')).status, 200);
  t.equal((await app.call(null, 'GET', '/health/ready')).status, 503);
});
