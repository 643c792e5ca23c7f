import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t from 'tap';
import { temporaryFolder } from '../../helpers/app.ts';
import { serveProcess } from '../../helpers/process.ts';

t.test('what only a few installations need is not loaded at a start', async (t) => {
  const folder = temporaryFolder(t);
  const probe = join(folder, 'probe.mjs');
  const list = join(folder, 'loaded.txt');
  writeFileSync(
    probe,
    `import { renameSync, writeFileSync } from 'node:fs';
    process.on('SIGUSR2', () => {
      writeFileSync('${list}.new', process.moduleLoadList.join());
      renameSync('${list}.new', '${list}');
    });`,
  );
  const served = serveProcess(t, {
    ASSIZE_DATABASE: join(temporaryFolder(t), 'assize.db'),
    NODE_OPTIONS: `--import ${probe}`,
  });
  await served.url();
  served.child.kill('SIGUSR2');
  while (!existsSync(list)) await setTimeout(10);
  const loaded = readFileSync(list, 'utf8');
  t.match(loaded, /NativeModule http/);
  t.notMatch(loaded, /deps\/undici/);
});
