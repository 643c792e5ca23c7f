import '../develop/require-node.mjs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { billOfMaterials, licencesOf, packagesNeeded, packagesOf } from './bundled-packages.mjs';
import { entries } from './entries.mjs';
import { externalPackages } from './external-packages.mjs';

// One file starts faster and takes less memory than the many small modules it is made of. What stays outside
// is the SQLite addon and the API page.
const outdir = process.argv[2] ?? 'dist';
await rm(outdir, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: entries,
  outdir,
  bundle: true,
  // What `main` imports late stays apart: it checks the version of Node first.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: 'linked',
  external: externalPackages,
  // Bundled CommonJS packages ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as assizeRequire } from 'node:module'; const require = assizeRequire(import.meta.url);",
  },
  // The licences of all bundled packages are in one file beside it.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
const bundled = packagesOf(metafile);
await writeFile(join(outdir, 'licences.txt'), licencesOf(bundled));
const shipped = [...bundled, ...packagesNeeded(externalPackages)].sort();
await writeFile(join(outdir, 'sbom.cdx.json'), JSON.stringify(billOfMaterials(shipped), null, 2));
