import { HASH_SEED, hashStep } from '../context/hash.ts';

const SLOTS = 1 << 15;

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
   * Where the last of several words of a key begins, when none before it begins with a literal; 0 for other keys. Words begin after anything but letters and digits, and where camel case does.
   */
  lastOfUnknown(key: string): number {
    let words = 0;
    let begin = 0;
    let isKnown = false;
    let wasKnown = false;
    let hash = HASH_SEED;
    let before = 0;
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i);
      const kind = kindOf(code);
      if (kind !== 0) {
        if (before === 0 || (kind === CAPITAL && before !== CAPITAL)) {
          wasKnown = isKnown;
          begin = i;
          words++;
          hash = HASH_SEED;
        }
        hash = hashStep(hash, code | 32);
        if (this.#marks[hash & (SLOTS - 1)] === 1) isKnown = true;
      }
      before = kind;
    }
    return wasKnown || words === 1 ? 0 : begin;
  }

  #mark(literal: string): void {
    let hash = HASH_SEED;
    for (let i = 0; i < literal.length; i++) hash = hashStep(hash, literal.charCodeAt(i) | 32);
    this.#marks[hash & (SLOTS - 1)] = 1;
  }
}

const CAPITAL = 2;

/** 0 for what parts words, else 1, or CAPITAL. */
function kindOf(code: number): number {
  if (code > 96) return code < 123 ? 1 : 0;
  if (code > 64) return code < 91 ? CAPITAL : 0;
  return code > 47 && code < 58 ? 1 : 0;
}
