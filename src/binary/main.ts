import { isMainThread } from 'node:worker_threads';
import { ensureV8Flags, setServingFlags } from '../v8-flags.ts';
import { asset } from './asset.ts';
import { createLoader } from './load.ts';

// The script of the single binary, and of each of its threads, whose name is then the last argument.

const { load } = createLoader({
  text: (name) => asset(`code/${name}`).toString('latin1'),
  compiled: (name) => asset(`compiled/${name}`),
});

if (isMainThread) {
  ensureV8Flags(null);
  const args = process.argv.slice(2);
  const isServe = args.length === 0 || (args.length === 1 && args[0] === 'serve');
  const exitCode = isServe
    ? (load('serve.js') as typeof import('../cli/serve/run.ts')).serve()
    : (load('command.js') as typeof import('../cli/command.ts')).command(args);
  void exitCode.then((code) => {
    if (isServe) setServingFlags();
    process.exitCode = code;
  });
} else {
  load(`${process.argv.at(-1)}.js`);
}
