import { CHECKSUM, type LetterCheck, type Rank } from '../kinds/kind.ts';
import { kinds, tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, ALPHA, byteAt, classAt, classOf, DIGIT, is, LOWER, UPPER, WORD } from '../text/bytes.ts';

/** The members of `LetterForms`: when an identifier is reported without a word for it nearby. */
const NEEDS = ['always', 'upper', 'strict', 'named'] as const;

/** An identifier of letters and digits. */
export interface Shape {
  tag: number;
  rank: Rank;
  alone: (typeof NEEDS)[number];
  check: LetterCheck;
}

/** Longest word that is looked up by its shape. */
export const MAX_SHAPE = 20;

const anything: LetterCheck = () => true;
const IS_WORD = /^[9AX]+$/;

/** Where the digits stand in a word of up to 20 characters, with its length, as one number. */
function shapeKey(length: number, digits: number): number {
  return (length << MAX_SHAPE) | digits;
}

/** The keys of all words that fit a pattern: each X is a digit in one and a letter in another. */
function shapeKeys(pattern: string): number[] {
  let masks = [0];
  for (let i = 0; i < pattern.length; i++) {
    if (pattern[i] === 'A') continue;
    const withDigit = masks.map((mask) => mask | (1 << i));
    masks = pattern[i] === 'X' ? [...masks, ...withDigit] : withDigit;
  }
  return masks.map((mask) => shapeKey(pattern.length, mask));
}

/** Every form with letters and the kind it is of, as it is reported. */
const letterForms: readonly (Shape & { pattern: string })[] = kinds.flatMap(({ tag, letters = [] }) =>
  letters.flatMap(({ check = anything, rank = CHECKSUM, ...forms }) =>
    NEEDS.flatMap((alone) =>
      (forms[alone]?.split('|') ?? []).map((pattern) => ({ pattern, tag: tagId(tag), rank, alone, check })),
    ),
  ),
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

/** An identifier whose parts stand with separators between them: X1234567-L, AB 12 34 56 C. */
interface JoinedForm extends Shape {
  /** For each byte the class bits it has, 0 for a separator; and that separator. */
  classes: Uint8Array;
  separators: Uint8Array;
}

const FIRST_PART = /^([9AX]+)([^9AX])(9*)/;
const LENGTHS = 32;
const MAX_LETTERS = 4;

/** Forms by the shape of their first part and the separator after it; by the letters and digits around the separator. */
const byFirstPart: Map<number, JoinedForm[]>[] = Array.from({ length: 128 }, () => new Map());
const byDigits: (JoinedForm[] | undefined)[] = new Array(128 * 32).fill(undefined);
const byLetters = new Map<number, JoinedForm[]>();
/** Whether a first part of this length may stand before the separator; whether digits of this number may stand after it. */
const JOINS = new Uint8Array(128 * LENGTHS);
const OPENS = new Uint8Array(128 * LENGTHS);

const BITS = new Map([
  ['9', DIGIT],
  ['A', ALPHA],
  ['X', ALNUM],
]);
const slot = (separator: number, length: number): number => (separator & 127) * LENGTHS + (length & 31);
const add = (map: Map<number, JoinedForm[]>, key: number, form: JoinedForm): void => {
  map.set(key, [...(map.get(key) ?? []), form]);
};

for (const { pattern, ...shape } of letterForms) {
  const [, first = '', separator = '', run = ''] = FIRST_PART.exec(pattern) ?? [];
  if (separator === '') continue;
  const form: JoinedForm = {
    ...shape,
    classes: Uint8Array.from(pattern, (kind) => BITS.get(kind) ?? 0),
    separators: Uint8Array.from(pattern, (kind) => kind.charCodeAt(0)),
  };
  const c = separator.charCodeAt(0);
  if (/^A+$/.test(first)) {
    OPENS[slot(c, run.length)] = 1;
    add(byLetters, slot(c, run.length) * 8 + first.length, form);
    continue;
  }
  JOINS[slot(c, first.length)] = 1;
  for (const key of shapeKeys(first)) add(byFirstPart[c] as Map<number, JoinedForm[]>, key, form);
  if (/^[9X]+$/.test(first))
    byDigits[slot(c, first.length)] = [...(byDigits[slot(c, first.length)] ?? []), form];
}

/** The letters and digits of a value without what stands between them. */
const packed = new Uint8Array(64);
let isUpper = false;

/** A value whose first part, with digits in these places, stands from `from` to `to`; returns where it ends, or 0. */
export function joined(pass: Pass, from: number, to: number, digits: number): number {
  const b = pass.text.bytes;
  const length = to - from;
  const separator = byteAt(b, to);
  if (length > MAX_SHAPE || JOINS[slot(separator, length)] === 0) return 0;
  const forms = byFirstPart[separator & 127]?.get(shapeKey(length, digits));
  return forms === undefined ? 0 : report(pass, forms, from);
}

/** The same for a first part of digits only. */
export function joinedDigits(pass: Pass, from: number, to: number): number {
  const length = to - from;
  const separator = byteAt(pass.text.bytes, to);
  if (length > MAX_SHAPE || JOINS[slot(separator, length)] === 0) return 0;
  const forms = byDigits[slot(separator, length)];
  return forms === undefined ? 0 : report(pass, forms, from);
}

/** A value that begins with letters before the separator before the `run` digits at `at`; returns where it ends, or 0. */
export function opened(pass: Pass, at: number, run: number): number {
  const b = pass.text.bytes;
  const separator = byteAt(b, at - 1);
  if (OPENS[slot(separator, run)] === 0 || !is(b, at - 2, UPPER)) return 0;
  let from = at - 1;
  while (at - from <= MAX_LETTERS && classAt(b, from - 1) & ALPHA) from--;
  const forms = byLetters.get(slot(separator, run) * 8 + at - 1 - from);
  return forms === undefined ? 0 : report(pass, forms, from);
}

function report(pass: Pass, forms: readonly JoinedForm[], from: number): number {
  const b = pass.text.bytes;
  if (classAt(b, from - 1) & WORD) return 0;
  let last = 0;
  for (let k = 0; k < forms.length; k++) {
    const form = forms[k] as JoinedForm;
    const to = endOf(b, form, from);
    if (to === 0 || !form.check(packed, 0) || !counts(pass, form, isUpper, from, to)) continue;
    pass.found(form.tag, form.rank, from, to);
    last = Math.max(last, to);
  }
  return last;
}

/** Where the text that fits the form ends, 0 when it does not; fills `packed`. */
function endOf(b: Uint8Array, { classes, separators }: JoinedForm, from: number): number {
  let n = 0;
  let seen = 0;
  for (let k = 0; k < classes.length; k++) {
    const c = byteAt(b, from + k);
    const bits = byteAt(classes, k);
    if (bits === 0) {
      if (c !== separators[k]) return 0;
      continue;
    }
    const cls = classOf(c);
    if ((cls & bits) === 0) return 0;
    seen |= cls;
    packed[n++] = c;
  }
  isUpper = (seen & LOWER) === 0;
  const to = from + classes.length;
  return classAt(b, to) & WORD ? 0 : to;
}
