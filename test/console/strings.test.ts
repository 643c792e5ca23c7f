import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { de } from '../../src/console/strings/de.ts';
import { en } from '../../src/console/strings/en.ts';
import { root } from '../helpers/process.ts';

const isGroup = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names of all texts, such as `reviews.statuses.PENDING`. */
const namesOf = (group: object, above = ''): string[] =>
  Object.entries(group).flatMap(([name, value]) =>
    isGroup(value) ? namesOf(value, `${above}${name}.`) : [`${above}${name}`],
  );

t.test('every text exists in German, and German has no other', async (t) => {
  t.strictSame(namesOf(de).sort(), namesOf(en).sort());
});

/** The text at the path, or all of a group: what is picked of a group is known only when the page runs. */
function namesAt(path: readonly string[]): string[] {
  let found: unknown = en;
  const taken: string[] = [];
  for (const name of path) {
    if (!isGroup(found) || !(name in found)) break;
    found = found[name];
    taken.push(name);
  }
  return isGroup(found) ? namesOf(found, taken.map((name) => `${name}.`).join('')) : [taken.join('.')];
}

/** The names of the texts that a source file reads: from `words.value`, or from what it calls a part of it. */
function namesIn(source: string): string[] {
  const paths = new Map<string, string[][]>([['words.value', [[]]]]);
  const read: string[] = [];
  const call = (alias: string, path: string[]): void => {
    paths.set(alias, [...(paths.get(alias) ?? []), path]);
    // A text of its own is read by its name alone.
    if (namesAt(path).length === 1) read.push(...namesAt(path));
  };
  const pathsOf = (name: string, dotted: string): string[][] =>
    (paths.get(name) ?? []).map((path) => [...path, ...dotted.split('.').slice(1)]);
  const uses = source
    .replaceAll('words.peek()', 'words.value')
    .replace(
      /const \{([^}]*)\} = (words\.value|\w+)([\w.]*);/g,
      (_, names: string, from: string, dotted: string) => {
        for (const pair of names.split(',').filter((one) => one.trim() !== '')) {
          const [name = '', alias = name] = pair.split(':').map((one) => one.trim());
          for (const path of pathsOf(from, dotted)) call(alias, [...path, name]);
        }
        return '';
      },
    )
    .replace(/const (\w+) = words\.value([\w.]*);/g, (_, alias: string, dotted: string) => {
      for (const path of pathsOf('words.value', dotted)) call(alias, path);
      return '';
    });
  const aliases = [...paths.keys()].join('|').replaceAll('.', '\\.');
  for (const [, name = '', rest = ''] of uses.matchAll(
    new RegExp(`(?<![\\w.])(${aliases})((?:\\.\\w+)+|\\[)`, 'g'),
  )) {
    read.push(...pathsOf(name, rest === '[' ? '' : rest).flatMap(namesAt));
  }
  return read;
}

t.test('no text is there that no page reads', async (t) => {
  const folder = join(root, 'src/console');
  const files = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['strings/*/**', 'strings/{en,de}.ts'] });
  const read = new Set(files.flatMap((file) => namesIn(readFileSync(join(folder, file), 'utf8'))));
  t.strictSame(
    namesOf(en).filter((name) => !read.has(name)),
    [],
  );
});
