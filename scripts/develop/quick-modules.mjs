import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { openProbes, withProbes } from './probes.mjs';

// Loads modules as Node does, but quicker, for the many processes of a test run: types that were stripped once are kept in
// `build/`, by the hash of the file, and packages are not looked for again by each file that imports them. Half of what a
// process needs until its first test.

const root = new URL('../../', import.meta.url).href;
const packages = `${root}node_modules/`;
/** Folders with packages of their own. */
const otherPackages = ['test/interop/', 'test/console/browsers/', 'test/chart/'].map(
  (folder) => root + folder,
);
const domain = `${root}scripts/develop/test-domain.mjs`;
const threads = `${root}scripts/develop/test-threads.mjs`;
const folder = fileURLToPath(new URL('build/stripped/', root));
mkdirSync(folder, { recursive: true });

// With TEST_COVERAGE, a folder for what was reached, the code of the service has probes.
const hasProbes = process.env.TEST_COVERAGE
  ? openProbes(fileURLToPath(root), process.env.TEST_COVERAGE)
  : () => false;

const resolved = new Map();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context;
    if (specifier === 'async-hook-domain') return { url: domain, format: 'module', shortCircuit: true };
    const isOurs =
      parentURL?.startsWith(root) &&
      !parentURL.startsWith(packages) &&
      !otherPackages.some((folder) => parentURL.startsWith(folder));
    if (specifier.startsWith('.')) {
      if (isOurs && specifier.endsWith('.ts')) {
        const { href } = new URL(specifier, parentURL);
        const url = href === `${root}src/threads.ts` && parentURL !== threads ? threads : href;
        return { url, format: 'module', shortCircuit: true };
      }
      // Its package.json is 180 KB, which Node parses for each of its files.
      if (
        parentURL?.startsWith(`${packages}drizzle-orm/`) &&
        specifier.endsWith('.js') &&
        parentURL.endsWith('.js')
      )
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
      // TypeBox has a file for each kind of schema, two hundred of them.
      if (specifier.endsWith('.mjs') && parentURL?.startsWith(packages))
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
      return next(specifier, context);
    }
    if (!isOurs || !context.conditions.includes('import')) return next(specifier, context);
    const known = resolved.get(specifier);
    if (known) return known;
    const found = next(specifier, context);
    resolved.set(specifier, { ...found, shortCircuit: true });
    return found;
  },
  load(url, context, next) {
    if (!url.startsWith(root) || !url.endsWith('.ts') || url.startsWith(packages)) return next(url, context);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    const name = url.slice(root.length);
    return {
      format: 'module',
      source: hasProbes(name) ? probed(source, name).code : stripped(source),
      shortCircuit: true,
    };
  },
});

/** The code without its types, each character in its place. */
export const stripped = (source) => made(source, () => stripTypeScriptTypes(source));

const probes = readFileSync(new URL('probes.mjs', import.meta.url), 'utf8');

/** The same with probes, and the regions of it that they speak for. */
export const probed = (source, name) =>
  JSON.parse(made(`${probes} ${name} ${source}`, () => JSON.stringify(withProbes(stripped(source), name))));

/** What `make` returns, kept by the hash of what it is made of. */
function made(source, make) {
  const file = folder + createHash('sha1').update(process.version).update(source).digest('hex');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    const code = make();
    // Renamed when it is whole: other processes read it meanwhile.
    writeFileSync(`${file}.${process.pid}`, code);
    renameSync(`${file}.${process.pid}`, file);
    return code;
  }
}
