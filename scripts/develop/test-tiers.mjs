import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

// Which tests run when. A file belongs to a part of the slow tier by its path, to the built tier because it runs what is built, and
// otherwise to the quick one, wherever it is moved.

/** Parts of `npm run test:slow`, and the files of each. */
const slow = {
  binary: ['test/binary/*.test.mjs'],
  shipped: ['test/shipped/*.test.ts'],
  durability: ['test/durability/**/*.test.ts'],
  postgres: ['test/**/postgres/**/*.test.ts', 'test/replicas/**/*.test.ts'],
  interop: ['test/interop/*.test.mjs'],
  console: ['test/console/**/*.browser.{ts,mjs}'],
  chart: ['test/chart/*.test.mjs'],
  shells: ['test/shell/bash/*.test.ts'],
};

/** What runs the program or packs a package; and a file may say so itself, by a line `// tier: built`. */
const startsWhatIsBuilt =
  /import[^;]*\b(serveProcess|program)\b[^;]*from '[^']*helpers\/process\.ts'|from '[^']*helpers\/npm-package\.ts'|^\/\/ tier: built/m;

/** Every file of the repository that is a test, by its name. Packages that are installed below test/ have tests of their own. */
function findTests() {
  const names = 'test/**/*.{test,spec,browser}.{ts,tsx,mts,js,mjs,cjs}';
  return globSync(names, { exclude: ['**/node_modules/**'] })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

/** The files of each tier, of the slow one by its parts. Throws when a file belongs to none or to two. */
export function tiersOf(files = findTests()) {
  const tiers = {
    quick: [],
    built: [],
    slow: Object.fromEntries(Object.keys(slow).map((part) => [part, []])),
  };
  for (const file of files) {
    const parts = Object.keys(slow).filter((part) =>
      slow[part].some((glob) => posix.matchesGlob(file, glob)),
    );
    if (parts.length > 1)
      throw new Error(`${file} belongs to two parts of the slow tests: ${parts.join(', ')}`);
    if (parts[0]) tiers.slow[parts[0]].push(file);
    else if (!file.endsWith('.test.ts'))
      throw new Error(
        `${file} would never run: name it *.test.ts, or add it to a part in scripts/develop/test-tiers.mjs`,
      );
    else (runsWhatIsBuilt(file) ? tiers.built : tiers.quick).push(file);
  }
  return tiers;
}

const known = new Map();

/** True when the file, or a module of the tests that it imports, runs what is built. */
function runsWhatIsBuilt(file) {
  const before = known.get(file);
  if (before !== undefined) return before;
  // Circles.
  known.set(file, false);
  const source = readFileSync(file, 'utf8');
  const modules = [...source.matchAll(/(?:from |import\(|import )'(\.[^']+\.ts)'/g)]
    .map(([, path]) => posix.join(posix.dirname(file), path))
    .filter((path) => path.startsWith('test/') && existsSync(path));
  const found = startsWhatIsBuilt.test(source) || modules.some(runsWhatIsBuilt);
  known.set(file, found);
  return found;
}
