import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { billOfMaterials, licencesOf, packagesNeeded, packagesOf } from './bundled-packages.mjs';
import { bundleChunks } from './chunks.mjs';
import { buildConsole } from './console.mjs';
import { entries } from './entries.mjs';
import { externalPackages } from './external-packages.mjs';
import { onlyHttp1, shortVariables, startersChecked, trustedSchemas } from './lean-packages.mjs';

// One file starts faster and takes less memory than the many small modules it is made of. What stays outside
// is the SQLite addon and the API page.
const outdir = process.argv[2] ?? 'dist';
await rm(outdir, { recursive: true, force: true });
const options = {
  outdir,
  bundle: true,
  // What `main` imports late stays apart: it checks the version of Node first.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: 'linked',
  // Names stay as they are, and lines short, so that a trace can be read without the source map.
  minifyWhitespace: true,
  lineLimit: 120,
  external: externalPackages,
  // Bundled CommonJS packages ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as assizeRequire } from 'node:module'; const require = assizeRequire(import.meta.url);",
  },
  // The licences of all bundled packages are in one file beside it.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};
// What serves is built alone, and in another form: V8 keeps it compiled.
const {
  chunks,
  maps,
  metafile: serving,
} = await bundleChunks({
  withMaps: true,
  target: options.target,
  entryPoints: { serve: 'src/cli/serve/run.ts' },
  external: externalPackages,
  define: { 'import.meta.url': 'assizeUrl' },
  plugins: [trustedSchemas, onlyHttp1, startersChecked, shortVariables],
});
await mkdir(join(outdir, 'serve'), { recursive: true });
for (const [name, code] of [...chunks, ...maps]) await writeFile(join(outdir, 'serve', name), code);
const serveApart = {
  name: 'serve-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/serve\/run\.ts$/ }, () => ({ path: './serve.js', external: true }));
  },
};
const { metafile } = await build({
  ...options,
  entryPoints: [...entries, { in: 'src/binary/bundled-serve.ts', out: 'serve' }],
  plugins: [trustedSchemas, onlyHttp1, startersChecked, serveApart],
});
// V8 keeps the text of what it runs, in two bytes a character as soon as one of them is not ASCII.
for (const file of Object.keys(metafile.outputs).filter((name) => name.endsWith('.js'))) {
  if (/[^\0-\x7f]/.test(await readFile(file, 'utf8')))
    throw new Error(`${file} is not ASCII: write \\u escapes`);
}
const consoleMetafile = await buildConsole(join(outdir, 'console'));
await writeFile(join(outdir, 'console/licences.txt'), licencesOf(packagesOf(consoleMetafile)));
const bundled = [...new Set([serving, metafile, consoleMetafile].flatMap(packagesOf))].sort();
await writeFile(join(outdir, 'licences.txt'), licencesOf(bundled));
const shipped = [...new Set([...bundled, ...packagesNeeded(externalPackages)])].sort();
// Node looks for it beside each file that it loads.
await writeFile(join(outdir, 'package.json'), '{"type":"module"}\n');
await writeFile(join(outdir, 'sbom.cdx.json'), JSON.stringify(billOfMaterials(shipped), null, 2));
