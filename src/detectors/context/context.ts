import { tagId } from '../kinds/taxonomy.ts';
import { Columns } from '../tables/columns.ts';
import {
  byteAt,
  classAt,
  classOf,
  DIGIT,
  entry,
  IDEOGRAPH,
  intAt,
  is,
  LETTER,
  LOWER,
  setOf,
  UPPER,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import type { Text } from '../text/text.ts';
import {
  AFTER_PHONE,
  CONTEXTS,
  HASH_SEED,
  hashPair,
  hashStep,
  MAX_WORD,
  mayBeWord,
  NEGATIVE,
  NUMBERED,
  type WordEntry,
  wordTable,
} from './words.ts';

/** How far, in characters, a word before a value still speaks for it; and how far one after it. */
export const REACH = 56;
const AFTER = 28;
/** How near the word that labels a value directly stands before it. */
const LABEL = 20;
/** Letters of the longest word that is looked for inside a run without spaces. */
const MAX_PART = 8;
/** Letters of the longest word that may stand inside of a pair. */
const MAX_FILLING = 3;
/** Kinds whose words may be parted so. */
const CODES = ['PIN', 'ONE_TIME_CODE', 'CARD_SECURITY_CODE'].map(tagId);
const LETTERS = UPPER | LOWER | LETTER | IDEOGRAPH;
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
  /** Contexts that were seen, and how many: forgetting them costs nothing where there were none. */
  readonly #marked = new Uint8Array(CONTEXTS);
  #markedCount = 0;
  #read = 0;
  #previous = 0;
  /** The same for the last word of more than three letters, while only shorter ones followed. */
  #opener = 0;
  /** The entries of the words after `#afterAt`, found when first asked for. */
  readonly #after: WordEntry[] = [];
  #afterCount = 0;
  #afterAt = -1;
  /** Whether any of them names a kind of value. */
  #namesAfter = false;
  readonly #columns: Columns;

  constructor(text: Text) {
    this.#text = text;
    this.#columns = new Columns(text);
  }

  /** Begins a new text whose JSON key gives these contexts. */
  begin(keys: readonly number[]): void {
    for (let m = 0; m < this.#markedCount; m++) this.#seen[byteAt(this.#marked, m)] = NEVER;
    this.#markedCount = 0;
    this.#last = NEVER;
    for (let k = 0; k < keys.length; k++) {
      const context = entry(keys, k);
      this.#see(context, EVERYWHERE);
      if (context < NEGATIVE) this.#last = EVERYWHERE;
    }
    this.#read = this.#text.start;
    this.#previous = this.#opener = 0;
    this.#afterAt = -1;
    this.#columns.begin();
  }

  /** Notes what the head of its column says of a cell, for tables of other forms than lines of text. */
  noteCell(from: number, to: number, contexts: readonly number[]): void {
    this.#columns.note(from, to, contexts);
  }

  /** Whether any word that names a kind of value stands before it, or its key does. */
  any(at: number): boolean {
    if (this.#read < at) this.#readTo(at);
    return at - this.#last <= REACH || this.#columns.at(at).length > 0;
  }

  /**
   * Distance in characters from the nearest word of this context before `at`; negative for the key, huge if none. The head
   * of its column stands right before a cell.
   */
  distance(context: number, at: number): number {
    if (this.#read < at) this.#readTo(at);
    const distance = at - intAt(this.#seen, context);
    return distance > 1 && this.#columns.at(at).includes(context) ? 1 : distance;
  }

  near(context: number, at: number): boolean {
    return this.distance(context, at) <= REACH;
  }

  /** Whether the key, or a word directly before the value, is of this context. */
  labels(context: number, at: number): boolean {
    if (at === this.#text.start) return intAt(this.#seen, context) === EVERYWHERE;
    return this.distance(context, at) <= LABEL;
  }

  /** Whether a word of this context stands shortly after `at`, in the same line. */
  follows(context: number, at: number): boolean {
    if (this.#afterAt !== at) this.#readAfter(at);
    for (let k = 0; k < this.#afterCount; k++)
      if ((this.#after[k] as WordEntry).contexts.includes(context)) return true;
    return false;
  }

  /** Whether any word that names a kind of value stands shortly after `at`. */
  anyAfter(at: number): boolean {
    if (this.#afterAt !== at) this.#readAfter(at);
    return this.#namesAfter;
  }

  #readAfter(at: number): void {
    this.#afterCount = 0;
    this.#namesAfter = false;
    this.#afterAt = at;
    const b = this.#text.bytes;
    const stop = Math.min(at + AFTER, this.#text.end);
    let previous = 0;
    for (let i = at; i < stop && b[i] !== Char.LINE_FEED; i++) {
      if (b[i] === Char.DOUBLE_QUOTE && b[i - 1] === Char.COMMA) return; // the next member of an object
      if (!isLetter(byteAt(b, i))) continue;
      const start = i;
      let h = HASH_SEED;
      while (i < start + MAX_WORD && isLetter(byteAt(b, i))) h = hashStep(h, byteAt(b, i++));
      if (!mayBeWord(h)) {
        previous = 0;
        continue;
      }
      const entry = wordTable.get(h);
      this.#markAfter(entry);
      if (previous !== 0) this.#markAfter(wordTable.get(hashPair(previous, h)));
      previous = entry.opensPair ? h : 0;
    }
  }

  #markAfter(entry: WordEntry): void {
    if (entry.contexts.length === 0) return;
    this.#after[this.#afterCount++] = entry;
    if (!this.#namesAfter)
      this.#namesAfter = entry.contexts.some(isKind) || entry.contexts.includes(AFTER_PHONE);
  }

  #readTo(at: number): void {
    const b = this.#text.bytes;
    let i = this.#read;
    if (at - i > 2 * REACH) {
      i = at - REACH - MAX_WORD;
      this.#previous = this.#opener = 0;
      while (i < at && isLetter(byteAt(b, i))) i++;
    }
    while (i < at) {
      const start = i;
      let cls = classAt(b, i++);
      if ((cls & LETTERS) === 0) {
        if (b[start] === 0) this.#forget(); // the gap between two parts of a view
        continue;
      }
      const isIdeograph = (cls & IDEOGRAPH) !== 0;
      let hash = hashStep(HASH_SEED, byteAt(b, start));
      for (; i < at; i++) {
        const before = cls & LOWER;
        cls = classAt(b, i);
        // accountNumber is two words
        if ((cls & LETTERS) === 0 || (before !== 0 && (cls & UPPER) !== 0)) break;
        hash = hashStep(hash, byteAt(b, i));
      }
      const size = i - start;
      if (size > MAX_WORD || (size < 4 && isInside(b, start, i))) continue;
      const previous = this.#previous;
      this.#previous = 0;
      // words within a run of a script that does not separate them
      if (isIdeograph && size > 2) this.#parts(b, start, i);
      if (mayBeWord(hash)) this.#word(hash, size, i, previous);
      // "the code of the door": words of two or three letters part no pair
      else if (size > MAX_FILLING) this.#opener = 0;
    }
    this.#read = at;
  }

  /** Notes what a word of so many letters that ends at `to` says, alone and behind the one right before it and the opener. */
  #word(hash: number, size: number, to: number, previous: number): void {
    const opener = this.#opener;
    if (size > MAX_FILLING) this.#opener = 0;
    const entry = wordTable.get(hash);
    if (entry.contexts.length > 0) this.#mark(entry, to);
    if (previous !== 0) this.#mark(wordTable.get(hashPair(previous, hash)), to);
    if (opener !== 0 && opener !== previous && size > MAX_FILLING)
      this.#markCode(wordTable.get(hashPair(opener, hash)), to);
    if (!entry.opensPair) return;
    this.#previous = hash;
    if (size > MAX_FILLING) this.#opener = hash;
  }

  /** Notes a pair that other words part, when it names a code. */
  #markCode(entry: WordEntry, at: number): void {
    if (entry.contexts.some((context) => CODES.includes(context))) this.#mark(entry, at);
  }

  /** Words within a run of a script that does not separate them: 生年月日は. */
  #parts(b: Uint8Array, from: number, to: number): void {
    for (let start = from; start < to - 1; start++) {
      let hash = hashStep(HASH_SEED, byteAt(b, start));
      for (let end = start + 1; end < to && end < start + MAX_PART; ) {
        hash = hashStep(hash, byteAt(b, end++));
        if (mayBeWord(hash)) this.#mark(wordTable.get(hash), end);
      }
    }
  }

  /** Forgets the words that were read, not what the key says. */
  #forget(): void {
    this.#previous = this.#opener = 0;
    if (this.#last !== EVERYWHERE) this.#last = NEVER;
    let kept = 0;
    for (let m = 0; m < this.#markedCount; m++) {
      const context = byteAt(this.#marked, m);
      if (this.#seen[context] === EVERYWHERE) this.#marked[kept++] = context;
      else this.#seen[context] = NEVER;
    }
    this.#markedCount = kept;
  }

  #see(context: number, at: number): void {
    if (this.#seen[context] === NEVER) this.#marked[this.#markedCount++] = context;
    this.#seen[context] = at;
  }

  #mark({ contexts }: WordEntry, at: number): void {
    for (let k = 0; k < contexts.length; k++) {
      const context = entry(contexts, k);
      if (intAt(this.#seen, context) < at) this.#see(context, at);
      if (this.#last < at && isKind(context)) this.#last = at;
    }
  }
}

/** Whether a context tells of a kind of value, not what it is not. */
function isKind(context: number): boolean {
  return context < NEGATIVE || context === NUMBERED;
}

/** Whether letters are part of something longer that is no word: short words appear in base64 and codes by chance. */
function isInside(b: Uint8Array, from: number, to: number): boolean {
  if (byteAt(b, from) >= 0x80) return false;
  if (ENCODED[byteAt(b, from - 1)] === 1) return true;
  // one digit ends a word: CVC2, tel1
  return (
    ENCODED[byteAt(b, to)] === 1 &&
    !(is(b, to, DIGIT) && (byteAt(b, to + 1) <= Char.BLANK || b[to + 1] === Char.COLON_SIGN))
  );
}

const ENCODED = setOf('+/0123456789');

function isLetter(byte: number): boolean {
  return (classOf(byte) & LETTERS) !== 0;
}
