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

/** A text, or the source of one that is put together. */
const writtenAt = (group: object, name: string): string =>
  String(name.split('.').reduce((found: unknown, part) => (found as Record<string, unknown>)[part], group));

/** The nouns of the glossary in en.ts: alone or in the plural, each is always the same German word. */
const nouns: Readonly<Record<string, string>> = {
  Action: 'Aktion',
  Actions: 'Aktionen',
  Approvals: 'Genehmigungen',
  Approved: 'Genehmigt',
  Audit: 'Protokoll',
  Bindings: 'Zuordnungen',
  Counters: 'Zähler',
  Decision: 'Entscheidung',
  Decisions: 'Entscheidungen',
  Entity: 'Entität',
  Entities: 'Entitäten',
  Evaluation: 'Bewertung',
  Evaluations: 'Bewertungen',
  'House policy': 'Hausrichtlinie',
  Id: 'ID',
  Integration: 'Integration',
  Integrations: 'Integrationen',
  Key: 'Schlüssel',
  Labels: 'Labels',
  List: 'Liste',
  Lists: 'Listen',
  Operator: 'Operator',
  Operators: 'Operatoren',
  Policy: 'Richtlinie',
  Policies: 'Richtlinien',
  Proposal: 'Vorschlag',
  Proposals: 'Vorschläge',
  Record: 'Aufzeichnung',
  Rejected: 'Abgelehnt',
  Review: 'Prüfung',
  Reviews: 'Prüfungen',
  Rule: 'Regel',
  'Rule id': 'Regel-ID',
  Rules: 'Regeln',
  Session: 'Sitzung',
  Sessions: 'Sitzungen',
  Severity: 'Schweregrad',
  Tool: 'Tool',
  Tools: 'Tools',
  Violation: 'Verstoß',
  Violations: 'Verstöße',
};
/** Other German words for them. */
const others =
  /Werkzeug|Auswertung|Kennung|\bId\b|Bedienende|Merkmal|Markierung|[Ff]reigab|[Ff]reigeb|\b[Bb]indung|gebunden|\bAkte\b|\bSchwere\b|ausmustern/;

t.test('a noun of the glossary is one German word', async (t) => {
  const used = new Set<string>();
  for (const name of namesOf(en)) {
    const english = writtenAt(en, name);
    const noun = nouns[english];
    if (noun === undefined) continue;
    used.add(english);
    t.equal(writtenAt(de, name), noun, name);
  }
  t.strictSame(
    Object.keys(nouns).filter((noun) => !used.has(noun)),
    [],
    'each is used',
  );
  for (const name of namesOf(de)) t.notMatch(writtenAt(de, name), others, name);
});

/** What stands between the tags of a button, or is the label of one that sends a form. */
const buttonLabels =
  /<button\b(?:[^>]|=>)*>\s*\{([^{}]*)\}\s*<\/button>|(?:submit|create)Label=\{([^{}]*)\}/g;
const namings = /const \{[^}]*\} = (?:words\.value|\w+)[\w.]*;|const \w+ = words\.value[\w.]*;/g;

t.test('no button ends in a full stop, and no text in a space', async (t) => {
  const folder = join(root, 'src/console');
  const labels = new Set(
    globSync('{pages,parts}/**/*.tsx', { cwd: folder }).flatMap((file) => {
      const source = readFileSync(join(folder, file), 'utf8');
      const found = [...source.matchAll(buttonLabels)]
        .map(([, inside = '', label = '']) => inside + label)
        .join(';');
      const said = new Set([...found.matchAll(/\.(\w+)/g)].map(([, last]) => last));
      // A name may stand for several groups, of which some have no such text.
      return namesIn(`${[...source.matchAll(namings)].join('\n')}\n${found}`).filter((name) =>
        said.has(name.slice(name.lastIndexOf('.') + 1)),
      );
    }),
  );
  t.ok(labels.size > 60, `${labels.size} labels of buttons are found`);
  for (const [code, texts] of Object.entries({ en, de }))
    for (const name of namesOf(texts)) {
      const text = writtenAt(texts, name);
      if (labels.has(name)) t.notMatch(text, /\.[`']?$/, `${code} ${name}`);
      // The source of a function has lines.
      if (!text.includes('=>')) t.notMatch(text, /^\s|\s$| {2}/, `${code} ${name}`);
    }
});
