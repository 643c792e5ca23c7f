import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import t from 'tap';
import { operatorKey, startService } from '../durability/process.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { createDatabase } from '../store/postgres/open.ts';
import { ask } from './pair.ts';

t.test('who calls while the first operator key is being stored is served once it is', async (t) => {
  const address = await createDatabase(t);
  const other = new pg.Client(address);
  await other.connect();
  t.teardown(() => other.end());
  await other.query('BEGIN; LOCK TABLE operators IN SHARE MODE');
  const { url, kill } = await startService(address, {
    env: { ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem') },
  });
  t.teardown(kill);
  const answer = ask(url, operatorKey, 'POST', '/v1/integrations', { name: 'n', kind: 'AGENT' });
  t.equal(await Promise.race([answer, setTimeout(500, 'none')]), 'none');
  await other.query('COMMIT');
  t.equal((await answer).status, 201);
});
