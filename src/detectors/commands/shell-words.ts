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

const ENDS_WORD = ' \t\n;|&<>()`';
const ENDS_COMMAND = '\n;|&()`';
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
    while (this.#at < this.#text.length) {
      const c = this.#text.charAt(this.#at);
      if (ENDS_COMMAND.includes(c)) this.#operator(c);
      else if (c === '<' || c === '>') this.#redirection(c);
      else if (c === ' ' || c === '\t' || c === '\r') this.#at++;
      else if (c === '\\' && this.#text[this.#at + 1] === '\n') this.#at += 2;
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
    let from = this.#at;
    let quotes = 0;
    while (this.#at < this.#text.length && !ENDS_WORD.includes(this.#text.charAt(this.#at))) {
      const c = this.#text.charAt(this.#at);
      if (c === '"' || c === "'") {
        quotes++;
        this.#quoted(c);
      } else this.#at += c === '\\' ? 2 : 1;
    }
    this.#at = Math.min(this.#at, this.#text.length);
    let to = this.#at;
    const opening = this.#text.startsWith("$'", from) ? 2 : 1;
    const quote = this.#text.charAt(from + opening - 1);
    if (
      quotes === 1 &&
      (quote === '"' || quote === "'") &&
      this.#text[to - 1] === quote &&
      to - from > opening
    ) {
      from += opening;
      to--;
    }
    return { text: this.#text.slice(from, to), from, to };
  }

  /** Behind the literal that begins here; a quote that is never closed is a sign. */
  #quoted(quote: string): void {
    let i = this.#at + 1;
    while (i < this.#text.length && this.#text[i] !== quote)
      i += quote === '"' && this.#text[i] === '\\' ? 2 : 1;
    this.#at = i + 1;
  }

  #end(): void {
    if (this.#current.words.length > 0) this.#commands.push(this.#current);
    this.#current = { words: [], input: null };
  }
}

/** What a command prints that only prints its last argument; null for any other. */
export function echoed({ words }: ShellCommand): Word | null {
  const last = words.at(-1);
  return words.length > 1 && ECHOES.has(words[0]?.text ?? '') && last !== undefined ? last : null;
}
