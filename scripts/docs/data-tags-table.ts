import { documentation } from '../../src/detectors/kinds/documentation.ts';
import type { Kind } from '../../src/detectors/kinds/kind.ts';
import { kinds, taxonomy } from '../../src/detectors/kinds/taxonomy.ts';
import { equivalentNames } from './equivalent-names.ts';

// The tables of docs/data-tags.md. Run: npm run -s docs -- data-tags
const MAX_WORDS = 6;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const example = (input: unknown): string => `\`${JSON.stringify(input)}\``;

/** The first words that name a kind; a reader wants to know which they are like, not all of them. */
function words({ words = '', identity }: Kind): string {
  const all = words.split(' ').filter((word) => word !== '');
  const shown = all.slice(0, MAX_WORDS).map((word) => word.replaceAll('_', ' '));
  if (identity) shown.push('national ID');
  return shown.join(', ') + (all.length > MAX_WORDS ? ', …' : '');
}

function row(kind: Kind, place: number): string {
  const { tag } = kind;
  const docs = documentation.get(tag);
  if (docs === undefined) throw new RangeError(`${tag} has no row in documentation.ts`);
  const cells = [
    tag,
    taxonomy[place]?.categories.join(', ') ?? '',
    docs.country,
    docs.counts,
    words(kind),
    docs.strength.join(', '),
    example(docs.found),
    example(docs.missed),
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

export const table = [
  '| Tag | Categories | Country | What counts, and how it is verified | Words | Strength | Found | Near miss |',
  '|---|---|---|---|---|---|---|---|',
  ...kinds.map(row),
].join('\n');

if (import.meta.main) console.log(`${table}\n\n${equivalentNames}`);
