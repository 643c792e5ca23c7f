import { noEnv } from './command.ts';
import {
  AMPERSAND,
  APOSTROPHE,
  BACKSLASH,
  BANG,
  BRACE,
  BRACKET,
  CLOSE_PAREN,
  EQUALS,
  GREATER,
  HYPHEN,
  isEnd,
  isNameCode,
  LESS,
  NEWLINE,
  PAREN,
  PIPE,
  QUOTE,
  SPACE,
  TAB,
} from './cursor.ts';
import { WordReader } from './read-words.ts';
import { addRedirect, addWord, newWritten, nowhere, UNREADABLE, type Written } from './reading.ts';
import { BRACED, QUOTED, UNSAFE, unbraced, unmarked } from './word.ts';

interface Heredoc {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  readonly command: Written;
}

const isDescriptor = (word: string): boolean => /^\d*-?$/.test(word);

/** Redirects and here documents. */
abstract class RedirectReader extends WordReader {
  /** Here-documents whose texts begin after the end of this line. */
  protected heredocs: Heredoc[] = [];

  /** Runs the substitutions of a text between double quotes. Returns whether what it becomes is unknown. */
  protected abstract expandsIn(body: string): boolean;

  protected skipNewlines(): void {
    for (;;) {
      this.skipBlanks();
      if (this.code() !== NEWLINE) return;
      this.at += 1;
      this.readHeredocs();
    }
  }

  protected mayRedirect(): boolean {
    const code = this.code();
    return (
      code === LESS || code === GREATER || code === AMPERSAND || code === BRACE || (code > 47 && code < 58)
    );
  }

  /** A redirect at this place. */
  protected redirect(command: Written): boolean {
    const text = this.text;
    let at = this.at;
    let code = text.charCodeAt(at);
    while (code > 47 && code < 58) code = text.charCodeAt(++at);
    if (code === BRACE && at === this.at) {
      const close = text.indexOf('}', at);
      const next = close < 0 ? -1 : text.charCodeAt(close + 1);
      if (next !== LESS && next !== GREATER) return false;
      for (let name = at + 1; name < close; name += 1)
        if (!isNameCode(text.charCodeAt(name), name === at + 1)) return false;
      at = close + 1;
      code = next;
    }
    if (code === AMPERSAND && at === this.at && text.charCodeAt(at + 1) === GREATER) {
      this.at = at + 2;
      const append = this.code() === GREATER;
      if (append) this.at += 1;
      this.writes(command, append);
      return true;
    }
    if (code !== LESS && code !== GREATER) return false;
    const next = text.charCodeAt(at + 1);
    if (next === PAREN) return false;
    this.at = at + 1;
    if (code === GREATER) {
      if (next === GREATER) {
        this.at += 1;
        this.writes(command, true);
      } else if (next === PIPE || next === BANG) {
        this.at += 1;
        this.writes(command, false);
      } else if (next === AMPERSAND) {
        this.at += 1;
        this.duplicates(command, false);
      } else this.writes(command, false);
      return true;
    }
    if (next === LESS) {
      this.at += 1;
      if (this.code() === LESS) {
        this.at += 1;
        this.target();
        command.input = `${unmarked(this.word)}\n`;
        command.hasInput = true;
        if (this.bits & UNSAFE) command.input = null;
      } else this.heredoc(command);
    } else if (next === AMPERSAND) {
      this.at += 1;
      this.duplicates(command, true);
    } else if (next === GREATER) {
      this.at += 1;
      this.target();
      const file = unmarked(this.word);
      addRedirect(command, { to: file, from: file, append: true });
    } else {
      this.target();
      addRedirect(command, { to: '', from: unmarked(this.word), append: false });
      command.input = null;
      command.hasInput = true;
    }
    return true;
  }

  /** The word after a redirect. */
  protected target(): void {
    this.skipBlanks();
    if (!this.readWord()) throw UNREADABLE;
  }

  protected writes(command: Written, append: boolean): void {
    this.target();
    addRedirect(command, { to: unmarked(this.word), from: '', append });
  }

  /** `>&1`, `<&-`, `>&file` */
  protected duplicates(command: Written, reads: boolean): void {
    this.target();
    if (reads || isDescriptor(this.word)) return;
    addRedirect(command, { to: unmarked(this.word), from: '', append: false });
  }

  protected heredoc(command: Written): void {
    const stripsTabs = this.code() === HYPHEN;
    if (stripsTabs) this.at += 1;
    this.skipBlanks();
    const start = this.at;
    const isQuoted = this.delimiter();
    if (this.at === start) throw UNREADABLE;
    command.hasInput = true;
    command.input = '';
    this.heredocs.push({ delimiter: this.word, isQuoted, stripsTabs, command });
  }

  /** Reads the delimiter of a here document, in which nothing is expanded. Returns whether any of it is quoted. */
  protected delimiter(): boolean {
    const text = this.text;
    let isQuoted = false;
    let delimiter = '';
    for (;;) {
      const code = this.code();
      if (code < 0 || isEnd(code)) break;
      if (code === APOSTROPHE || code === QUOTE) {
        const close = text.indexOf(code === QUOTE ? '"' : "'", this.at + 1);
        if (close < 0) throw UNREADABLE;
        delimiter += text.slice(this.at + 1, close);
        this.at = close + 1;
        isQuoted = true;
      } else if (code === BACKSLASH && this.at + 1 < text.length) {
        delimiter += text[this.at + 1];
        this.at += 2;
        isQuoted = true;
      } else {
        delimiter += text[this.at];
        this.at += 1;
      }
    }
    this.word = delimiter;
    return isQuoted;
  }

  /** The here documents whose line has ended: their texts are the lines from here on. */
  protected readHeredocs(): void {
    const text = this.text;
    while (this.heredocs.length > 0) {
      const { delimiter, isQuoted, stripsTabs, command } = this.heredocs.shift() as Heredoc;
      let body = '';
      let isEnded = false;
      while (this.at < text.length && !isEnded) {
        const end = text.indexOf('\n', this.at);
        const raw = text.slice(this.at, end < 0 ? text.length : end);
        const line = stripsTabs ? raw.replace(/^\t+/, '') : raw;
        this.at = end < 0 ? text.length : end + 1;
        isEnded = line === delimiter;
        if (!isEnded) body += `${line}\n`;
      }
      command.input = !isQuoted && this.expandsIn(body) ? null : body;
    }
  }
}

const MOST_BRACES = 512;

/** Builtins whose arguments may be assignments of lists. */
const declaring: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

/** Simple commands: assignments, words and redirects in any order. */
export abstract class SimpleReader extends RedirectReader {
  protected abstract readonly isSubstituted: boolean;
  /** The input of the current stage of a pipeline, as ranges of the commands before it. */
  protected pipedFrom: readonly number[] = nowhere;
  protected printed: Written | null = null;
  /** The last simple command, for the text that `echo … |` gives. */
  protected last: Written | null = null;

  /** The body of a function whose name was read. */
  protected abstract body(): void;

  protected newCommand(): Written {
    return newWritten(this.pipedFrom, this.printed, this.isSubstituted);
  }

  protected simple(): void {
    const command = this.newCommand();
    const { words } = command;
    const { found } = this.reading;
    const mark = found.length;
    let isEmpty = true;
    for (;;) {
      this.skipBlanks();
      if (this.mayRedirect() && this.redirect(command)) {
        isEmpty = false;
        continue;
      }
      const start = this.at;
      if (!this.readWord()) break;
      isEmpty = false;
      if (words.length === 0) {
        if (this.assignment(command, start)) continue;
        if (this.code() === PAREN || this.isBeforeParen()) {
          if (command.redirects.length > 0 || command.env !== noEnv) throw UNREADABLE;
          this.skipBlanks();
          this.emptyParens();
          this.body();
          return;
        }
      } else if (this.code() === PAREN && this.word.endsWith('=') && declaring.has(words[0] as string)) {
        this.listOfWords();
      }
      if ((this.bits & BRACED) === 0) {
        addWord(command, this.word, this.bits);
      } else this.addBraced(command);
    }
    if (isEmpty) throw UNREADABLE;
    if (found.length > mark) command.substitutes = [mark, found.length];
    this.last = command;
    if (words.length > 0 || command.redirects.length > 0 || command.env !== noEnv) found.push(command);
  }

  protected isBeforeParen(): boolean {
    const code = this.code();
    if (code !== SPACE && code !== TAB) return false;
    const { text } = this;
    let at = this.at + 1;
    let next = text.charCodeAt(at);
    while (next === SPACE || next === TAB) next = text.charCodeAt(++at);
    return next === PAREN;
  }

  protected emptyParens(): void {
    this.at += 1;
    this.skipBlanks();
    if (this.code() !== CLOSE_PAREN) throw UNREADABLE;
    this.at += 1;
  }

  protected addBraced(command: Written): void {
    const found = unbraced(this.word, MOST_BRACES);
    this.reading.wordsLeft -= found?.length ?? MOST_BRACES;
    if (found === null || this.reading.wordsLeft < 0) throw UNREADABLE;
    for (const word of found) {
      if (word === '' && (this.bits & QUOTED) === 0) continue;
      addWord(command, word, this.bits);
    }
  }

  /** `NAME=value`, `NAME+=value`, `NAME[i]=value` and `NAME=(…)` before a command: the word that begins at `start`. */
  protected assignment(command: Written, start: number): boolean {
    const { text } = this;
    let at = start;
    while (isNameCode(text.charCodeAt(at), at === start)) at += 1;
    const end = at;
    if (end === start) return false;
    if (text.charCodeAt(at) === BRACKET) {
      const close = text.indexOf(']', at);
      if (close < 0 || close > this.at) return false;
      at = close + 1;
    }
    if (text[at] === '+') at += 1;
    if (text.charCodeAt(at) !== EQUALS || at >= this.at) return false;
    // The word says nothing about an escaped or quoted one.
    if (this.word.indexOf('=') <= 0) return false;
    const name = text.slice(start, end);
    this.assigned(name);
    const value = unmarked(this.word.slice(this.word.indexOf('=') + 1));
    if (this.code() === PAREN && at === this.at - 1) this.listOfWords();
    if (command.env === noEnv) command.env = {};
    if (name !== '__proto__') (command.env as Record<string, string>)[name] = value;
    return true;
  }

  /** `(a b c)` after `NAME=`. */
  protected listOfWords(): void {
    const [word, bits] = [this.word, this.bits];
    this.at += 1;
    for (;;) {
      this.skipNewlines();
      if (this.code() === CLOSE_PAREN) break;
      if (!this.readWord()) throw UNREADABLE;
    }
    this.at += 1;
    this.word = word;
    this.bits = bits;
  }
}
