import { Script } from 'node:vm';
import { withUsualFlags } from '../v8-flags.ts';

/** The code that a binary carries, or that lies beside the bundle. */
export interface Code {
  /** The text of a chunk, ASCII. Throws when there is none of that name. */
  text(name: string): string;
  /** V8's compiled form of it, when it was kept; asked for after the text. */
  compiled(name: string): Buffer | undefined;
  /** The `import.meta.url` of every chunk: threads and shipped files are found relative to it. */
  url?: string;
  /** Loads a package that is in no chunk. */
  package?: (id: string) => object;
}

export interface Loader {
  /** The exports of the chunk; run at the first call, with the modules that it requires. */
  load(name: string): object;
  /** The scripts that were compiled so far, by chunk. */
  readonly scripts: ReadonlyMap<string, Script>;
}

type Run = (
  exports: object,
  require: (id: string) => object,
  module: { exports: object },
  url: string | undefined,
) => void;

/**
 * CommonJS over chunks in memory. Node's own loaders keep the compiled form of no function that is compiled when it is first
 * called, which are nearly all; here each command loads its own chunks, compiled by an earlier run.
 */
export function createLoader(code: Code): Loader {
  const modules = new Map<string, { exports: object }>();
  const scripts = new Map<string, Script>();

  function load(name: string): object {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const text = code.text(name);
    const cachedData = code.compiled(name);
    const script = withUsualFlags(
      () =>
        new Script(`(function (exports, require, module, assizeUrl) {${text}\n})`, {
          filename: `assize:${name}`,
          ...(cachedData && { cachedData }),
        }),
    );
    scripts.set(name, script);
    (script.runInThisContext() as Run)(module.exports, require, module, code.url);
    return module.exports;
  }

  function require(id: string): object {
    if (id.startsWith('./')) return load(id.slice(2));
    const found = (process.getBuiltinModule(id) as object | undefined) ?? code.package?.(id);
    if (!found) throw new Error(`${id} is not in the binary`);
    return found;
  }

  return { load, scripts };
}
