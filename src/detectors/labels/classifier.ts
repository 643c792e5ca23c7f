import { tagId } from '../kinds/taxonomy.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  DIGIT,
  endOf,
  IDEOGRAPH,
  intAt,
  is,
  LETTER,
  LOWER,
  LOWERED,
  startOf,
  UPPER,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { FOLD } from '../text/text.ts';
import {
  BRANDS,
  GLUED_WORDS,
  HARMLESS,
  LABELS,
  NAMING_KEYS,
  NATIVE_WORDS,
  NO_LABELS,
  STAGES,
  WHOLE_WORDS,
  type Where,
} from './label-table.ts';
import type { ValueKind } from './value-gates.ts';

/** Letters at the end of a label that are looked at. */
const SIZE = 4;
/** Letters among these that lead to a slot; a bit in the slot stands for the letter before them. */
const IN_SLOT = 3;
/** Digits and signs behind the letters of a label: address_2. */
const MAX_SUFFIX = 3;

/**
 * The last letters of all labels: most words before a colon or an equals sign end otherwise, and one look-up tells. By
 * the five low bits of each letter, so that capitals are small letters and a word may be taken for one that fits, never
 * the other way round.
 */
export class LabelEndings {
  /** For the five low bits of the last three letters, the last one lowest, a bit for each fourth one. */
  readonly #endings = new Int32Array(1 << (5 * IN_SLOT));

  constructor(words: readonly string[]) {
    // what parts the words of a label may be any sign
    const ends = words.map((word) => word.slice(word.lastIndexOf('_') + 1));
    for (const end of new Set(ends)) this.#mark(end.replace(/\d+$/, '').slice(-SIZE));
  }

  /** Whether the bytes before `to` may be the end of a label. */
  fits(b: Uint8Array, to: number): boolean {
    let end = to;
    while (to - end < MAX_SUFFIX && byteAt(b, end - 1) < 0x80 && !is(b, end - 1, ALPHA)) end--;
    const last = byteAt(b, end - 1);
    const slot = ((byteAt(b, end - 3) & 31) << 10) | ((byteAt(b, end - 2) & 31) << 5) | (last & 31);
    // other scripts have few words
    return last >= 0x80 || ((intAt(this.#endings, slot) >> (byteAt(b, end - 4) & 31)) & 1) === 1;
  }

  #mark(ending: string): void {
    const folded = [...ending].map((c) => byteAt(FOLD, c.charCodeAt(0)));
    // of a word in two scripts, the Latin end
    const letters = folded.slice(folded.findLastIndex((c) => c >= 0x80) + 1);
    if (letters.length === 0) return;
    const fourths = letters.length < SIZE ? -1 : 1 << ((letters[0] as number) & 31);
    const inSlot = letters.slice(-IN_SLOT);
    for (let before = 0; before < 1 << (5 * (IN_SLOT - inSlot.length)); before++) {
      let slot = before;
      for (const c of inSlot) slot = (slot << 5) | (c & 31);
      this.#endings[slot] = intAt(this.#endings, slot) | fourths;
    }
  }
}

/**
 * The one place that decides what a name says of its value: of a variable in text, a key of JSON, the head of a column,
 * a flag or an attribute. A name is read from its end, a word at a time; the longest words at its end that stand in
 * `label-table.ts` count. Where none do, a last word that only tells a stage or a number (`DB_PASSWORD_PROD`,
 * `API_KEY_02`) is left out, and what stands before it is read the same way.
 */
export interface Label {
  tag: number;
  kind: ValueKind;
}

/** Bytes of the longest label. */
export const MAX_LABEL = 48;
/** Words at the end of a name that may be left out: _us_east_1. */
const MAX_STAGES = 4;
/** Digits at the end of a name that may be left out: of a year at most. */
const MAX_NUMBER = 4;
/** Letters of the shortest words that may be glued to others before them. */
const MIN_GLUED = 5;
const PART = ALNUM | LETTER | IDEOGRAPH;

interface Entry {
  /** Null for a name that is no label. */
  readonly label: Label | null;
  readonly where: Where;
}

const SEED = 17;

/** A step of the hash of words, from their last letter to their first. */
function step(hash: number, byte: number): number {
  return (Math.imul(hash, 0x01000193) ^ byteAt(LOWERED, byte)) | 0;
}

function hashOf(words: string): number {
  let hash = SEED;
  for (let i = words.length - 1; i >= 0; i--) {
    const c = words.charCodeAt(i);
    if (c !== Char.LOW_LINE_SIGN && c !== Char.HYPHEN)
      hash = (Math.imul(hash, 0x01000193) ^ (FOLD[c] as number)) | 0;
  }
  return hash;
}

/** By the low bits of a hash, 1 for words that begin a word of a name, 2 for those that may be glued: tells most others without a look-up. */
const KNOWN = new Uint8Array(1 << 15);
const STARTS = 1;
const GLUES = 2;
const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (KNOWN.length - 1);

const entries = new Map<number, Entry>();
const glued = new Map<number, Entry>();
/** Words of other scripts, which may also be the first ones of a name. */
const native = new Map<number, Label>();

/** Letters of the longest words that are a label. */
let longest = 0;

function put(words: string, label: Label | null, where: Where): void {
  const hash = hashOf(words);
  longest = Math.max(longest, words.replaceAll(/[_-]/g, '').length);
  if (!entries.has(hash)) entries.set(hash, { label, where });
  KNOWN[slotOf(hash)] = byteAt(KNOWN, slotOf(hash)) | (where === 'glued' ? STARTS | GLUES : STARTS);
  if (where === 'glued' && !glued.has(hash)) glued.set(hash, { label, where });
}

for (const words of NO_LABELS) put(words, null, 'end');
for (const [tag, kind, where, words] of LABELS)
  for (const word of words.split(' ')) put(word, { tag: tagId(tag), kind }, where);
for (const [tag, kind, words] of NATIVE_WORDS) {
  for (const word of words.split(' ')) {
    const label = { tag: tagId(tag), kind };
    put(word, label, GLUED_WORDS.includes(word) ? 'glued' : 'end');
    native.set(hashOf(word), label);
  }
}

const hashes = (words: readonly string[]): ReadonlySet<number> => new Set(words.map(hashOf));
const stages = hashes(STAGES);
const harmless = hashes(HARMLESS);
const namingKeys = hashes(NAMING_KEYS.flatMap((word) => [word, `${word}s`]));
const brands = new Map(BRANDS.map(([brand, tag]) => [hashOf(brand), tagId(tag)]));
/** The general tags of secrets: the name of a vendor before such a secret replaces them by the vendor's tag. */
const BRANDED = ['API_KEY', 'GENERIC_SECRET'].map(tagId);

export function isSecretKind({ kind }: Label): boolean {
  return kind === 'password' || kind === 'secret' || kind === 'token' || kind === 'key';
}

/** The label that the name between two places is; null when the name labels nothing. */
export function classify(b: Uint8Array, from: number, to: number): Label | null {
  let end = to;
  let isStaged = false;
  for (let left = MAX_STAGES; ; left--) {
    while (end > from && !is(b, end - 1, PART)) end--;
    const entry = labelEndings.fits(b, end) ? longestEnd(b, from, end) : null;
    if (entry !== null) return isStaged && !isSecret(entry.label) ? null : judged(b, from, entry);
    const shorter = left > 0 ? numberStart(b, from, end) : end;
    if (shorter === end) {
      end = left > 0 ? stageStart(b, from, end) : from;
      isStaged = true;
    } else end = shorter;
    if (end <= from) return firstWord(b, from, to);
  }
}

function isSecret(label: Label | null): boolean {
  return label === null || isSecretKind(label);
}

/** Where the words that `longestEnd` found begin. */
let begin = 0;

/** The longest words between two places that end there and are a label; null when none are. */
function longestEnd(b: Uint8Array, from: number, to: number): Entry | null {
  let best: Entry | null = null;
  let hash = SEED;
  let left = longest;
  for (let i = to - 1; i >= from && left > 0; i--) {
    if (!is(b, i, PART)) continue;
    left--;
    hash = step(hash, byteAt(b, i));
    const known = byteAt(KNOWN, slotOf(hash));
    if (known === 0) continue;
    const isStart = startsWord(b, from, i);
    if (!isStart && ((known & GLUES) === 0 || (to - i < MIN_GLUED && !is(b, i, IDEOGRAPH)))) continue;
    const entry = (isStart ? entries : glued).get(hash);
    if (entry === undefined || !stands(b, from, i, entry.where)) continue;
    best = entry;
    begin = i;
  }
  return best;
}

/** Whether words that begin at `at` stand in the name as they must. */
function stands(b: Uint8Array, from: number, at: number, where: Where): boolean {
  if (where === 'whole') return !hasPart(b, from, at);
  if (where !== 'after') return true;
  // event.key, "the key": not words of one name
  return at > from && b[at - 1] !== Char.BLANK && b[at - 1] !== Char.FULL_STOP;
}

function hasPart(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (is(b, i, PART)) return true;
  return false;
}

/** Whether a word begins at `i`: after a sign, or with a capital that follows a small letter or precedes one. */
function startsWord(b: Uint8Array, from: number, i: number): boolean {
  if (i === from || !is(b, i - 1, PART)) return true;
  if (!is(b, i, UPPER)) return false;
  return is(b, i - 1, LOWER | DIGIT) || (is(b, i - 1, UPPER) && is(b, i + 1, LOWER));
}

/** The label of a secret, as changed by the words before it in the name; null when they say that it is none. */
function judged(b: Uint8Array, from: number, { label, where }: Entry): Label | null {
  if (label === null || !isSecretKind(label)) return label;
  let { tag } = label;
  let hash = SEED;
  let isNearest = true;
  for (let i = begin - 1; i >= from; i--) {
    if (!is(b, i, PART)) continue;
    hash = step(hash, byteAt(b, i));
    if (!startsWord(b, from, i)) continue;
    if (label.kind !== 'secret' && harmless.has(hash)) return null;
    if (where === 'after' && isNearest && (harmless.has(hash) || namingKeys.has(hash))) return null;
    const branded = brands.get(hash);
    if (branded !== undefined && BRANDED.includes(tag)) tag = branded;
    hash = SEED;
    isNearest = false;
  }
  return tag === label.tag ? label : { tag, kind: label.kind };
}

/** Where the digits begin with which a name ends, when they are few; `to` for none. */
function numberStart(b: Uint8Array, from: number, to: number): number {
  const start = startOf(b, to, DIGIT, to - from);
  return to - start <= MAX_NUMBER ? start : to;
}

/** Where the last word of a name begins, when it only tells a stage; else where the name begins. */
function stageStart(b: Uint8Array, from: number, to: number): number {
  let hash = SEED;
  for (let i = to - 1; i >= from; i--) {
    hash = step(hash, byteAt(b, i));
    if (startsWord(b, from, i)) return stages.has(hash) ? i : from;
  }
  return from;
}

/** The label of a name in another script that its first word tells. */
function firstWord(b: Uint8Array, from: number, to: number): Label | null {
  const end = endOf(b, from, PART, to - from);
  if (end === from || byteAt(b, from) < 0x80) return null;
  let hash = SEED;
  for (let i = end - 1; i >= from; i--) hash = step(hash, byteAt(b, i));
  return native.get(hash) ?? null;
}

/** The text of a key as the bytes of `Text` have it: without accents, other scripts by their own letters. */
export function foldedKey(key: string): string {
  let folded = '';
  for (let i = 0; i < key.length; i++) folded += String.fromCharCode(byteAt(FOLD, key.charCodeAt(i)));
  return folded;
}

/** Words that may stand between a label and its value: the type of a variable, or the name of the member. */
const BETWEEN = ['string', 'str', 'text', 'bytes', 'buffer', 'object', 'any', 'value'];
/** Words that are a label only as a whole key or the head of a column: many words of texts end alike. */
const wholeLabels = new Map<number, Label>();
/** For the last two letters of these, 1: tells most labels that they are none. */
const WHOLE_ENDS = new Uint8Array(1 << 10);
const wholeEnd = (before: number, last: number): number => ((before & 31) << 5) | (last & 31);
for (const [tag, kind, words] of WHOLE_WORDS)
  for (const word of words.split(' ')) {
    wholeLabels.set(hashOf(word), { tag: tagId(tag), kind });
    const letters = word.replaceAll('_', '');
    WHOLE_ENDS[wholeEnd(letters.charCodeAt(letters.length - 2), letters.charCodeAt(letters.length - 1))] = 1;
  }

/** Whether a name that is a label only as a whole may end at `to`. */
export function mayEndWhole(b: Uint8Array, to: number): boolean {
  const last = byteAt(b, to - 1);
  const before = byteAt(b, to - 2);
  // low lines count for nothing
  if (last === Char.LOW_LINE_SIGN || before === Char.LOW_LINE_SIGN) return true;
  return WHOLE_ENDS[wholeEnd(before, last)] === 1;
}

/** Letters of the shortest last word of those that are looked for in texts: shorter ones end many others, as does usage. */
const MIN_WHOLE = 4;
const isTelling = (word: string): boolean =>
  word.length - word.lastIndexOf('_') > MIN_WHOLE && !word.endsWith('usage') && word.length > MIN_WHOLE;
const MAX_WHOLE = 24;

/** The label of a whole name, for names that `classify` does not know; null when the name labels nothing. */
export function wholeLabel(b: Uint8Array, from: number, to: number): Label | null {
  if (to - from > MAX_WHOLE) return null;
  let hash = SEED;
  for (let i = to - 1; i >= from; i--) if (is(b, i, PART)) hash = step(hash, byteAt(b, i));
  return wholeLabels.get(hash) ?? null;
}

/** The last letters of all words that are labels: tells most words of texts that they are none. */
export const labelEndings = new LabelEndings([
  ...LABELS.flatMap(([, , , words]) => words.split(' ')),
  ...NATIVE_WORDS.flatMap(([, , words]) => words.split(' ')),
  ...BETWEEN,
  ...WHOLE_WORDS.flatMap(([, , words]) => words.split(' ')).filter(isTelling),
]);
