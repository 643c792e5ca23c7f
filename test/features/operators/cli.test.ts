// also on PostgreSQL

import t, { type Test } from 'tap';
import { adminKey } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

async function serve(t: Test) {
  const { app, url } = await serveCli(t);
  return {
    as: (key: string, ...args: string[]) => run([...args, '--url', url, '--key', key]),
    local: (...args: string[]) => run([...args, '--database', app.database]),
  };
}

t.test('a key is replaced by one that is limited as before', async (t) => {
  const { as } = await serve(t);
  await as(adminKey, 'operators', 'create', 'Ada', '--role', 'AUDITOR');
  const limits = '--name laptop --ip-range 127.0.0.0/8 ::1 --expires-at 2099-01-01T00:00:00Z'.split(' ');
  const made = await as(adminKey, 'keys', 'create', '--operator', 'Ada', ...limits, '--json');
  const { key, operatorId, expiresAt, ipRanges, name } = JSON.parse(made.out);
  t.match(await as(key, 'keys', 'create'), { code: 3, err: /this needs the permission operators:write/ });
  await as(adminKey, 'operators', 'update', 'Ada', '--role', 'OWNER');
  const rotated = JSON.parse((await as(key, 'keys', 'rotate', '--json')).out);
  t.match(rotated, { operatorId, expiresAt, ipRanges, name });
  t.match(JSON.parse((await as(rotated.key, 'operators', 'whoami', '--json')).out), { id: operatorId });
});

t.test('the command line on the database is nobody in particular, and may do everything', async (t) => {
  const { as, local } = await serve(t);
  t.match(JSON.parse((await local('operators', 'whoami', '--json')).out), { id: 'local', roles: ['OWNER'] });
  const key = JSON.parse((await local('keys', 'create', '--json')).out);
  t.match(JSON.parse((await as(key.key, 'operators', 'whoami', '--json')).out), { name: 'owner' });
});
