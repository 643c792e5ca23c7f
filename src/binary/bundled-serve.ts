import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setServingFlags, withUsualFlags } from '../v8-flags.ts';
import { createLoader } from './load.ts';

// `serve` of the bundle: loads the chunks in serve/ beside it, as V8 compiled them in an earlier start. These are not in a folder
// for temporary files: whoever may write there could plant code.

const folder = fileURLToPath(new URL('./serve/', import.meta.url));
const compiledFolder = `${folder}compiled/`;
/** After a start or a first use, when its functions are compiled, and before V8 forgets those that are not needed any more. */
const keepAfterMs = 1_000;

/** Where the compiled form of each chunk is kept. */
const files = new Map<string, string>();
const kept = new Set<string>();
let isServing = false;
let isToKeep = false;

const { load, scripts } = createLoader({
  text(name) {
    const bytes = readFileSync(folder + name);
    if (isServing) keepSoon();
    // V8 compares only the length of the text.
    files.set(name, `${compiledFolder}${hash('sha256', bytes)}-${process.arch}`);
    return bytes.toString('latin1');
  },
  compiled(name) {
    try {
      return readFileSync(files.get(name) as string);
    } catch {
      return undefined;
    }
  },
  url: import.meta.url,
  package: createRequire(import.meta.url),
});

const run = load('serve.js') as typeof import('../cli/serve/run.ts');

/** See `cli/serve/run.ts`. */
export async function serve(): ReturnType<typeof run.serve> {
  const exitCode = await run.serve();
  isServing = true;
  setServingFlags();
  keepSoon();
  return exitCode;
}

/** Keeps chunks that are loaded by their first use, too. */
function keepSoon(): void {
  if (isToKeep) return;
  isToKeep = true;
  setTimeout(keepCompiled, keepAfterMs).unref();
}

/** For the next start, where V8 had to compile. The folder may be read-only, as that of an image is. */
function keepCompiled(): void {
  isToKeep = false;
  try {
    for (const [name, script] of scripts) {
      if (script.cachedDataRejected === false || kept.has(name)) continue;
      kept.add(name);
      mkdirSync(compiledFolder, { recursive: true });
      const file = files.get(name) as string;
      writeFileSync(
        `${file}.${process.pid}`,
        withUsualFlags(() => script.createCachedData()),
      );
      renameSync(`${file}.${process.pid}`, file);
    }
  } catch {
    // The next start compiles again.
  }
}
