import t from 'tap';
import { serveCli } from '../../helpers/serve-cli.ts';

t.test('keys of an integration are made, listed, rotated and revoked on the command line', async (t) => {
  const { app, assize } = await serveCli(t);
  const { id, key } = await app.integration();
  const keys = (...args: string[]) => assize('keys', ...args, '--json');
  const of = ['--integration', 'test AGENT'];
  const made = await keys('create', ...of, '--name', 'dashboard', '--scope', 'read');
  t.match(made, {
    code: 0,
    data: { integrationId: id, name: 'dashboard', scopes: ['read'], apiKey: /^asz_live_/ },
  });
  t.match((await keys('list', ...of)).data, [{ name: 'dashboard' }, { name: 'key' }]);
  const rotated = await keys('rotate', id, made.data.id, '--overlap-hours', '1');
  t.match(rotated, {
    code: 0,
    data: { name: 'dashboard', scopes: ['read'], replaces: { id: made.data.id } },
  });
  t.match((await keys('revoke', rotated.data.id, ...of)).data, { revokedAt: String });
  t.match(await keys('rotate', id), { code: 0, data: { apiKey: /^asz_live_/ } }, 'all at once');
  t.equal((await app.call(key, 'GET', '/v1/reviews')).status, 401);
  for (const wrong of [
    ['create', '--scope', 'read'],
    ['create', ...of, '--scope', 'write'],
    ['create', ...of, '--operator', 'owner'],
    ['list', ...of, '--operator', 'owner'],
    ['rotate', id, '--overlap-hours', '1'],
  ]) {
    t.equal((await keys(...wrong)).code, 2, wrong.join(' '));
  }
});
