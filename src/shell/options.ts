import type { Frame } from './frame.ts';
import { UNSAFE, type WordBits } from './word.ts';

/** The options of a program that have a value. */
export interface Options {
  /** Letters. */
  readonly short: string;
  readonly long: ReadonlySet<string>;
}

export interface Value {
  readonly name: string;
  readonly text: string;
  readonly bits: WordBits;
}

export interface ReadOptions {
  /** Index of the first word that is no option. */
  readonly at: number;
  /** All options without hyphens, including those with a value. */
  readonly flags: readonly string[];
  readonly values: readonly Value[];
  /** Whether an option is an expansion that may be anything: what follows cannot be known. */
  readonly isUnsafe: boolean;
}

/** Reads options from `from` to the first word that is none, or past `--`. */
export function readOptions({ words, bits }: Frame, from: number, { short, long }: Options): ReadOptions {
  const flags: string[] = [];
  const values: Value[] = [];
  let isUnsafe = false;
  let at = from;
  const addValue = (name: string, text: string, index: number): void => {
    values.push({ name, text, bits: bits[index] ?? 0 });
  };
  for (; at < words.length; at += 1) {
    const word = words[at] as string;
    if (word.charCodeAt(0) !== HYPHEN || word.length === 1) break;
    if (word === '--') {
      at += 1;
      break;
    }
    if (word.charCodeAt(1) === HYPHEN) {
      const equals = word.indexOf('=');
      const name = longName(word.slice(2, equals < 0 ? undefined : equals), long);
      flags.push(name);
      if (equals >= 0) addValue(name, word.slice(equals + 1), at);
      else {
        if ((bits[at] ?? 0) & UNSAFE) isUnsafe = true;
        if (long.has(name)) {
          at += 1;
          addValue(name, words[at] ?? '', at);
        }
      }
      continue;
    }
    for (let index = 1; index < word.length; index += 1) {
      const letter = word[index] as string;
      if (letter === '$' && (bits[at] ?? 0) & UNSAFE) isUnsafe = true;
      flags.push(letter);
      if (!short.includes(letter)) continue;
      if (index === word.length - 1) {
        at += 1;
        addValue(letter, words[at] ?? '', at);
      } else addValue(letter, word.slice(index + 1), at);
      break;
    }
  }
  return { at, flags, values, isUnsafe };
}

const HYPHEN = 45;

/** GNU takes a beginning of a long option that fits only one. */
function longName(name: string, long: ReadonlySet<string>): string {
  if (name === '' || long.has(name)) return name;
  for (const known of long) if (name.length > 2 && known.startsWith(name)) return known;
  return name;
}

export const valuesOf = ({ values }: ReadOptions, ...names: readonly string[]): readonly Value[] =>
  values.filter(({ name }) => names.includes(name));
