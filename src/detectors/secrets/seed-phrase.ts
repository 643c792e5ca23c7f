import { sha256 } from '../checks/sha256.ts';
import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALPHA } from '../text/bytes.ts';
import { byteAt, entry, is } from '../text/read.ts';
import { SEED_WORDS } from './seed-words.ts';

const SEED = tagId('SEED_PHRASE');
const NUMBERS = new Map(SEED_WORDS.map((word, number) => [word, number]));
/** Bits of a word. */
const BITS = 11;
/** Characters of the shortest and the longest phrase: 12 to 24 words of 3 to 8 letters. */
const MIN_WORDS = 12;
const MAX_WORDS = 24;
/** Letters of the longest word. */
const MAX_WORD = 8;
const MIN_PHRASE = MIN_WORDS * 4 - 1;
const MAX_PHRASE = MAX_WORDS * 9;
/** The same with numbers, dots and line breaks between the words. */
const MAX_LISTED = MAX_WORDS * 15;

const entropy = new Uint8Array(33);
const hash = new Uint8Array(32);

/** A text that is nothing but a seed phrase; returns whether it is one. */
export function seedPhrase(pass: Pass, from: number, to: number): boolean {
  if (to - from < MIN_PHRASE || to - from > MAX_PHRASE || !pass.isOn(SEED)) return false;
  if (!opensSeed(pass, from)) return false;
  const words = pass
    .slice(from, to)
    .toLowerCase()
    .split(/[ \n]+/);
  if (!isSeed(words)) return false;
  pass.found(SEED, CHECKSUM, from, to);
  return true;
}

/** Whether the first word is of the list: most sentences begin with another. */
function opensSeed(pass: Pass, from: number): boolean {
  const b = pass.text.bytes;
  let to = from;
  while (to - from <= MAX_WORD && is(b, to, ALPHA)) to++;
  return to - from <= MAX_WORD && NUMBERS.has(pass.slice(from, to).toLowerCase());
}

/** The words of a seed phrase, one by one, as the elements of the array that is read. */
export function seedArray(pass: Pass, values: readonly unknown[]): void {
  const { length } = values;
  if (length < MIN_WORDS || length > MAX_WORDS || length % 3 !== 0 || !pass.isOn(SEED)) return;
  const words: string[] = [];
  for (const value of values) {
    if (typeof value !== 'string' || !/^[a-z]{3,8}$/i.test(value)) return;
    words.push(value.toLowerCase());
  }
  if (isSeed(words)) pass.setting.hits.add(SEED, CHECKSUM, pass.leaf, 0, length);
}

/** What may stand between the words after a label: spaces, commas, line breaks and the numbers of a list. */
const NEXT_WORD = /[\s,;]{0,3}(?:\d{1,2}[.):]?\s{0,2})?([a-z]{3,8})(?![a-z])/y;

/** The seed phrase in the words that begin at `at`; returns where it ends, or 0. */
export function seedPhraseAt(pass: Pass, at: number): number {
  if (!pass.isOn(SEED)) return 0;
  const text = pass.slice(at, Math.min(at + MAX_LISTED, pass.text.end)).toLowerCase();
  const words: string[] = [];
  const ends: number[] = [];
  NEXT_WORD.lastIndex = 0;
  for (let found = NEXT_WORD.exec(text); found !== null; found = NEXT_WORD.exec(text)) {
    words.push(found[1] as string);
    ends.push(NEXT_WORD.lastIndex);
    if (words.length === MAX_WORDS) break;
  }
  for (let n = words.length - (words.length % 3); n >= MIN_WORDS; n -= 3) {
    if (!isSeed(words.slice(0, n))) continue;
    const end = at + entry(ends, n - 1);
    pass.found(SEED, CHECKSUM, at + entry(ends, 0) - (words[0] as string).length, end);
    return end;
  }
  return 0;
}

/** Whether the words are of the list, and the bits after the entropy are the first of its hash (BIP-39). */
function isSeed(words: readonly string[]): boolean {
  if (words.length < MIN_WORDS || words.length > MAX_WORDS || words.length % 3 !== 0) return false;
  entropy.fill(0);
  let bit = 0;
  for (const word of words) {
    const number = NUMBERS.get(word);
    if (number === undefined) return false;
    for (let k = BITS - 1; k >= 0; k--, bit++)
      if ((number >> k) & 1) entropy[bit >> 3] = byteAt(entropy, bit >> 3) | (128 >> (bit & 7));
  }
  const checked = words.length / 3;
  const size = (words.length * BITS - checked) / 8;
  const found = byteAt(entropy, size) >> (8 - checked);
  sha256(entropy, size, hash);
  return byteAt(hash, 0) >> (8 - checked) === found;
}
