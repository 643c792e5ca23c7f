import { getRawAsset } from 'node:sea';
import { isMainThread } from 'node:worker_threads';
import { ensureV8Flags } from '../v8-flags.ts';
import { createLoader } from './load.ts';

// The script of the single binary, and of each of its threads, whose name is then the last argument.

const { load } = createLoader({
  text: (name) => Buffer.from(getRawAsset(`code/${name}`)).toString('latin1'),
  compiled: (name) => Buffer.from(getRawAsset(`compiled/${name}`)),
});

if (isMainThread) {
  ensureV8Flags(null);
  const { command } = load('command.js') as typeof import('../cli/command.ts');
  void command(process.argv.slice(2)).then((exitCode) => {
    process.exitCode = exitCode;
  });
} else {
  load(`${process.argv.at(-1)}.js`);
}
