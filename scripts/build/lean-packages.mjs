import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { transform } from 'esbuild';

/**
 * fast-json-stringify checks each schema that it compiles against the schema of schemas, with code that takes longer than the
 * rest of a response. All schemas in the bundle are our own, and the tests serialize by them with the check.
 */
export const trustedSchemas = {
  name: 'trusted-schemas',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]fast-json-stringify[\\/]lib[\\/]schema-validator\.js$/ }, () => ({
      contents: 'module.exports = () => true;',
      loader: 'js',
    }));
  },
};

/** Fastify loads HTTP/2, which the service does not speak: 2 MB, and a twentieth of a start. */
export const onlyHttp1 = {
  name: 'only-http1',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]fastify[\\/]lib[\\/]server\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replace("require('node:http2')", 'undefined');
      if (contents === text) throw new Error(`${path} does not load HTTP/2 any more`);
      return { contents, loader: 'js' };
    });
  },
};

const policies = resolve(import.meta.dirname, '../../policies');

/** A first start creates the starter policies: to check them takes as long as the rest of it, and their texts are known. */
export const startersChecked = {
  name: 'starters-checked',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]policies[\\/]checked-starters\.ts$/ }, async () => {
      const { runOwnCheck } = await import('../../src/features/policies/check-job.ts');
      const checked = {};
      for (const name of (await readdir(policies)).filter((file) => file.endsWith('.yaml')).sort()) {
        const text = await readFile(resolve(policies, name), 'utf8');
        checked[hash('sha256', text)] = runOwnCheck(text, []);
      }
      return { contents: `export const checkedStarters = ${JSON.stringify(checked)};`, loader: 'js' };
    });
  },
};

/**
 * V8 keeps the text of the code that runs. Variables inside the functions of CommonJS packages get short names; names that show in
 * traces and logs, of functions and classes at the top of a file, stay, and so do all of our own.
 */
export const shortVariables = {
  name: 'short-variables',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.c?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (/^(import|export)\b/m.test(text)) return null;
      const { code } = await transform(text, {
        minifyIdentifiers: true,
        minifySyntax: true,
        platform: 'node',
        sourcefile: path,
        sourcemap: 'inline',
      });
      return { contents: code, loader: 'js' };
    });
  },
};
