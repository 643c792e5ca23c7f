import { readFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { packagesOf } from '../build/bundled-packages.mjs';
import { bundleChunks } from '../build/chunks.mjs';
import { onlyHttp1, startersChecked, trustedSchemas } from '../build/lean-packages.mjs';

const root = resolve(import.meta.dirname, '../..');
const swaggerUi = resolve(root, 'node_modules/@fastify/swagger-ui');

/** Two packages look for files beside their own code; here they ask for what the binary unpacked. */
const findFiles = {
  name: 'find-files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]better-sqlite3[\\/]lib[\\/]binding\.js$/ }, () => ({
      contents: `export * from ${JSON.stringify(resolve(root, 'src/binary/sqlite-addon.ts'))};`,
      loader: 'js',
    }));
    onLoad({ filter: /[\\/]@fastify[\\/]swagger-ui[\\/](index|lib[\\/]routes)\.js$/ }, ({ path }) => {
      const folder = `swagger-ui/${relative(swaggerUi, dirname(path)).split(sep).join('/')}`;
      const files = JSON.stringify(resolve(root, 'src/files.ts'));
      return {
        contents: `var __dirname = require(${files}).shipped(${JSON.stringify(folder)});${readFileSync(path, 'utf8')}`,
        loader: 'js',
      };
    });
  },
};

const common = { bundle: true, platform: 'node', target: 'node24', write: false, logLevel: 'warning' };

/** The script of the binary itself, which loads the chunks. */
export async function bundleMain() {
  const entryPoints = [resolve(root, 'src/binary/main.ts')];
  const { outputFiles } = await build({ ...common, entryPoints, format: 'cjs' });
  return outputFiles[0].text;
}

/** The chunks by name, and the packages they were made of. */
export async function bundleCode() {
  const { chunks, metafile } = await bundleChunks({
    target: common.target,
    entryPoints: {
      command: resolve(root, 'src/cli/command.ts'),
      serve: resolve(root, 'src/cli/serve/run.ts'),
      'watchdog-thread': resolve(root, 'src/cli/serve/watchdog-thread.ts'),
      checkpointer: resolve(root, 'src/store/sqlite/file/checkpointer.ts'),
      'check-thread': resolve(root, 'src/features/policies/check-thread.ts'),
      'evaluation-thread': resolve(root, 'src/cli/serve/evaluation-thread.ts'),
      'scan-thread': resolve(root, 'src/evaluate/scanning/scan-thread.ts'),
      'query-thread': resolve(root, 'src/store/postgres/record/query-thread.ts'),
      'replay-thread': resolve(root, 'src/services/replay/replay-thread.ts'),
    },
    define: { 'import.meta.url': 'undefined' },
    plugins: [findFiles, trustedSchemas, onlyHttp1, startersChecked],
  });
  return { chunks, packages: packagesOf(metafile) };
}
