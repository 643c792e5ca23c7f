import { noEnv } from './command.ts';
import { BRACKET, CLOSE_PAREN, EQUALS, isNameCode, PAREN, SPACE, TAB } from './cursor.ts';
import { RedirectReader } from './read-redirects.ts';
import { addWord, newWritten, nowhere, UNREADABLE, type Written } from './reading.ts';
import { BRACED, QUOTED, unbraced, unmarked } from './word.ts';

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
