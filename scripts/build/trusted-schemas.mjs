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
