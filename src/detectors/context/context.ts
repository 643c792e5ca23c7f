import { CLASS, IDEOGRAPH, LOWER, UNDERSCORE, UPPER, WORD } from '../text/bytes.ts';
import type { Text } from '../text/text.ts';
import { HASH_SEED, hashPair, hashStep } from './hash.ts';
import { CONTEXTS, NEGATIVE, NUMBERED, type WordEntry, wordTable } from './table.ts';

/** How far, in characters, a word before a value still speaks for it; and how far one after it. */
export const REACH = 56;
const AFTER = 28;
/** How near the word that labels a value directly stands before it. */
const LABEL = 20;
const MAX_WORD = 24;
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
  /** Position of the last word that names a kind of value. */
  #last = NEVER;
  #dirty = false;
  #read = 0;
  #previous = 0;
  /** Contexts of the words after `#afterAt`, found when first asked for. */
  readonly #after = new Uint8Array(CONTEXTS);
  #afterAt = -1;
  #afterAny = false;

  constructor(text: Text) {
    this.#text = text;
  }

  /** Begins a new text whose JSON key gives these contexts. */
  begin(keys: readonly number[]): void {
    if (this.#dirty) this.#seen.fill(NEVER);
    this.#dirty = keys.length > 0;
    this.#last = NEVER;
    for (let k = 0; k < keys.length; k++) {
      const context = keys[k] as number;
      this.#seen[context] = EVERYWHERE;
      if (context < NEGATIVE) this.#last = EVERYWHERE;
    }
    this.#read = this.#text.start;
    this.#previous = 0;
    this.#afterAt = -1;
  }

  /** Whether any word that names a kind of value stands before it, or its key does. */
  any(at: number): boolean {
    if (this.#read < at) this.#readTo(at);
    return at - this.#last <= REACH;
  }

  /** Distance in characters from the nearest word of this context before `at`; negative for the key, huge if none. */
  distance(context: number, at: number): number {
    if (this.#read < at) this.#readTo(at);
    return at - (this.#seen[context] as number);
  }

  near(context: number, at: number): boolean {
    return this.distance(context, at) <= REACH;
  }

  /** Whether the key, or a word directly before the value, is of this context. */
  labels(context: number, at: number): boolean {
    if (at === this.#text.start) return (this.#seen[context] as number) === EVERYWHERE;
    return this.distance(context, at) <= LABEL;
  }

  /** Whether a word of this context stands shortly after `at`, in the same line. */
  follows(context: number, at: number): boolean {
    if (this.#afterAt !== at) this.#readAfter(at);
    return this.#after[context] === 1;
  }

  /** Whether any word that gives a context stands shortly after `at`. */
  anyAfter(at: number): boolean {
    if (this.#afterAt !== at) this.#readAfter(at);
    return this.#afterAny;
  }

  #readAfter(at: number): void {
    if (this.#afterAny) this.#after.fill(0);
    this.#afterAny = false;
    this.#afterAt = at;
    const b = this.#text.bytes;
    const stop = Math.min(at + AFTER, this.#text.end);
    let previous = 0;
    for (let i = at; i < stop && b[i] !== 10; i++) {
      if (b[i] === 34 && b[i - 1] === 44) return; // the next member of an object
      if (!isLetter(b[i] as number)) continue;
      let h = HASH_SEED;
      const limit = i + MAX_WORD;
      for (; i < limit && isLetter(b[i] as number); i++) h = hashStep(h, b[i] as number);
      const entry = wordTable.get(h);
      this.#markAfter(entry);
      if (previous !== 0) this.#markAfter(wordTable.get(hashPair(previous, h)));
      previous = entry.opensPair ? h : 0;
    }
  }

  #markAfter({ contexts }: WordEntry): void {
    for (let k = 0; k < contexts.length; k++) this.#after[contexts[k] as number] = 1;
    if (contexts.length > 0) this.#afterAny = true;
  }

  #readTo(at: number): void {
    const b = this.#text.bytes;
    let i = this.#read;
    if (at - i > 2 * REACH) {
      i = at - REACH - MAX_WORD;
      this.#previous = 0;
      while (i < at && isLetter(b[i] as number)) i++;
    }
    while (i < at) {
      if (!isLetter(b[i] as number)) {
        i++;
        continue;
      }
      const start = i;
      let h = HASH_SEED;
      let lower = 0;
      for (; i < at && isLetter(b[i] as number); i++) {
        const cls = CLASS[b[i] as number] as number;
        if (lower !== 0 && (cls & UPPER) !== 0) break; // accountNumber is two words
        lower = cls & LOWER;
        h = hashStep(h, b[i] as number);
      }
      if (i - start <= MAX_WORD && !(i - start < 4 && isInside(b, start, i))) this.#word(h, i);
    }
    this.#read = at;
  }

  #word(hash: number, at: number): void {
    const entry = wordTable.get(hash);
    if (entry.contexts.length > 0) this.#mark(entry, at);
    if (this.#previous !== 0) this.#mark(wordTable.get(hashPair(this.#previous, hash)), at);
    this.#previous = entry.opensPair ? hash : 0;
  }

  #mark({ contexts }: WordEntry, at: number): void {
    for (let k = 0; k < contexts.length; k++) {
      const context = contexts[k] as number;
      this.#dirty = true;
      if ((this.#seen[context] as number) < at) this.#seen[context] = at;
      if (this.#last < at && (context < NEGATIVE || context === NUMBERED)) this.#last = at;
    }
  }
}

/** Whether letters are part of something longer that is no word: short words appear in base64 and codes by chance. */
function isInside(b: Uint8Array, from: number, to: number): boolean {
  return (
    (b[from] as number) < 0x80 && (ENCODED[b[from - 1] as number] === 1 || ENCODED[b[to] as number] === 1)
  );
}

const ENCODED = new Uint8Array(256);
for (const c of '+/0123456789') ENCODED[c.charCodeAt(0)] = 1;

const LETTERS = new Uint8Array(256);
for (let c = 0; c < 256; c++) {
  LETTERS[c] = (CLASS[c] as number) & (WORD | IDEOGRAPH) & ~UNDERSCORE && !(c >= 48 && c <= 57) ? 1 : 0;
}

function isLetter(byte: number): boolean {
  return LETTERS[byte] === 1;
}
