import { join } from 'node:path';
import t from 'tap';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { hashedKey } from '../../src/services/access/keys.ts';
import type { FirstStartOptions } from '../../src/services/first-start.ts';
import { openStore } from '../../src/store/open.ts';
import { adminKey, allMigrations, temporaryFolder } from '../helpers/app.ts';
import { rule } from '../helpers/policies.ts';

const demo = (text: string) => () => [{ text, mediaType: 'application/yaml' as const }];

t.beforeEach(async (t) => {
  const database = join(temporaryFolder(t), 'assize.db');
  const store = await openStore(database, { migrations: allMigrations });
  const config = loadConfig({ ASSIZE_DATABASE: database, ASSIZE_LOG_LEVEL: 'silent' });
  const { http, services } = await buildApp({ config, store });
  t.teardown(async () => {
    await http.close();
    await store.close();
  });
  const start = (options: Partial<FirstStartOptions>) =>
    services.firstStart({ adminKey: null, demo: null, ...options });
  t.context = { start, store, services };
});

t.test('an empty database gets a key once; what the operator brought is not told back', async (t) => {
  const { start, services } = t.context;
  t.strictSame(await start({ adminKey }), { generatedAdminKey: null, demo: null });
  t.match(await services.authentication.identify(hashedKey(adminKey), '127.0.0.1'), { kind: 'operator' });
  const never = () => {
    throw new Error('the demo is read at a first start only');
  };
  t.equal(await start({ demo: never }), null);
});

t.test('the demo has the documents as ACTIVE policies, bound, in their order', async (t) => {
  const { start, store } = t.context;
  const first = await start({
    demo: () => [...demo(rule('true', 'WARN'))(), ...demo(rule('false', 'BLOCK'))()],
  });
  t.match(first.generatedAdminKey, /^asz_admin_/);
  t.match(first.demo.apiKey, /^asz_live_/);
  const { policies } = await store.policies.findInForce(first.demo.integrationId);
  t.strictSame(
    policies.map(({ document }: { document: string }) => document),
    [rule('true', 'WARN'), rule('false', 'BLOCK')],
  );
});

t.test('a key that is none, or a demo that cannot be made, leaves the database empty', async (t) => {
  const { start, store } = t.context;
  await t.rejects(start({ adminKey: 'asz_admin_short' }), { code: 'invalid' });
  await t.rejects(start({ demo: demo('rules: 7') }), { code: 'invalid' });
  t.equal(await store.operators.exist(), false);
  t.equal((await store.policies.list({ page: 1, size: 1 }, {})).total, 0);
});

t.test('of two first starts at once one gets the keys', async (t) => {
  const { start, store } = t.context;
  const both = await Promise.all([start({ demo: demo(rule('true', 'WARN')) }), start({})]);
  t.equal(both.filter((first) => first !== null).length, 1);
  t.ok((await store.integrations.list({ page: 1, size: 1 })).total <= 1);
});
