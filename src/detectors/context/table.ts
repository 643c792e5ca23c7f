import { tagId, taxonomy } from '../taxonomy.ts';
import { hashPair, hashWord } from './hash.ts';
import { NEGATIVE_WORDS, NUMBER_WORDS, VERSION_WORDS, WORDS } from './words.ts';

/** Contexts beyond one for each tag. */
export const NEGATIVE = taxonomy.length;
export const VERSIONED = NEGATIVE + 1;
export const NUMBERED = NEGATIVE + 2;
export const CONTEXTS = NEGATIVE + 3;

const EMPTY: readonly number[] = [];
const SLOTS = 2048;

/** Open-addressed table from the hash of a word or pair to the contexts it gives. */
class WordTable {
  readonly #hashes = new Int32Array(SLOTS);
  readonly #contexts: (readonly number[])[] = new Array(SLOTS).fill(EMPTY);

  put(hash: number, context: number): void {
    const at = this.#slot(hash);
    this.#hashes[at] = hash;
    this.#contexts[at] = [...(this.#contexts[at] ?? EMPTY), context];
  }

  get(hash: number): readonly number[] {
    return this.#contexts[this.#slot(hash)] as readonly number[];
  }

  #slot(hash: number): number {
    let at = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    while (this.#hashes[at] !== 0 && this.#hashes[at] !== hash) at = (at + 1) & (SLOTS - 1);
    return at;
  }
}

export const wordTable = new WordTable();

function putAll(words: string, context: number): void {
  for (const entry of new Set(words.split(' '))) {
    const [first = '', ...rest] = entry.split('_');
    let hash = hashWord(first);
    for (const next of rest) hash = hashPair(hash, hashWord(next));
    wordTable.put(hash, context);
  }
}

for (const [tag, words] of Object.entries(WORDS)) putAll(words, tagId(tag));
putAll(NEGATIVE_WORDS, NEGATIVE);
putAll(VERSION_WORDS, VERSIONED);
putAll(NUMBER_WORDS, NUMBERED);
