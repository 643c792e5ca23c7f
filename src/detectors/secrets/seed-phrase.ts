import { sha256 } from '../checks/sha256.ts';
import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { SEED_WORDS } from './seed-words.ts';

const SEED = tagId('SEED_PHRASE');
const NUMBERS = new Map(SEED_WORDS.map((word, number) => [word, number]));
/** Bits of a word. */
const BITS = 11;
/** Characters of the shortest and the longest phrase: 12 to 24 words of 3 to 8 letters. */
const MIN_PHRASE = 12 * 4 - 1;
const MAX_PHRASE = 24 * 9;

const entropy = new Uint8Array(33);
const hash = new Uint8Array(32);

/** A text that is nothing but a seed phrase; returns whether it is one. */
export function seedPhrase(pass: Pass, from: number, to: number): boolean {
  if (to - from < MIN_PHRASE || to - from > MAX_PHRASE || !pass.isOn(SEED)) return false;
  if (!isSeed(pass.slice(from, to).toLowerCase())) return false;
  pass.found(SEED, CHECKSUM, from, to);
  return true;
}

/** The seed phrase in the words that begin at `at`, with single spaces between them; returns where it ends, or 0. */
export function seedPhraseAt(pass: Pass, at: number): number {
  const stop = Math.min(at + MAX_PHRASE, pass.text.end);
  const text = pass.slice(at, stop).toLowerCase();
  const run = /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}/.exec(text)?.[0] ?? '';
  const words = run.split(' ');
  for (let n = words.length; n >= 12; n--) {
    const phrase = words.slice(0, n).join(' ');
    if (seedPhrase(pass, at, at + phrase.length)) return at + phrase.length;
  }
  return 0;
}

/** Whether the words are of the list, and the bits after the entropy are the first of its hash (BIP-39). */
function isSeed(phrase: string): boolean {
  const words = phrase.split(/[ \n]+/);
  if (words.length < 12 || words.length > 24 || words.length % 3 !== 0) return false;
  entropy.fill(0);
  let bit = 0;
  for (const word of words) {
    const number = NUMBERS.get(word);
    if (number === undefined) return false;
    for (let k = BITS - 1; k >= 0; k--, bit++)
      if ((number >> k) & 1) entropy[bit >> 3] = (entropy[bit >> 3] as number) | (128 >> (bit & 7));
  }
  const checked = words.length / 3;
  const size = (words.length * BITS - checked) / 8;
  const found = (entropy[size] as number) >> (8 - checked);
  sha256(entropy, size, hash);
  return (hash[0] as number) >> (8 - checked) === found;
}
