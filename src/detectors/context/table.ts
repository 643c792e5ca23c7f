import { kinds } from '../kinds/index.ts';
import { tagId, taxonomy } from '../taxonomy.ts';
import { FOLD } from '../text/fold.ts';
import { byteAt } from '../text/read.ts';
import { hashPair, hashWord } from './hash.ts';
import {
  AFTER_PHONE_WORDS,
  IDENTITY_WORDS,
  NEGATIVE_WORDS,
  NUMBER_WORDS,
  UNIT_WORDS,
  VERSION_WORDS,
} from './words.ts';

/** Contexts beyond one for each tag. */
export const NEGATIVE = taxonomy.length;
export const VERSIONED = NEGATIVE + 1;
export const NUMBERED = NEGATIVE + 2;
/** Words after a telephone number, and words before a room or house number. */
export const AFTER_PHONE = NEGATIVE + 3;
export const UNIT = NEGATIVE + 4;
export const CONTEXTS = NEGATIVE + 5;

/** What one word, or one pair, says. */
export interface WordEntry {
  contexts: readonly number[];
  /** Whether a pair begins with this word. */
  opensPair: boolean;
}

const NOTHING: WordEntry = { contexts: [], opensPair: false };
const SLOTS = 8192;
/** Letters of the longest word that is looked for in a text. */
export const MAX_WORD = 32;

/** Open-addressed table from the hash of a word or pair to what it says. */
class WordTable {
  readonly #hashes = new Int32Array(SLOTS);
  readonly #entries: WordEntry[] = new Array(SLOTS).fill(NOTHING);
  /** 1 for the first two letters and the length of any word. */
  readonly #beginnings = new Uint8Array((MAX_WORD + 1) << 10);

  put(hash: number, change: (entry: WordEntry) => WordEntry): void {
    const at = this.#slot(hash);
    this.#hashes[at] = hash;
    this.#entries[at] = change(this.get(hash));
  }

  get(hash: number): WordEntry {
    return this.#entries[this.#slot(hash)] as WordEntry;
  }

  /** Makes the word one that may be found in a text, alone or in a pair. */
  admit(word: string): void {
    if (word.length <= MAX_WORD)
      this.#beginnings[beginning(word.length, FOLD[word.charCodeAt(0)] ?? 0, FOLD[word.charCodeAt(1)] ?? 0)] =
        1;
  }

  /** Whether any word is as long and begins alike: tells most words without reading them. */
  mayHave(b: Uint8Array, from: number, to: number): boolean {
    return this.mayBegin(to - from, byteAt(b, from), to - from > 1 ? byteAt(b, from + 1) : 0);
  }

  /** The same by the length of the word and its first two letters. */
  mayBegin(length: number, first: number, second: number): boolean {
    return length <= MAX_WORD && this.#beginnings[beginning(length, first, second)] === 1;
  }

  #slot(hash: number): number {
    let at = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (this.#hashes[at] !== 0 && this.#hashes[at] !== hash) at = (at + 1) & (SLOTS - 1);
    return at;
  }
}

function beginning(length: number, first: number, second: number): number {
  return (length << 10) | ((first & 31) << 5) | (second & 31);
}

export const wordTable = new WordTable();

function putAll(words: string, context: number): void {
  for (const entry of new Set(words.split(' '))) {
    const [first = '', ...rest] = entry.split('_');
    for (const word of [first, ...rest]) wordTable.admit(word);
    let hash = hashWord(first);
    for (const next of rest) {
      wordTable.put(hash, ({ contexts }) => ({ contexts, opensPair: true }));
      hash = hashPair(hash, hashWord(next));
    }
    wordTable.put(hash, (entry) => ({ ...entry, contexts: [...entry.contexts, context] }));
  }
}

for (const { tag, words, identity } of kinds) {
  if (words !== undefined) putAll(words, tagId(tag));
  if (identity) putAll(IDENTITY_WORDS, tagId(tag));
}
putAll(NEGATIVE_WORDS, NEGATIVE);
putAll(VERSION_WORDS, VERSIONED);
putAll(NUMBER_WORDS, NUMBERED);
putAll(AFTER_PHONE_WORDS, AFTER_PHONE);
putAll(UNIT_WORDS, UNIT);
