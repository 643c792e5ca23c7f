import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Span {
  type: string;
  start: number;
  end: number;
  value: string;
  weak?: boolean;
}

/** One row: `scope` lists the types it judges; `expected` is null where the source gives no places. */
export interface Row {
  id: string;
  text: string;
  scope: readonly string[];
  expected: readonly Span[] | null;
}

export interface Found {
  type: string;
  start: number;
  end: number;
}

/** Returns what a detector finds in one text. */
export type Finder = (text: string) => readonly Found[] | Promise<readonly Found[]>;

export interface Score {
  expected: number;
  hits: number;
  /** Weak expectations met: they count neither for nor against. */
  weak: number;
  wrong: number;
}

// npm runs a script in the folder of the package
const FOLDER = resolve(process.env.ASSIZE_CORPORA ?? '../shared/corpora');

/** Rows of a corpus, null when it is not there. */
export function readCorpus(name: string): Row[] | null {
  const path = join(FOLDER, `${name}.jsonl`);
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

export function missing(name: string): string {
  return `corpus ${name} is not in ${FOLDER}: set ASSIZE_CORPORA to the folder that has it`;
}

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();

function matches(found: Found, span: Span, text: string): boolean {
  if (found.type !== span.type) return false;
  const overlap = Math.min(found.end, span.end) - Math.max(found.start, span.start);
  const union = Math.max(found.end, span.end) - Math.min(found.start, span.start);
  return overlap / union >= 0.5 || plain(text.slice(found.start, found.end)) === plain(span.value);
}

/** Offsets in the corpora count code points; these are those of UTF-16. */
function utf16(text: string, span: Span): Span {
  if (text.slice(span.start, span.end) === span.value) return span;
  const points = [...text];
  const start = points.slice(0, span.start).join('').length;
  return { ...span, start, end: start + span.value.length };
}

/** Scores by type; `onMiss` sees every wrong or missing finding. */
export async function score(
  rows: readonly Row[],
  types: ReadonlySet<string>,
  find: Finder,
  onMiss?: (kind: 'missed' | 'wrong', type: string, row: Row, value: string) => void,
): Promise<Map<string, Score>> {
  const scores = new Map<string, Score>();
  const of = (type: string): Score => {
    const known = scores.get(type) ?? { expected: 0, hits: 0, weak: 0, wrong: 0 };
    scores.set(type, known);
    return known;
  };
  for (const row of rows) {
    if (row.expected === null) continue;
    const judged = row.scope.filter((type) => types.has(type));
    if (judged.length === 0) continue;
    const spans = row.expected.map((span) => utf16(row.text, span)).filter(({ type }) => types.has(type));
    const left = (await find(row.text)).filter(({ type }) => judged.includes(type));
    for (const span of spans) {
      const at = left.findIndex((found) => matches(found, span, row.text));
      if (at >= 0) left.splice(at, 1);
      const result = of(span.type);
      if (span.weak) result.weak += at >= 0 ? 1 : 0;
      else {
        result.expected++;
        if (at >= 0) result.hits++;
        else onMiss?.('missed', span.type, row, span.value);
      }
    }
    for (const { type, start, end } of left) {
      of(type).wrong++;
      onMiss?.('wrong', type, row, row.text.slice(start, end));
    }
  }
  return scores;
}

export function ratios({ expected, hits, wrong }: Score): { precision: number; recall: number; f1: number } {
  const precision = hits + wrong === 0 ? 1 : hits / (hits + wrong);
  const recall = expected === 0 ? 1 : hits / expected;
  const f1 =
    2 * hits + wrong + (expected - hits) === 0 ? 1 : (2 * hits) / (2 * hits + wrong + expected - hits);
  return { precision, recall, f1 };
}
