import { ALPHA } from '../text/bytes.ts';
import { byteAt, classOf, intAt, is } from '../text/read.ts';

/** Letters at the end of a label that are looked at. */
const SIZE = 4;
/** Those that lead to a slot; a bit in it stands for the one before. */
const IN_SLOT = 3;
/** Stands for any letters before the rest: the word begins there, or the pattern allows any. */
const ANY = '?';
/** Digits and signs behind the letters of a label: address_2. */
const MAX_SUFFIX = 2;

/**
 * The last letters of all texts that patterns match: most words before a colon or an equals sign end otherwise, and one
 * look-up tells. By the five low bits of each letter, so that capitals are small letters and a word may be taken for one
 * that fits, never the other way round.
 */
export class LabelEndings {
  /** For the five low bits of the last three letters, the last one lowest, a bit for each fourth one. */
  readonly marks: Int32Array = new Int32Array(1 << (5 * IN_SLOT));
  /** The patterns, at most 32, whose texts may end so, one bit each. */
  readonly #patterns = new Int32Array(1 << (5 * IN_SLOT));

  constructor(patterns: readonly RegExp[], words: readonly string[]) {
    patterns.forEach(({ source }, k) => {
      for (const ending of new PatternEndings(source).all()) this.#mark(ending, 1 << k);
    });
    for (const word of words) this.#mark(last(word.slice(word.lastIndexOf('_') + 1)), 0);
  }

  /** The patterns that may match the text of a label, one bit each. */
  patternsOf(text: string): number {
    const end = lettersEnd(text);
    const slot = slotOf(text.charCodeAt(end - 3), text.charCodeAt(end - 2), text.charCodeAt(end - 1));
    return this.#patterns[slot] as number;
  }

  /** Whether the bytes before `to` may be the end of a label. */
  fits(b: Uint8Array, to: number): boolean {
    let end = to;
    while (to - end < MAX_SUFFIX && byteAt(b, end - 1) < 0x80 && !is(b, end - 1, ALPHA)) end--;
    const slot = slotOf(byteAt(b, end - 3), byteAt(b, end - 2), byteAt(b, end - 1));
    return this.#has(slot, byteAt(b, end - 4), byteAt(b, end - 1));
  }

  /** The same for the text of a key. */
  fitsKey(key: string): boolean {
    const end = lettersEnd(key);
    const slot = slotOf(key.charCodeAt(end - 3), key.charCodeAt(end - 2), key.charCodeAt(end - 1));
    return this.#has(slot, key.charCodeAt(end - 4), key.charCodeAt(end - 1));
  }

  #has(slot: number, fourth: number, first: number): boolean {
    // other scripts have few words
    return first >= 0x80 || ((intAt(this.marks, slot) >> (fourth & 31)) & 1) === 1;
  }

  #mark(ending: string, patterns: number): void {
    const letters = ending.replace(ANY, '');
    if (letters === '' || letters.charCodeAt(letters.length - 1) >= 0x80) return;
    const fourths = letters.length < SIZE ? -1 : 1 << (letters.charCodeAt(0) & 31);
    const inSlot = letters.slice(-IN_SLOT);
    for (let before = 0; before < 1 << (5 * (IN_SLOT - inSlot.length)); before++) {
      let slot = before;
      for (const c of inSlot) slot = (slot << 5) | (c.charCodeAt(0) & 31);
      this.marks[slot] = intAt(this.marks, slot) | fourths;
      this.#patterns[slot] = intAt(this.#patterns, slot) | patterns;
    }
  }
}

function slotOf(third: number, second: number, first: number): number {
  return ((third & 31) << 10) | ((second & 31) << 5) | (first & 31);
}

/** Where the last letter of a text ends. */
function lettersEnd(text: string): number {
  let end = text.length;
  while (end > 2 && !isLetter(text.charCodeAt(end - 1))) end--;
  return end;
}

function isLetter(c: number): boolean {
  return c < 0x80 && (classOf(c) & ALPHA) !== 0;
}

const last = (text: string): string => text.slice(-SIZE);

/**
 * The last letters of what a pattern matches. It knows the part of the syntax that the rules of labels use: literals,
 * classes, groups, alternatives, `?`, and `\w+` and `.*` for anything. A digit is no letter: anything may stand before it.
 */
class PatternEndings {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  all(): Set<string> {
    const all = new Set<string>();
    do {
      for (const ending of this.#sequence()) all.add(ending);
    } while (this.#source[this.#at++] === '|');
    return all;
  }

  #sequence(): Set<string> {
    let endings = new Set(['']);
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at))) {
      const part = this.#part();
      endings = new Set(
        [...part].flatMap((ending) => (isWhole(ending) ? [ending] : behind(endings, ending))),
      );
    }
    return endings;
  }

  #part(): Set<string> {
    const part = this.#atom();
    const quantifier = this.#source[this.#at];
    if (quantifier === '?') part.add('');
    if (quantifier === '?' || quantifier === '+' || quantifier === '*') this.#at++;
    return part;
  }

  #atom(): Set<string> {
    const c = this.#source.charAt(this.#at++);
    if (c === '(') {
      this.#at += '?:'.length;
      return this.all();
    }
    if (c === '[') {
      const end = this.#source.indexOf(']', this.#at);
      const letters = this.#source.slice(this.#at, end);
      this.#at = end + 1;
      return new Set(letters);
    }
    if (c === '\\') return new Set([this.#source[this.#at++] === 'w' ? ANY : '']);
    if (/[a-z]/.test(c)) return new Set([c]);
    if (/[_0-9]/.test(c)) return new Set([ANY, '']); // a word begins behind it, or only digits follow
    return new Set([c === '^' || c === '.' ? ANY : '']);
  }
}

/** Whether nothing that stands before it changes this ending. */
function isWhole(ending: string): boolean {
  return ending.length >= SIZE || ending.startsWith(ANY);
}

function behind(endings: ReadonlySet<string>, ending: string): string[] {
  return [...endings].map((before) => last(before + ending));
}
