import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import t from 'tap';
import { temporaryFolder } from '../../helpers/app.ts';
import { root, serveProcess } from '../../helpers/process.ts';

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

t.test('the detectors are loaded by the first evaluation, not at a start', async (t) => {
  const { metafile } = await build({
    entryPoints: { serve: 'src/cli/serve/run.ts' },
    outdir: 'code',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    absWorkingDir: root,
    write: false,
    metafile: true,
  });
  const sources = new Set<string>();
  const loadWith = (chunk: string): void => {
    const { inputs, imports } = metafile.outputs[chunk] ?? { inputs: {}, imports: [] };
    for (const source of Object.keys(inputs)) sources.add(source);
    for (const { kind, path } of imports) if (kind === 'import-statement') loadWith(path);
  };
  loadWith('code/serve.js');
  t.ok(sources.has('src/evaluate/evaluate.ts'));
  t.notOk(sources.has('src/detectors/detector.ts'));
});
