import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { operatorKey, startService } from '../durability/process.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { createDatabase } from '../store/postgres/open.ts';
import { ask } from './pair.ts';

/** A service that listens and waits for a lock that another one holds before it can store the first operator key. */
async function startHeldUp(t: Test) {
  const address = await createDatabase(t);
  const other = new pg.Client(address);
  await other.connect();
  t.teardown(() => other.end());
  await other.query('BEGIN; LOCK TABLE operators IN SHARE MODE');
  const service = await startService(address, {
    env: { ASSIZE_RECORD_KEY_FILE: join(temporaryFolder(t), 'record-key.pem') },
  });
  t.teardown(service.kill);
  const answer = ask(service.url, operatorKey, 'POST', '/v1/integrations', { name: 'n', kind: 'AGENT' });
  return { service, answer, letGo: () => other.query('COMMIT') };
}

t.test('who calls while the first operator key is being stored is served once it is', async (t) => {
  const { answer, letGo } = await startHeldUp(t);
  t.equal(await Promise.race([answer, setTimeout(500, 'none')]), 'none');
  await letGo();
  t.equal((await answer).status, 201);
});

t.test('when it cannot be stored, who waited is refused and the service ends', async (t) => {
  const { service, answer } = await startHeldUp(t);
  t.equal((await answer).status, 503);
  t.equal(await service.exited, 1);
});
