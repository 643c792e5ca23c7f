// also on PostgreSQL

import t from 'tap';
import { startApp } from '../../helpers/app.ts';
import { openBeside } from '../../helpers/database-beside.ts';

const ok = { success: true, statusCode: 200, data: { status: 'ok' } };

t.test('is answered without a key', async (t) => {
  const app = await startApp(t);
  for (const path of ['live', 'ready']) {
    const { status, body } = await app.call(null, 'GET', `/health/${path}`);
    t.equal(status, 200);
    t.strictSame(body, ok, path);
  }
});

t.test('a store that cannot be written to is not ready, and the process is alive all the same', async (t) => {
  const app = await startApp(t);
  const other = await openBeside(t, app.database);
  await other.block();
  const { status, headers, body } = await app.call(null, 'GET', '/health/ready');
  t.equal(status, 503);
  t.equal(headers['retry-after'], '1');
  t.match(body.errors, [{ code: 'unavailable', message: 'the store is not available' }]);
  t.equal((await app.call(null, 'GET', '/health/live')).status, 200);
  await other.free();
  t.equal((await app.call(null, 'GET', '/health/ready')).status, 200);
});
