import './require-node.mjs';
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { externalPackages } from './external-packages.mjs';

// One file starts faster and takes less memory than the many small modules it is made of. What stays outside
// is the SQLite addon and the API page.
const outdir = process.argv[2] ?? 'dist';
await rm(outdir, { recursive: true, force: true });
await build({
  entryPoints: [
    { in: 'src/main.ts', out: 'main' },
    { in: 'src/store/sqlite/checkpointer.ts', out: 'checkpointer' },
    { in: 'src/services/scanning/scan-thread.ts', out: 'scan-thread' },
  ],
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
  // The licences of bundled packages want their notices kept.
  legalComments: 'linked',
  logLevel: 'warning',
});
