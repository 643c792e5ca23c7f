// also on PostgreSQL

import t, { type Test } from 'tap';
import { adminKey } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

async function serve(t: Test) {
  const { app, url } = await serveCli(t);
  const as = (key: string, ...args: string[]) => run([...args, '--url', url, '--key', key]);
  return {
    ...app,
    as,
    remote: (...args: string[]) => as(adminKey, ...args),
    local: (...args: string[]) => run([...args, '--database', app.database]),
  };
}

for (const side of ['remote', 'local'] as const) {
  t.test(`${side}: an operator is made, given a key, shown, changed and disabled`, async (t) => {
    const app = await serve(t);
    const json = async (...args: string[]) => {
      const { code, out, err } = await app[side](...args, '--json');
      t.strictSame([code, err], [0, ''], args.join(' '));
      return JSON.parse(out);
    };
    const given = '--email ada@example.com --role reviewer --role AUDITOR --group a b'.split(' ');
    const made = await json('operators', 'create', 'Ada', ...given);
    t.match(made, {
      name: 'Ada',
      email: 'ada@example.com',
      roles: ['REVIEWER', 'AUDITOR'],
      groups: ['a', 'b'],
    });
    const limits = '--name laptop --ip-range 127.0.0.0/8 ::1 --expires-at 2099-01-01T00:00:00Z'.split(' ');
    const key = await json('keys', 'create', '--operator', 'Ada', ...limits);
    t.match(key, { operatorId: made.id, name: 'laptop', ipRanges: ['127.0.0.0/8', '::1'] });
    const whoami = JSON.parse((await app.as(key.key, 'operators', 'whoami', '--json')).out);
    t.match(whoami, { id: made.id, roles: ['REVIEWER', 'AUDITOR'] });
    t.match(await app.as(key.key, 'keys', 'create'), {
      code: 3,
      err: /this needs the permission operators:write/,
    });
    t.match(await json('operators', 'list', '--role', 'AUDITOR', '--group', 'b'), [
      { id: made.id, keyCount: 1 },
    ]);
    t.match(await json('operators', 'show', 'Ada'), { keys: [{ id: key.id, lastFour: key.key.slice(-4) }] });
    t.match(await json('keys', 'list', '--operator', 'Ada'), [{ id: key.id }]);
    t.match(await json('operators', 'update', 'Ada', '--name', 'Ada L.', '--role', 'OWNER'), {
      roles: ['OWNER'],
    });
    const rotated = JSON.parse((await app.as(key.key, 'keys', 'rotate', '--json')).out);
    const { expiresAt, ipRanges, name } = key;
    t.match(rotated, { operatorId: made.id, expiresAt, ipRanges, name }, 'as limited as before');
    t.match(await json('operators', 'update', 'Ada L.', '--status', 'disabled'), { status: 'DISABLED' });
    t.equal((await app.as(rotated.key, 'operators', 'whoami')).code, 3);
    const refused = await app[side]('operators', 'update', 'owner', '--status', 'DISABLED');
    t.match(refused, { code: 1, err: /one active owner must keep a key/ });
    t.match(await app[side]('operators', 'update', 'owner'), { code: 2, err: /at least one option/ });
    t.match(await app[side]('operators', 'create', 'Bob'), { code: 2, err: /--role/ });
    t.match(await app[side]('operators', 'show', 'nobody'), {
      code: 1,
      err: /no operator has the name or id "nobody"/,
    });
  });
}

t.test('the command line on the database is nobody in particular, and may do everything', async (t) => {
  const app = await serve(t);
  t.match(JSON.parse((await app.local('operators', 'whoami', '--json')).out), {
    id: 'local',
    roles: ['OWNER'],
  });
  const key = JSON.parse((await app.local('keys', 'create', '--json')).out);
  t.match(JSON.parse((await app.as(key.key, 'operators', 'whoami', '--json')).out), { name: 'owner' });
});
