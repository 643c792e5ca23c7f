import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { operatorKey, startService } from '../durability/process.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { until } from '../helpers/until.ts';
import { createDatabase } from '../store/postgres/open.ts';
import { ask } from './pair.ts';

t.test('a replica with other keys than the rest is refused, or says so', async (t) => {
  const address = await createDatabase(t);
  const folder = temporaryFolder(t);
  const keyFile = (name: string) => join(folder, `${name}.pem`);
  const secretsKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const start = async (name: string, more: Record<string, string> = {}) => {
    const service = await startService(address, { env: { ASSIZE_RECORD_KEY_FILE: keyFile(name), ...more } });
    t.teardown(() => service.kill());
    return service;
  };
  const first = await start('first', { ASSIZE_SECRETS_KEY: secretsKey(1) });
  const made = await ask(first.url, operatorKey, 'POST', '/v1/integrations', { name: 'n', kind: 'AGENT' });
  t.equal(made.status, 201);
  await until(
    async () => (await ask(first.url, operatorKey, 'GET', '/v1/record/roots')).data.length as number,
    (roots) => roots > 0,
  );

  await t.rejects(start('second'), {
    message: /second.pem is missing, and the record is signed with the key/,
  });
  t.notOk(existsSync(keyFile('second')), 'a restart is refused as well');

  // One that signs a record of its own elsewhere.
  const elsewhere = await startService(join(folder, 'other.db'), {
    env: { ASSIZE_RECORD_KEY_FILE: keyFile('third') },
  });
  await elsewhere.kill();
  const third = await start('third');
  const hasLine = (text: string) =>
    until(
      () => third.lines.join('\n'),
      (lines) => lines.includes(text),
    );
  await hasLine('the record was signed with another key until now');
  await hasLine('no key in ASSIZE_SECRETS_KEY opens a stored secret');
});
