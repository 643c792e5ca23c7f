import {
  AMPERSAND,
  APOSTROPHE,
  BACKSLASH,
  BANG,
  BRACE,
  GREATER,
  HYPHEN,
  isEnd,
  isNameCode,
  LESS,
  NEWLINE,
  PAREN,
  PIPE,
  QUOTE,
} from './cursor.ts';
import { WordReader } from './read-words.ts';
import { addRedirect, UNREADABLE, type Written } from './reading.ts';
import { UNSAFE, unmarked } from './word.ts';

interface Heredoc {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  readonly command: Written;
}

const isDescriptor = (word: string): boolean => /^\d*-?$/.test(word);

/** Redirects and here documents. */
export abstract class RedirectReader extends WordReader {
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
