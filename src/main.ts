#!/usr/bin/env node
// Prints the version error before importing anything else: an older Node cannot load the rest.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`assize needs Node 22.18 or newer, and this is Node ${process.versions.node}\n`);
  if (!import.meta.url.includes('/node_modules/')) {
    process.stderr.write('in a checkout, npm start and npm run build install a newer one\n');
  }
  process.exit(1);
}
const args = process.argv.slice(2);
const isServe = args.length === 1 && args[0] === 'serve';
if (isServe) {
  const { ensureV8Flags } = await import('./v8-flags.ts');
  ensureV8Flags(import.meta.filename);
}
// V8's code of the bundle is kept beside it, and read at the next start instead of being made again. Not in a folder
// for temporary files: whoever may write there could plant code.
const { dirname } = import.meta;
if (dirname?.match(/\/(dist|lib)$/)) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(`${dirname}/compile-cache`);
}
// The words of the other commands are not loaded to serve, nor for an installed hook.
if (isServe) {
  const { serve } = await import('./cli/serve/run.ts');
  process.exitCode = await serve();
} else {
  let exitCode: number | null = null;
  if (args[0] === 'hook') {
    const { runInstalled } = await import('./cli/hook/installed.ts');
    exitCode = await runInstalled(args.slice(1));
  }
  if (exitCode === null) {
    const { command } = await import('./cli/command.ts');
    exitCode = await command(args);
  }
  process.exitCode = exitCode;
}

export {};
