// also on PostgreSQL

import t from 'tap';
import { adminKey } from '../../helpers/app.ts';
import { run } from '../../helpers/command.ts';
import { serveCli } from '../../helpers/serve-cli.ts';

t.test('the record is listed, shown and exported, on the database and over HTTP', async (t) => {
  const { app, sides } = await serveCli(t);
  for (let count = 0; count < 250; count++) {
    await app.call(adminKey, 'POST', '/v1/operators', { name: `n${count}`, roles: ['AUDITOR'] });
  }
  for (const target of sides) {
    const audit = async (...args: string[]) => {
      const { code, out, err } = await run(['audit', ...args, ...target]);
      t.strictSame([code, err], [0, ''], args.join(' '));
      return out;
    };
    const [entry] = JSON.parse(await audit('list', '--action', 'createOperator', '--json'));
    t.match(entry, { action: 'createOperator', outcome: 'SUCCEEDED', after: { name: 'n249' } });
    t.strictSame(JSON.parse(await audit('show', entry.id, '--json')), entry);
    t.match(await audit('show', entry.id), /AFTER\t\{"id".*"n249"/);
    const lines = (await audit('calls', '--resource', 'operators', '--action', 'createOperator'))
      .trimEnd()
      .split('\n');
    t.strictSame(
      lines.map((line) => JSON.parse(line).after.name),
      Array.from({ length: 250 }, (_, place) => `n${249 - place}`),
    );
    const filters = ['--actor', entry.actor.id, '--resource-id', entry.resourceId, '--outcome', 'succeeded'];
    t.strictSame(JSON.parse(await audit('list', ...filters, '--from', entry.at, '--json')), [entry]);
    t.equal(await audit('list', '--to', '2000-01-01T00:00:00Z'), '');
  }
  const [local] = JSON.parse((await run(['audit', 'list', '--json', '--database', app.database])).out);
  t.match(
    local.actor,
    { kind: 'operator', id: 'local', name: 'command line' },
    'who has the file is recorded too',
  );
});

t.test('verification of a folder names the export in it, and counts problems in words', async (t) => {
  const folder = t.testdir({ 'record.ndjson': '' });
  t.match(await run(['audit', 'verify', folder]), {
    code: 2,
    err: `${folder} is a folder: name the export in it, ${folder}/record.ndjson`,
  });
  t.match((await run(['audit', 'verify', `${folder}/record.ndjson`])).out, /\n2 problems\n$/);
});
