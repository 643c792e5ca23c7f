import { registerHooks } from 'node:module';

// `assize/client` and `assize/ai-sdk` as they are in the working tree; test/package.test.ts runs them as they are packed.
registerHooks({
  resolve(specifier, context, next) {
    const [, part] = /^assize\/(client|ai-sdk)$/.exec(specifier) ?? [];
    return next(part ? new URL(`../../src/${part}/index.ts`, import.meta.url).href : specifier, context);
  },
});
