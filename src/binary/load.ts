import { Script } from 'node:vm';

/** The code that a binary carries. */
export interface Code {
  /** The text of a chunk, ASCII. Throws when there is none of that name. */
  text(name: string): string;
  /** V8's compiled form of it, when it was kept. */
  compiled(name: string): Buffer | undefined;
}

export interface Loader {
  /** What the chunk exports; run at the first call, with what it requires. */
  load(name: string): object;
  /** What was compiled so far, by chunk. */
  readonly scripts: ReadonlyMap<string, Script>;
}

type Run = (exports: object, require: (id: string) => object, module: { exports: object }) => void;

/**
 * CommonJS over chunks in memory. Node's own loader of a single executable knows one script, and keeps the compiled
 * form of none of the functions in it; here each command loads its own chunks, compiled when the binary was built.
 */
export function createLoader(code: Code): Loader {
  const modules = new Map<string, { exports: object }>();
  const scripts = new Map<string, Script>();

  function load(name: string): object {
    const known = modules.get(name);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(name, module);
    const cachedData = code.compiled(name);
    const script = new Script(`(function (exports, require, module) {${code.text(name)}\n})`, {
      filename: `assize:${name}`,
      ...(cachedData && { cachedData }),
    });
    scripts.set(name, script);
    (script.runInThisContext() as Run)(module.exports, require, module);
    return module.exports;
  }

  function require(id: string): object {
    if (id.startsWith('./')) return load(id.slice(2));
    const builtin = process.getBuiltinModule(id) as object | undefined;
    if (!builtin) throw new Error(`${id} is not in the binary`);
    return builtin;
  }

  return { load, scripts };
}
