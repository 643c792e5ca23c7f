import type { Rank } from '../hits.ts';
import { kinds } from '../kinds/index.ts';
import type { LetterCheck, LetterForm } from '../kinds/kind.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';

/** An identifier of letters and digits. */
export interface Shape {
  tag: number;
  rank: Rank;
  alone: LetterForm['alone'];
  check: LetterCheck;
}

/** Longest word that is looked up by its shape. */
export const MAX_SHAPE = 20;

const anything: LetterCheck = () => true;
const IS_WORD = /^[9AX]+$/;

/** Where the digits stand in a word of up to 20 characters, with its length, as one number. */
export function shapeKey(length: number, digits: number): number {
  return (length << MAX_SHAPE) | digits;
}

/** The keys of all words that fit a pattern: each X is a digit in one and a letter in another. */
export function shapeKeys(pattern: string): number[] {
  let masks = [0];
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === 'A') continue;
    const withDigit = masks.map((mask) => mask | (1 << i));
    masks = pattern[i] === 'X' ? [...masks, ...withDigit] : withDigit;
  }
  return masks.map((mask) => shapeKey(pattern.length, mask));
}

/** Every form with letters and the kind it is of, as it is reported. */
export const letterForms: readonly (Shape & { pattern: string })[] = kinds.flatMap(({ tag, letters = [] }) =>
  letters.map(({ pattern, rank, alone, check = anything }) => ({
    pattern,
    tag: tagId(tag),
    rank,
    alone,
    check,
  })),
);

/** Lengths that any identifier has, one bit each. */
export let SHAPED = 0;
/** Identifiers that are one word, by shape. */
export const shapes = new Map<number, Shape[]>();
for (const form of letterForms) {
  if (!IS_WORD.test(form.pattern)) continue;
  SHAPED |= 1 << form.pattern.length;
  for (const key of shapeKeys(form.pattern)) shapes.set(key, [...(shapes.get(key) ?? []), form]);
}

/** Whether a value of this form counts where it stands. */
export function counts(pass: Pass, form: Shape, isUpper: boolean, from: number, to: number): boolean {
  if (form.alone === 'always' || (form.alone === 'upper' && isUpper)) return true;
  return (pass.strict && form.alone !== 'named') || pass.around(form.tag, from, to);
}
