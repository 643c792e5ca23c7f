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

/** Identifiers that are one word, by shape. */
const shapes = new Map<number, Shape[]>();
/** A mark for each shape, by hash: one look tells most words that no identifier is like them. */
const MARKS = new Uint8Array(1 << 15);
const markOf = (key: number): number => (Math.imul(key, 0x9e3779b1) >>> 17) & (MARKS.length - 1);
for (const form of letterForms) {
  if (!IS_WORD.test(form.pattern)) continue;
  for (const key of shapeKeys(form.pattern)) {
    shapes.set(key, [...(shapes.get(key) ?? []), form]);
    MARKS[markOf(key)] = 1;
  }
}

/** Identifiers of which a word of this length, with digits in these places, may be one. */
export function shapesOf(length: number, digits: number): readonly Shape[] | undefined {
  const key = shapeKey(length, digits);
  return MARKS[markOf(key)] === 0 ? undefined : shapes.get(key);
}

/** Whether a value of this form counts where it stands. */
export function counts(pass: Pass, form: Shape, isUpper: boolean, from: number, to: number): boolean {
  if (form.alone === 'always' || (form.alone === 'upper' && isUpper)) return true;
  return (pass.strict && form.alone !== 'named') || pass.around(form.tag, from, to);
}
