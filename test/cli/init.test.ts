import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import t from 'tap';
import { settingsText } from '../../src/cli/init.ts';
import { loadConfig } from '../../src/config/config.ts';
import { Settings } from '../../src/config/settings.ts';
import { temporaryFolder } from '../helpers/app.ts';
import { run } from '../helpers/command.ts';

t.test('init makes a folder ready, and touches nothing that is there', async (t) => {
  const folder = join(temporaryFolder(t), 'new');
  const made = await run(['init', folder, '--json']);
  t.equal(made.code, 0, made.err);
  const parts: { path: string; made: boolean }[] = JSON.parse(made.out);
  t.ok(parts.every((part) => part.made));
  for (const { path } of parts) t.equal(statSync(path).mode & 0o077, 0, `${path} is for its owner only`);
  t.equal(
    (
      await run([
        'policies',
        'check',
        ...parts.map(({ path }) => path).filter((path) => path.endsWith('.yaml')),
      ])
    ).code,
    0,
  );

  const settings = join(folder, 'assize.env');
  writeFileSync(settings, 'ASSIZE_PORT=1\n');
  const again = await run(['init', folder, '--json']);
  t.equal(again.code, 0);
  t.ok(JSON.parse(again.out).every((part: { made: boolean }) => !part.made));
  t.equal(readFileSync(settings, 'utf8'), 'ASSIZE_PORT=1\n');
  t.match(await run(['init', folder], { terminal: true }), { err: /assize doctor[\s\S]*assize serve/ });
});

t.test(
  'the settings file has every setting, and with all that have a default switched on says what is the case anyway',
  async (t) => {
    const text = settingsText();
    t.strictSame(parseEnv(text), {}, 'as it comes it sets nothing');
    const on = parseEnv(text.replaceAll(/^# (ASSIZE_\w+=)/gm, '$1'));
    t.strictSame(Object.keys(on).sort(), Object.keys(Settings.properties).sort());
    const withDefault = Object.entries(on).filter(
      ([name]) => 'default' in Settings.properties[name as keyof typeof Settings.properties],
    );
    t.ok(withDefault.length > 20);
    t.strictSame(loadConfig(Object.fromEntries(withDefault)), loadConfig({}));
  },
);
