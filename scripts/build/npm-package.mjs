import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { entries } from './entries.mjs';
import { startersChecked } from './lean-packages.mjs';

// Builds lib/, the code of the npm package: the sources of Assize without types, and none of a package's.
const root = resolve(import.meta.dirname, '../..');
const outdir = resolve(process.argv[2] ?? 'lib');
const { resolve: locate } = createRequire(join(root, 'package.json'));

/**
 * Packages that ship CommonJS are loaded as that: Node takes twice the time and memory to load the ES modules of
 * drizzle-orm, because it reads the package's long list of exports again for each of its files.
 */
const requirePackages = {
  name: 'require-packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (path.startsWith('node:') || kind === 'require-call') return { path, external: true };
      return isCommonJs(path) ? { path, namespace: 'required' } : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

function isCommonJs(path) {
  const file = locate(path);
  return file.endsWith('.cjs') || (file.endsWith('.js') && typeOf(dirname(file)) !== 'module');
}

/** What the nearest manifest says that the files of a folder are. */
function typeOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type;
  } catch {
    return typeOf(dirname(folder));
  }
}

await rm(outdir, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: entries,
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  plugins: [requirePackages, startersChecked],
  banner: {
    js: "import { createRequire as assizeRequire } from 'node:module'; const require = assizeRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
