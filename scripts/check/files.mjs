import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

// Names each folder of src with more than 20 files, and each file of fewer than 30 lines that one file beside it imports.
const root = resolve(import.meta.dirname, '../..');
const mostFiles = 20;
const leastLines = 30;

/** Folders and files that stay as they are, with the reason. An exception that is not needed any more fails as well. */
const exceptions = {
  'src/features/policies':
    'the columns of its commands are apart from cli-files.ts, which loads the checker of policies',
  'src/features/policies/checked-starters.ts': 'a build puts the findings of the starters in its place',
};

const files = globSync('src/**/*.{ts,tsx}', { cwd: root }).sort();
const textOf = new Map(files.map((file) => [file, readFileSync(resolve(root, file), 'utf8')]));
const importers = new Map(files.map((file) => [file, new Set()]));
/** Loaded when they are first needed: they are files of their own for that. */
const late = new Set();
for (const [file, text] of textOf)
  for (const [, call, path] of text.matchAll(/(?:\bfrom|\b(import)\()\s*'(\.[^']+)'/g)) {
    const imported = resolve('/', dirname(file), path).slice(1);
    importers.get(imported)?.add(file);
    if (call) late.add(imported);
  }

const found = new Map();
for (const [folder, inside] of Map.groupBy(files, dirname))
  if (inside.length > mostFiles) found.set(folder, `${inside.length} files, at most ${mostFiles}`);
for (const [file, by] of importers) {
  const lines = textOf.get(file).split('\n').length - 1;
  const [one] = by;
  if (lines < leastLines && by.size === 1 && dirname(one) === dirname(file) && !late.has(file))
    found.set(file, `${lines} lines, imported by ${basename(one)} alone: make it a part of that`);
}

const mistakes = [
  ...[...found].filter(([path]) => !(path in exceptions)).map(([path, reason]) => `${path}: ${reason}`),
  ...Object.keys(exceptions)
    .filter((path) => !found.has(path))
    .map((path) => `${path}: no exception is needed any more`),
];
for (const mistake of mistakes) console.error(mistake);
process.exitCode = mistakes.length > 0 ? 1 : 0;
