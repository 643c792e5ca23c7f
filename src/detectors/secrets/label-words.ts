import { HASH_SEED, hashStep } from '../context/hash.ts';

const SLOTS = 1 << 15;

/** What bytes are to words: 0 parts them. */
const KIND = new Uint8Array(256);
const CAPITAL = 2;
for (const c of 'abcdefghijklmnopqrstuvwxyz0123456789') KIND[c.charCodeAt(0)] = 1;
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') KIND[c.charCodeAt(0)] = CAPITAL;

/**
 * The literals of patterns, to tell that a word begins with none of them: by hash only, so that a word may be taken for
 * one that does, never the other way round.
 */
export class LabelWords {
  readonly #marks = new Uint8Array(SLOTS);

  constructor(patterns: readonly RegExp[]) {
    for (const { source } of patterns) {
      for (const [, literal = '', isOptional] of source
        .replaceAll(/\\\w/g, ' ')
        .matchAll(/([a-z0-9]+)(\?)?/g)) {
        this.#mark(literal);
        // addresse? is address too
        if (isOptional && literal.length > 1) this.#mark(literal.slice(0, -1));
      }
    }
  }

  /**
   * Where the last of several words between `from` and `to` begins, when none before it begins with a literal; else
   * `from`. Words begin after anything but letters and digits, and where camel case does.
   */
  lastOfUnknown(b: Uint8Array, from: number, to: number): number {
    let begin = from;
    let words = 0;
    let isKnown = false;
    let hash = 0;
    let before = 0;
    for (let i = from; i < to; i++) {
      const c = b[i] as number;
      const kind = KIND[c] as number;
      if (kind !== 0) {
        if (before === 0 || (kind === CAPITAL && before !== CAPITAL)) {
          if (isKnown) return from;
          begin = i;
          words++;
          hash = HASH_SEED;
        }
        hash = hashStep(hash, c);
        if (this.#marks[hash & (SLOTS - 1)] === 1) isKnown = true;
      }
      before = kind;
    }
    return words > 1 ? begin : from;
  }

  #mark(literal: string): void {
    let hash = HASH_SEED;
    for (let i = 0; i < literal.length; i++) hash = hashStep(hash, literal.charCodeAt(i));
    this.#marks[hash & (SLOTS - 1)] = 1;
  }
}
