// Lays out what the container needs under the folder named as argument: app/ (the bundle, the packages it still
// loads, and the files it reads) and data/ (empty, for the database).
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { externalPackages } from './external-packages.mjs';

const root = resolve(import.meta.dirname, '..');
const target = resolve(process.argv[2] ?? 'image');
const app = join(target, 'app');

/** better-sqlite3 ships an addon for each platform, the sources of SQLite, and a package only its compiler reads. */
const isMusl = !process.report.getReport().header.glibcVersionRuntime;
const addon = `${process.platform}${isMusl ? 'musl' : ''}-${process.arch}.node`;
const leftOut = {
  'better-sqlite3': (path) =>
    /^(?:deps|src|binding\.gyp)(?:\/|$)/.test(path) ||
    (/^prebuilds\/./.test(path) && path !== `prebuilds/${addon}`),
};
const onlyToCompile = new Set(['node-addon-api']);

/** Where `name` is found when a file in `folder` imports it: the nearest node_modules on the way up. */
function findPackage(name, folder) {
  const place = join(folder, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  if (folder === root) throw new Error(`${name} is not installed`);
  return findPackage(name, dirname(folder));
}

function collect(name, folder, found) {
  const place = findPackage(name, folder);
  if (found.has(place)) return;
  found.set(place, name);
  const { dependencies = {} } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  for (const dependency of Object.keys(dependencies)) {
    if (!onlyToCompile.has(dependency)) collect(dependency, place, found);
  }
}

const packages = new Map();
for (const name of externalPackages) collect(name, root, packages);
for (const [place, name] of packages) {
  const nested = join(place, 'node_modules');
  cpSync(place, join(app, relative(root, place)), {
    recursive: true,
    filter: (file) =>
      !file.startsWith(nested) &&
      !/\.(?:map|d\.[cm]?ts)$/.test(file) &&
      !leftOut[name]?.(relative(place, file)),
  });
}
// The bundle is not minified: its traces can be read without the source map, which is larger than the bundle.
const parts = ['package.json', 'LICENSE', 'dist', 'migrations', 'policies', 'scripts/health.mjs'];
for (const part of parts.filter((part) => existsSync(join(root, part)))) {
  cpSync(join(root, part), join(app, part), { recursive: true, filter: (file) => !file.endsWith('.map') });
}
mkdirSync(join(target, 'data'), { recursive: true });
