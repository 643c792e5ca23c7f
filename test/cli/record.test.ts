import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { adminKey, createClock, startApp, temporaryFolder } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';
import { recordHistory } from '../helpers/record.ts';

t.test('the record is exported and verified on the command line', async (t) => {
  const app = await startApp(t, {}, { clock: createClock(Date.now()) });
  const [session = ''] = await recordHistory(app);
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const at = ['--url', url, '--key', adminKey];
  const folder = temporaryFolder(t);
  const file = join(folder, 'record.ndjson');

  const exported = await run(['audit', 'export', ...at]);
  t.strictSame([exported.code, exported.err], [0, '']);
  writeFileSync(file, exported.out);
  const { out: keyText } = await run(['audit', 'key', '--json', ...at]);
  const { keyId } = JSON.parse(keyText);
  const verified = await run(['audit', 'verify', file, '--trust', keyId]);
  t.strictSame([verified.code, verified.err], [0, '']);
  t.match(verified.out, /in 5 chains[\s\S]*keys that you trust\nthe record is whole\n$/);
  t.match((await run(['audit', 'verify', file])).out, /no key was named/);

  writeFileSync(file, exported.out.replace('"tool":"mail"', '"tool":"read"'));
  const changed = await run(['audit', 'verify', file, '--trust', keyId]);
  t.equal(changed.code, 1);
  t.match(
    changed.out,
    /^changed \(line \d+, session:[\w-]+, entry \d+, [\w-]+\): the entry does not have its hash\n/,
  );
  const [problem] = JSON.parse((await run(['audit', 'verify', file, '--json'])).out).problems;
  t.match(problem, { code: 'changed', seq: Number });
  const missing = await run(['audit', 'verify', join(folder, 'none')]);
  t.equal(missing.code, 1);

  const made = join(folder, 'package');
  const packed = await run(['audit', 'export', '--session', session, '--package', made, '--json', ...at]);
  t.match(JSON.parse(packed.out), { folder: made, problems: 0, keyIds: [keyId] });
  t.strictSame(readdirSync(made).sort(), ['README.txt', 'record.ndjson', 'report.html', 'verify-record.mjs']);
  t.match(readFileSync(join(made, 'report.html'), 'utf8'), /hold-payments[\s\S]*APPROVED/);
  const args = [join(made, 'verify-record.mjs'), join(made, 'record.ndjson'), '--key', keyId];
  t.match(execFileSync(process.execPath, args, { encoding: 'utf8' }), /the record is whole/);
  const again = await run(['audit', 'export', '--session', session, '--package', made, ...at]);
  t.not(again.code, 0, 'evidence is not overwritten');
});
