import { HASH_SEED, hashStep } from '../context/hash.ts';
import { byteAt } from '../text/read.ts';

const SLOTS = 1 << 18;

/** What bytes are to words: 0 parts them. */
const KIND = new Uint8Array(256);
const CAPITAL = 2;
const LOWER_A = 97;
const LOWER_P = 112;
/** Stands for a label none of whose words any pattern has. */
export const NONE = -1;
for (const c of 'abcdefghijklmnopqrstuvwxyz0123456789') KIND[c.charCodeAt(0)] = 1;
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') KIND[c.charCodeAt(0)] = CAPITAL;

/**
 * A literal at which a word may begin, and whether its last letter may be left out: not what goes on after a class, a
 * group or such a letter (`licen[sc]e`, `(?:key|token)s?`, `addresse?s?`).
 */
const OPENING = /(?<![[\])a-z0-9]|[a-z0-9]\?)([a-z0-9]+)(\?)?/g;

/**
 * The literals of patterns, to tell that a word begins with none of them: by hash only, so that a word may be taken for
 * one that does, never the other way round.
 */
export class LabelWords {
  /** A bit for each slot. */
  readonly #marks = new Uint8Array(SLOTS >> 3);

  constructor(patterns: readonly RegExp[]) {
    for (const { source } of patterns) {
      for (const [, literal = '', isOptional] of source.replaceAll(/\\\w/g, ' ').matchAll(OPENING)) {
        this.#mark(literal);
        // addresse? is address too
        if (isOptional && literal.length > 1) this.#mark(literal.slice(0, -1));
      }
    }
  }

  /**
   * Where the last of several words between `from` and `to` begins, when none before it begins with a literal; `NONE` when
   * that one does not either; else `from`. Words begin after anything but letters and digits, and where camel case does.
   */
  lastOfUnknown(b: Uint8Array, from: number, to: number): number {
    let begin = from;
    let words = 0;
    let isKnown = false;
    let hash = 0;
    let before = 0;
    for (let i = from; i < to; i++) {
      const c = byteAt(b, i);
      const kind = byteAt(KIND, c);
      if (c >= 0x80) return from;
      if (kind !== 0) {
        if (before === 0 || (kind === CAPITAL && before !== CAPITAL)) {
          if (isKnown) return from;
          begin = i;
          words++;
          hash = HASH_SEED;
        }
        hash = hashStep(hash, c);
        // "password" may end a word that begins otherwise
        if (this.#isMarked(slotOf(hash)) || (c === LOWER_P && b[i + 1] === LOWER_A)) isKnown = true;
      }
      before = kind;
    }
    if (!isKnown) return NONE;
    return words > 1 ? begin : from;
  }

  /** The same for the text of a key: whether none of its words begins with a literal, so that it labels nothing. */
  isUnknown(key: string): boolean {
    let hash = HASH_SEED;
    let before = 0;
    for (let i = 0; i < key.length; i++) {
      const c = key.charCodeAt(i);
      const kind = c < 0x80 ? byteAt(KIND, c) : 0;
      if (kind !== 0) {
        if (before === 0 || (kind === CAPITAL && before !== CAPITAL)) hash = HASH_SEED;
        hash = hashStep(hash, c);
        if (this.#isMarked(slotOf(hash)) || (c === LOWER_P && key.charCodeAt(i + 1) === LOWER_A))
          return false;
      }
      before = kind;
    }
    return true;
  }

  #mark(literal: string): void {
    let hash = HASH_SEED;
    for (let i = 0; i < literal.length; i++) hash = hashStep(hash, literal.charCodeAt(i));
    const slot = slotOf(hash);
    this.#marks[slot >> 3] = byteAt(this.#marks, slot >> 3) | (1 << (slot & 7));
  }

  #isMarked(slot: number): boolean {
    return ((byteAt(this.#marks, slot >> 3) >> (slot & 7)) & 1) === 1;
  }
}

const slotOf = (hash: number): number => (hash ^ (hash >>> 14)) & (SLOTS - 1);
