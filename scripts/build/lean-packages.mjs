import { readFile } from 'node:fs/promises';

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
