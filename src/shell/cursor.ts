import { giveUp, type Reading } from './reading.ts';
import type { WordBits } from './word.ts';

// A place in a text, and what the characters there are.

// Kinds of characters in a word.
export const ORDINARY = 0;
export const ENDS = 1;
const SPECIAL = 2;
export const kinds = new Uint8Array(128);
for (const char of ' \t\n;&|<>()') kinds[char.charCodeAt(0)] = ENDS;
for (const char of '\\\'"$`*?[{') kinds[char.charCodeAt(0)] = SPECIAL;

export const TAB = 9;
export const NEWLINE = 10;
export const SPACE = 32;
export const BANG = 33;
export const QUOTE = 34;
export const HASH = 35;
export const DOLLAR = 36;
export const AMPERSAND = 38;
export const APOSTROPHE = 39;
export const PAREN = 40;
export const CLOSE_PAREN = 41;
export const HYPHEN = 45;
export const SEMICOLON = 59;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const BACKSLASH = 92;
export const BRACKET = 91;
export const CLOSE_BRACKET = 93;
export const BACKTICK = 96;
export const BRACE = 123;
export const PIPE = 124;
export const CLOSE_BRACE = 125;

export const isNameCode = (code: number, isFirst: boolean): boolean =>
  (code > 64 && code < 91) ||
  (code > 96 && code < 123) ||
  code === 95 ||
  (!isFirst && code > 47 && code < 58);

/** Whether a word ends before this character; -1 and NaN are the end of the text. */
export const isEnd = (code: number): boolean =>
  code < 0 || (code < 128 && kinds[code] === ENDS) || Number.isNaN(code);

const DEEPEST = 48;

/**
 * A text that is read from its beginning to its end. The classes that extend it add one part of the grammar each: expansions and quotes,
 * words, redirects, simple commands, compound commands, lists.
 */
export abstract class Cursor {
  protected readonly text: string;
  protected readonly reading: Reading;
  protected at = 0;
  protected depth = 0;
  /** The last word read. */
  protected word = '';
  protected bits: WordBits = 0;

  constructor(text: string, reading: Reading) {
    this.text = text;
    this.reading = reading;
  }

  protected code(offset = 0): number {
    const at = this.at + offset;
    return at < this.text.length ? this.text.charCodeAt(at) : -1;
  }

  /** One level deeper; whoever calls it takes one off `depth` again. */
  protected enter(): void {
    this.depth += 1;
    if (this.depth > DEEPEST) giveUp(this.reading);
  }

  /** Blanks, line continuations and a comment. */
  protected skipBlanks(): void {
    const text = this.text;
    for (;;) {
      const code = this.code();
      if (code === SPACE || code === TAB) this.at += 1;
      else if (code === BACKSLASH && this.code(1) === NEWLINE) this.at += 2;
      else if (code === HASH) {
        const end = text.indexOf('\n', this.at);
        this.at = end < 0 ? text.length : end;
      } else return;
    }
  }

  protected startsProcess(): boolean {
    const code = this.code();
    return (code === LESS || code === GREATER) && this.code(1) === PAREN;
  }
}
