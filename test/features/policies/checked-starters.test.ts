import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import t from 'tap';
import { runOwnCheck } from '../../../src/features/policies/check-job.ts';
import { root } from '../../helpers/process.ts';

t.test('a build holds the check of each starter policy, by its text', async (t) => {
  const plugins: string = join(root, 'scripts/build/lean-packages.mjs');
  const { startersChecked } = (await import(plugins)) as { startersChecked: Plugin };
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/features/policies/checked-starters.ts')],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [startersChecked],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64');
  const { checkedStarters } = await import(`data:text/javascript;base64,${code}`);
  const files = readdirSync(join(root, 'policies')).filter((name) => name.endsWith('.yaml'));
  const texts = files.map((name) => readFileSync(join(root, 'policies', name), 'utf8'));
  t.same(Object.keys(checkedStarters).sort(), texts.map((text) => hash('sha256', text)).sort());
  for (const text of texts) t.strictSame(checkedStarters[hash('sha256', text)], runOwnCheck(text, []));
});
