import { basename, resolve } from 'node:path';
import { build, transform } from 'esbuild';

const root = resolve(import.meta.dirname, '../..');

/**
 * The chunks of the entry points by name, as `src/binary/load.ts` loads them, their source maps, and what they were made of.
 * esbuild splits ES modules only, so it does that first and then makes each chunk CommonJS, which V8 can keep compiled.
 */
export async function bundleChunks({ target, withMaps = false, ...options }) {
  const { outputFiles, metafile } = await build({
    bundle: true,
    platform: 'node',
    target,
    write: false,
    logLevel: 'warning',
    outdir: 'code',
    format: 'esm',
    splitting: true,
    metafile: true,
    absWorkingDir: root,
    sourcemap: withMaps && 'inline',
    ...options,
  });
  const chunks = new Map();
  const maps = new Map();
  for (const { path, text } of outputFiles) {
    const { code, map } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target,
      supported: { 'dynamic-import': false },
      // Without the comments, and yet with lines that a trace can name.
      minifyWhitespace: true,
      lineLimit: 120,
      legalComments: 'none',
      sourcemap: withMaps && 'external',
      sourcesContent: false,
    });
    if (withMaps) maps.set(`${basename(path)}.map`, map);
    chunks.set(basename(path), asAscii(code));
  }
  return { chunks, maps, metafile };
}

/** The code is read byte by character. What esbuild leaves as it is stands in regular expressions. */
function asAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
