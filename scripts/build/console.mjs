import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'src/console');

/**
 * CodeMirror's commands import the packages of its parsers, and the editor uses none of them. The packages do not say that
 * importing them has no effect, as those of CodeMirror do: 10 KB of script would stay.
 */
const pureParsers = {
  name: 'pure-parsers',
  setup({ onResolve, resolve: resolvePath }) {
    onResolve({ filter: /^@lezer\// }, async ({ path, pluginData, kind, importer, resolveDir }) => {
      if (pluginData === pureParsers) return;
      const found = await resolvePath(path, { kind, importer, resolveDir, pluginData: pureParsers });
      return { ...found, sideEffects: false };
    });
  },
};

/**
 * Writes the console into the folder: index.html and assets/, whose names change with their content, each beside its
 * brotli and gzip forms. Resolves with what esbuild says the bundle was made of.
 */
export async function buildConsole(outdir) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: join(source, 'main.tsx'), out: 'main' },
      { in: join(source, 'style/main.css'), out: 'style' },
      { in: join(source, 'style/pages.css'), out: 'pages' },
      { in: join(source, 'identity/favicon.svg'), out: 'favicon' },
    ],
    outdir: join(outdir, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    plugins: [pureParsers],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [`assets/${basename(path)}`, contents]));
  files.set('index.html', Buffer.from(await page([...files.keys()])));
  await Promise.all([...files].map(([name, content]) => writeCompressed(join(outdir, name), content)));
  return metafile;
}

/** The page names what the browser needs first, so that nothing waits for what loads it. */
async function page(names) {
  const named = (pattern) => `/console/${names.find((name) => pattern.test(name))}`;
  return (await readFile(join(source, 'index.html'), 'utf8'))
    .replace('SCRIPT', named(/^assets\/main-\w+\.js$/))
    .replace('STYLE', named(/^assets\/style-\w+\.css$/))
    .replace('PAGES', named(/^assets\/pages-\w+\.css$/))
    .replace('ICON', named(/^assets\/favicon-\w+\.svg$/));
}

async function writeCompressed(path, content) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await mkdir(dirname(path), { recursive: true });
  await Promise.all([writeFile(path, content), writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)]);
}
