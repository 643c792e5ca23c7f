import { byteAt, isQuote } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

/** A word of a command line, without quotes around all of it. */
export interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A program with its arguments, and what is given to its standard input; null for nothing that is written there. */
export interface ShellCommand {
  readonly words: Word[];
  input: Word | null;
}

/** The effect of a character on a word: it ends the command, begins a redirection, separates two words, quotes or escapes. */
const COMMAND = 1;
const REDIRECTION = 2;
const SPACE = 3;
const QUOTE = 4;
const ESCAPE = 5;
const KIND = new Uint8Array(128);
for (const [chars, kind] of [
  ['\n;|&()`', COMMAND],
  ['<>', REDIRECTION],
  [' \t\r', SPACE],
  ['"\'', QUOTE],
  ['\\', ESCAPE],
] as const)
  for (const c of chars) KIND[c.charCodeAt(0)] = kind;

function kindAt(text: string, at: number): number {
  const c = text.charCodeAt(at);
  return c < 128 ? byteAt(KIND, c) : 0;
}

const ECHOES = new Set(['echo', 'printf']);
const HERE_STRING = '<<<';

/** Reads the commands of a script: quotes, pipes, here-strings and the first line of here-documents. Each character is read once. */
export class ShellReader {
  readonly #text: string;
  readonly #commands: ShellCommand[] = [];
  #at = 0;
  #current: ShellCommand = { words: [], input: null };
  /** The first line of a here-document is the input of this command. */
  #awaitsLine: ShellCommand | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  read(): readonly ShellCommand[] {
    const text = this.#text;
    while (this.#at < text.length) {
      const kind = kindAt(text, this.#at);
      if (kind === COMMAND) this.#operator(text.charAt(this.#at));
      else if (kind === REDIRECTION) this.#redirection(text.charAt(this.#at));
      else if (kind === SPACE) this.#at++;
      else if (kind === ESCAPE && text.charCodeAt(this.#at + 1) === Char.LINE_FEED) this.#at += 2;
      else this.#current.words.push(this.#word());
    }
    this.#end();
    return this.#commands;
  }

  #operator(c: string): void {
    const before = this.#current;
    this.#end();
    this.#at++;
    if (c === '|' && this.#text[this.#at] !== '|') this.#current.input = echoed(before);
    if (c === '\n') this.#line();
  }

  #line(): void {
    const command = this.#awaitsLine;
    if (command === null) return;
    this.#awaitsLine = null;
    const end = this.#text.indexOf('\n', this.#at);
    const to = end < 0 ? this.#text.length : end;
    const line = this.#text.slice(this.#at, to).trim();
    if (line !== '' && !/\s/.test(line)) command.input = { text: line, from: this.#at, to };
  }

  #redirection(c: string): void {
    if (this.#text.startsWith(HERE_STRING, this.#at)) {
      this.#at += HERE_STRING.length;
      this.#blanks();
      this.#current.input = this.#word();
      return;
    }
    const isDocument = this.#text.startsWith('<<', this.#at);
    while (this.#text[this.#at] === c || this.#text[this.#at] === '&' || this.#text[this.#at] === '-')
      this.#at++;
    if (this.#text[this.#at] === '(') return; // <(echo v): a command of its own
    this.#blanks();
    this.#word();
    if (isDocument) this.#awaitsLine = this.#current;
  }

  #blanks(): void {
    while (this.#text[this.#at] === ' ') this.#at++;
  }

  #word(): Word {
    const text = this.#text;
    let from = this.#at;
    let quotes = 0;
    let at = from;
    for (; at < text.length; ) {
      const kind = kindAt(text, at);
      if (kind === QUOTE) {
        quotes++;
        at = quotedEnd(text, at);
      } else if (kind === ESCAPE) at += 2;
      // a carriage return is part of a word
      else if (kind === 0 || text.charCodeAt(at) === Char.CARRIAGE_RETURN) at++;
      else break;
    }
    this.#at = Math.min(at, text.length);
    let to = this.#at;
    const opening = quotes === 1 && text.startsWith("$'", from) ? 2 : 1;
    const quote = text.charCodeAt(from + opening - 1);
    if (quotes === 1 && isQuote(quote) && text.charCodeAt(to - 1) === quote && to - from > opening) {
      from += opening;
      to--;
    }
    return { text: text.slice(from, to), from, to };
  }

  #end(): void {
    if (this.#current.words.length > 0) this.#commands.push(this.#current);
    this.#current = { words: [], input: null };
  }
}

/** The output of a command that only prints its last argument; null for any other. */
export function echoed({ words }: ShellCommand): Word | null {
  const last = words.at(-1);
  return words.length > 1 && ECHOES.has(words[0]?.text ?? '') && last !== undefined ? last : null;
}

/** Behind the literal that begins at `at`; a quote that is never closed is a sign. */
function quotedEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  let i = at + 1;
  while (i < text.length && text.charCodeAt(i) !== quote)
    i += quote === Char.DOUBLE_QUOTE && text.charCodeAt(i) === Char.BACKSLASH ? 2 : 1;
  return i + 1;
}
