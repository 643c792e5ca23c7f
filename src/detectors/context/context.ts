import { CLASS, IDEOGRAPH, LOWER, UNDERSCORE, UPPER, WORD } from '../text/bytes.ts';
import type { Text } from '../text/text.ts';
import { HASH_SEED, hashPair, hashStep } from './hash.ts';
import { CONTEXTS, wordTable } from './table.ts';

/** How far, in characters, a word before a value still speaks for it. */
export const REACH = 56;
const AFTER = 28;
const NEVER = -1_000_000;
/** Position of words of the JSON key: near every value of the leaf. */
const EVERYWHERE = 1_000_000_000;

/**
 * The words around a value. Words are read only when a value asks, each at most once, so that a text without
 * candidates costs nothing and one with many stays linear.
 */
export class Context {
  readonly #text: Text;
  readonly #seen = new Int32Array(CONTEXTS).fill(NEVER);
  #dirty = false;
  #read = 0;
  #previous = 0;

  constructor(text: Text) {
    this.#text = text;
  }

  /** Begins a new text whose JSON key gives these contexts. */
  begin(keys: readonly number[]): void {
    if (this.#dirty) this.#seen.fill(NEVER);
    this.#dirty = keys.length > 0;
    for (let k = 0; k < keys.length; k++) this.#seen[keys[k] as number] = EVERYWHERE;
    this.#read = this.#text.start;
    this.#previous = 0;
  }

  /** Distance in characters from the nearest word of this context before `at`; negative for the key, huge if none. */
  distance(context: number, at: number): number {
    if (this.#read < at) this.#readTo(at);
    return at - (this.#seen[context] as number);
  }

  near(context: number, at: number): boolean {
    return this.distance(context, at) <= REACH;
  }

  /** Whether a word of this context stands shortly after `at`, in the same line. */
  follows(context: number, at: number): boolean {
    const b = this.#text.bytes;
    const stop = Math.min(at + AFTER, this.#text.end);
    let previous = 0;
    for (let i = at; i < stop && b[i] !== 10; i++) {
      if (!isLetter(b[i] as number)) continue;
      let h = HASH_SEED;
      for (; i < this.#text.end && isLetter(b[i] as number) && i < at + 64; i++)
        h = hashStep(h, b[i] as number);
      if (wordTable.get(h).includes(context)) return true;
      if (previous !== 0 && wordTable.get(hashPair(previous, h)).includes(context)) return true;
      previous = h;
    }
    return false;
  }

  #readTo(at: number): void {
    this.#dirty = true;
    const b = this.#text.bytes;
    let i = this.#read;
    if (at - i > 2 * REACH) {
      i = at - REACH - 24;
      this.#previous = 0;
      while (i < at && (CLASS[b[i] as number] as number) & (WORD | IDEOGRAPH)) i++;
    }
    while (i < at) {
      if (!isLetter(b[i] as number)) {
        i++;
        continue;
      }
      const start = i;
      let h = HASH_SEED;
      let lower = false;
      for (; i < at && isLetter(b[i] as number); i++) {
        // accountNumber is two words
        const upper = (CLASS[b[i] as number] as number) & UPPER;
        if (upper && lower) break;
        lower = ((CLASS[b[i] as number] as number) & LOWER) !== 0;
        h = hashStep(h, b[i] as number);
      }
      if (i - start <= 24) this.#word(h, i);
    }
    this.#read = at;
  }

  #word(hash: number, at: number): void {
    this.#mark(wordTable.get(hash), at);
    if (this.#previous !== 0) this.#mark(wordTable.get(hashPair(this.#previous, hash)), at);
    this.#previous = hash;
  }

  #mark(contexts: readonly number[], at: number): void {
    for (let k = 0; k < contexts.length; k++) {
      const context = contexts[k] as number;
      if ((this.#seen[context] as number) < at) this.#seen[context] = at;
    }
  }
}

const LETTERS = new Uint8Array(256);
for (let c = 0; c < 256; c++) {
  LETTERS[c] = (CLASS[c] as number) & (WORD | IDEOGRAPH) & ~UNDERSCORE && !(c >= 48 && c <= 57) ? 1 : 0;
}

function isLetter(byte: number): boolean {
  return LETTERS[byte] === 1;
}
