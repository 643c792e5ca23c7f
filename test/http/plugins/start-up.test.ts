import { join } from 'node:path';
import t, { type Test } from 'tap';
import { buildApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { openStore } from '../../../src/store/open.ts';
import { adminKey, allMigrations, temporaryFolder } from '../../helpers/app.ts';

async function startLater(t: Test) {
  const database = join(temporaryFolder(t), 'assize.db');
  const store = await openStore(database, { migrations: allMigrations });
  const config = loadConfig({ ASSIZE_DATABASE: database, ASSIZE_LOG_LEVEL: 'silent' });
  const started = Promise.withResolvers<boolean>();
  const { http, services } = await buildApp({ config, store, started: started.promise });
  t.teardown(async () => {
    await http.close();
    await store.close();
  });
  let answered = 0;
  const call = async () => {
    const headers = { authorization: `Bearer ${adminKey}` };
    const response = await http.inject({ method: 'GET', url: '/v1/operators', headers });
    answered++;
    return response;
  };
  return { services, call, answered: () => answered, end: started.resolve };
}

t.test('a request with the first operator key waits until the key exists', async (t) => {
  const { services, call, answered, end } = await startLater(t);
  const early = [call(), call()];
  await services.firstStart({ adminKey, demo: null });
  t.equal(answered(), 0);
  end(true);
  for (const { statusCode } of await Promise.all(early)) t.equal(statusCode, 200);
  t.equal((await call()).statusCode, 200);
});

t.test('when the start fails, those that waited are refused', async (t) => {
  const { call, end } = await startLater(t);
  const early = call();
  end(false);
  const { statusCode, body } = await early;
  t.equal(statusCode, 503);
  t.match(body, 'the service could not start');
  t.equal((await call()).statusCode, 503);
});
