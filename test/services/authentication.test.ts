import t from 'tap';
import { hashedKey } from '../../src/services/access/keys.ts';
import { adminKey, startApp } from '../helpers/app.ts';

t.test('a key is somebody, or nobody without a word why', async (t) => {
  const app = await startApp(t);
  const { id, key } = await app.integration();
  const { identify } = app.services.authentication;
  t.match(await identify(hashedKey(key), '127.0.0.1'), { kind: 'integration', integration: { id } });
  t.match(await identify(hashedKey(adminKey), '127.0.0.1'), {
    kind: 'operator',
    keyId: /^[0-9a-f-]{36}$/,
    operator: { name: 'owner', roles: ['OWNER'] },
  });
  for (const nobody of [
    '',
    'secret',
    key.slice(0, -1),
    key.toUpperCase(),
    `asz_live_${'x'.repeat(43)}`,
    `asz_admin_${'x'.repeat(43)}`,
    key.replace('asz_live_', 'asz_admin_'),
  ]) {
    t.equal(await identify(hashedKey(nobody), '127.0.0.1'), null, nobody);
  }
});
