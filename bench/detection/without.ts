import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/** A function of the detectors that takes the text that is read, and what it returns when it finds nothing. */
const RECOGNISER = /^(?:export )?function (\w+)\(\s*pass: Pass\b[^{]*?\): (number|boolean|void) \{$/gm;
const NOTHING: Readonly<Record<string, string>> = {
  number: 'return 0',
  boolean: 'return false',
  void: 'return',
};

declare global {
  /** The recogniser that finds nothing, as file#function, and all that there are. */
  var without: { off: string; readonly all: ReadonlySet<string> } | undefined;
}

/** Stands before the code of the detectors. */
export const banner = "globalThis.without = { off: '', all: new Set() };";

/** Lets each recogniser be switched off while the detectors run: see `printWithout`. */
export const switchable: Plugin = {
  name: 'switchable recognisers',
  setup(build) {
    build.onLoad({ filter: /src\/detectors\/.*\.ts$/ }, ({ path }) => {
      const file = path.slice(path.lastIndexOf('src/detectors/') + 'src/detectors/'.length);
      const noted: string[] = [];
      const source = readFileSync(path, 'utf8').replace(
        RECOGNISER,
        (head: string, name: string, type: string) => {
          const key = `'${file}#${name}'`;
          noted.push(`globalThis.without.all.add(${key});`);
          return `${head} if (globalThis.without.off === ${key}) ${NOTHING[type]};`;
        },
      );
      return { contents: `${source}\n${noted.join('\n')}`, loader: 'ts' };
    });
  },
};
