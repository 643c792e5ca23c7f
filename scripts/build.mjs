import './require-node.mjs';
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { externalPackages } from './external-packages.mjs';

// One file starts faster and takes less memory than the many small modules it is made of. What stays outside
// is the SQLite addon and the API page.
const outdir = process.argv[2] ?? 'dist';
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts', 'src/serve.ts'],
  outdir,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  sourcemap: 'linked',
  external: [...externalPackages, './serve.ts'],
  plugins: [
    {
      name: 'serve-is-loaded-late',
      setup({ onResolve }) {
        onResolve({ filter: /^\.\/serve\.ts$/ }, () => ({ path: './serve.js', external: true }));
      },
    },
  ],
  // Bundled CommonJS packages ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as assizeRequire } from 'node:module'; const require = assizeRequire(import.meta.url);",
  },
  // The licences of bundled packages want their notices kept.
  legalComments: 'linked',
  logLevel: 'warning',
});
