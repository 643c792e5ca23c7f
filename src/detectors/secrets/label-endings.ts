import { ALPHA } from '../text/bytes.ts';
import { byteAt, classOf, is } from '../text/read.ts';

/** Letters at the end of a label that are looked at. */
const SIZE = 3;
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
  /** 1 for the five low bits of the last three letters, the last one lowest. */
  readonly marks: Uint8Array = new Uint8Array(1 << (5 * SIZE));
  /** The patterns, at most 32, whose texts may end so, one bit each. */
  readonly #patterns = new Int32Array(1 << (5 * SIZE));

  constructor(patterns: readonly RegExp[], words: readonly string[]) {
    patterns.forEach(({ source }, k) => {
      for (const ending of new PatternEndings(source).all()) this.#mark(ending, 1 << k);
    });
    for (const word of words) this.#mark(last(word), 0);
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
    return this.#has(byteAt(b, end - 3), byteAt(b, end - 2), byteAt(b, end - 1));
  }

  /** The same for the text of a key. */
  fitsKey(key: string): boolean {
    const end = lettersEnd(key);
    return this.#has(key.charCodeAt(end - 3), key.charCodeAt(end - 2), key.charCodeAt(end - 1));
  }

  #has(third: number, second: number, first: number): boolean {
    // other scripts have few words
    return first >= 0x80 || this.marks[slotOf(third, second, first)] === 1;
  }

  #mark(ending: string, patterns: number): void {
    const letters = ending.replace(ANY, '');
    if (letters === '' || letters.charCodeAt(letters.length - 1) >= 0x80) return;
    for (let before = 0; before < 1 << (5 * (SIZE - letters.length)); before++) {
      let slot = before;
      for (const c of letters) slot = (slot << 5) | (c.charCodeAt(0) & 31);
      this.marks[slot] = 1;
      this.#patterns[slot] = (this.#patterns[slot] as number) | patterns;
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
 * classes, groups, alternatives, `?`, and `\w+` and `.*` for anything. Digits are left out, as `LabelEndings` does.
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
    if (c === '_') return new Set([ANY, '']); // a word begins behind it, or only digits follow
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
