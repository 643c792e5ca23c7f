// Lays out what the container needs under the folder named as argument: app/ (the bundle, the packages it still
// loads, and the files it reads) and data/ (empty, for the database).
import { cpSync, mkdirSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { packagesNeeded } from '../build/bundled-packages.mjs';
import { externalPackages } from '../build/external-packages.mjs';

const root = resolve(import.meta.dirname, '../..');
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

for (const place of packagesNeeded(externalPackages)) {
  const nested = join(place, 'node_modules');
  cpSync(place, join(app, relative(root, place)), {
    recursive: true,
    filter: (file) =>
      !file.startsWith(nested) &&
      !/\.(?:map|d\.[cm]?ts)$/.test(file) &&
      !leftOut[basename(place)]?.(relative(place, file)),
  });
}
// The source map is larger than the bundle, whose traces can be read without it.
const parts = [
  'package.json',
  'LICENSE',
  'dist',
  'migrations',
  'policies',
  'clients/verifier',
  'scripts/image/health-check.mjs',
];
for (const part of parts) {
  cpSync(join(root, part), join(app, part), { recursive: true, filter: (file) => !file.endsWith('.map') });
}
mkdirSync(join(target, 'data'), { recursive: true });
