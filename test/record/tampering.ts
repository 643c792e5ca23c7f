import type { KeyObject } from 'node:crypto';
import { canonicalJson } from '../../src/json/stringify.ts';
import { entryHash } from '../../src/record/entries.ts';
import { hashOfRoot, keyIdOf, publicKeyText, type RootStatement, signRoot } from '../../src/record/roots.ts';

// Ways to falsify an export. `place` is the index of the line of an entry.

type Lines = readonly string[];
// biome-ignore lint/suspicious/noExplicitAny: lines are falsified in every part
type Line = any;

export const isEntry = (line: string): boolean => line.includes('"kind":"entry"');
export const parsed = (line: string): Line => JSON.parse(line);
export const without = (lines: Lines, place: number): string[] => lines.toSpliced(place, 1);
export const replaced = (lines: Lines, place: number, line: string): string[] => lines.with(place, line);
export const swapped = (lines: Lines, one: number, other: number): string[] =>
  lines.with(one, lines[other] as string).with(other, lines[one] as string);
export const truncated = (lines: Lines, place: number): string[] => lines.slice(0, place);

/** Numbers the lines again, as a careful forger would. */
export const renumbered = (lines: Lines): string[] =>
  lines.map((line, place) => canonicalJson({ ...parsed(line), line: place + 1 }));

/** Changes what an entry says, and gives it and all that follow in its chain hashes that fit. */
export function rewritten(lines: Lines, place: number, change: (entry: Line) => void): string[] {
  const { entry: first } = parsed(lines[place] as string);
  let previous: string | null = null;
  return lines.map((text, at) => {
    if (at < place || !isEntry(text)) return text;
    const line = parsed(text);
    if (line.entry.chain !== first.chain) return text;
    if (at === place) change(line.entry);
    else if (previous !== null) line.entry.previous = previous;
    previous = entryHash(canonicalJson(line.entry));
    return canonicalJson({ ...line, hash: previous });
  });
}

/** Signs every root with another key, and puts that in the place of the right one. */
export function resigned(lines: Lines, key: KeyObject): string[] {
  const publicKey = publicKeyText(key);
  const keyId = keyIdOf(publicKey);
  let last: RootStatement | null = null;
  return lines.map((text) => {
    const line = parsed(text);
    if (line.kind === 'key') return canonicalJson({ ...line, keyId, publicKey });
    if (line.kind !== 'root') return text;
    const statement: RootStatement = {
      ...line.statement,
      keyId,
      previous: last ? hashOfRoot(last) : line.statement.previous,
    };
    last = statement;
    return canonicalJson({ ...line, statement, signature: signRoot(statement, key) });
  });
}

/** Another byte in one place of a text. */
export function withByte(text: string, place: number, by: number): string {
  const bytes = Buffer.from(text);
  bytes[place] = ((bytes[place] as number) + by) % 128;
  return bytes.toString('utf8');
}
