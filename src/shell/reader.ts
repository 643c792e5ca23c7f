import { noEnv, noRedirects, type Redirect } from './command.ts';
import {
  ansiText,
  BRACED,
  CLOSE,
  COMMA,
  DOT,
  familiarVariables,
  GLOB,
  OPEN,
  QUOTED,
  UNKNOWN,
  UNSAFE,
  unbraced,
  unmarked,
  type WordBits,
} from './word.ts';

/** The text is none that a shell accepts, or more than is read. */
export const UNREADABLE = new Error('not a shell command that can be read');

/** A command as it is written, before what it wraps is found. */
export interface Written {
  readonly words: string[];
  /** Bits of each word. The list may be shorter than `words`: the words after it are plain. */
  bits: readonly WordBits[];
  redirects: Redirect[] | readonly Redirect[];
  env: Record<string, string> | Readonly<Record<string, string>>;
  /** The text of `<<` or `<<<`; null when it has none, or it is not known. */
  input: string | null;
  /** Whether its standard input is redirected, so that it does not come from the pipe. */
  hasInput: boolean;
  /** Where in `Reading.found` the commands before it in the pipeline are: starts and ends in turn. */
  readonly pipedFrom: readonly number[];
  /** The only command whose output it reads, when it is one. */
  readonly printed: Written | null;
  /** The same for commands in substitutions of its words. */
  substitutes: readonly number[];
  readonly substituted: boolean;
}

/** State that the reading of a text shares with the reading of the texts inside it. */
export interface Reading {
  /** Characters that may still be read: a text in a text is read again. */
  left: number;
  /** Words that braces may still make. */
  wordsLeft: number;
  /** Whether a familiar variable was assigned, so that it may be anything. */
  isUnfamiliar: boolean;
  /** In the order in which they end. */
  found: Written[];
}

// Kinds of characters in a word.
const ORDINARY = 0;
const ENDS = 1;
const SPECIAL = 2;
const kinds = new Uint8Array(128);
for (const char of ' \t\n;&|<>()') kinds[char.charCodeAt(0)] = ENDS;
for (const char of '\\\'"$`*?[{') kinds[char.charCodeAt(0)] = SPECIAL;

const TAB = 9;
const NEWLINE = 10;
const SPACE = 32;
const BANG = 33;
const QUOTE = 34;
const HASH = 35;
const DOLLAR = 36;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const PAREN = 40;
const CLOSE_PAREN = 41;
const HYPHEN = 45;
const SEMICOLON = 59;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const BACKSLASH = 92;
const BRACKET = 91;
const CLOSE_BRACKET = 93;
const BACKTICK = 96;
const BRACE = 123;
const PIPE = 124;
const CLOSE_BRACE = 125;

const DEEPEST = 48;
const MOST_BRACES = 512;
/** The cost of reading something a second time, in addition to its characters. */
const ATTEMPT = 64;

const reserved = [
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'case',
  'esac',
  'while',
  'until',
  'for',
  'select',
  'function',
  'coproc',
  'time',
  '{',
  '}',
  '!',
  '[[',
];
/** By their first character. */
const reservedBy: (string[] | undefined)[] = Array.from({ length: 128 });
for (const word of reserved) {
  const code = word.charCodeAt(0);
  reservedBy[code] = [...(reservedBy[code] ?? []), word];
}
/** Builtins whose arguments may be assignments of lists. */
const declaring: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'export', 'readonly']);

const isNameCode = (code: number, isFirst: boolean): boolean =>
  (code > 64 && code < 91) ||
  (code > 96 && code < 123) ||
  code === 95 ||
  (!isFirst && code > 47 && code < 58);

interface Heredoc {
  readonly delimiter: string;
  readonly isQuoted: boolean;
  readonly stripsTabs: boolean;
  readonly command: Written;
}

/** Reads the commands of a text by the grammar of bash, which is that of POSIX shells with additions. */
export class Reader {
  readonly #text: string;
  readonly #reading: Reading;
  readonly #isSubstituted: boolean;
  #at = 0;
  /** The place that was last looked at for a reserved word, and that word. */
  #peekedAt = -1;
  #peeked: string | null = null;
  #depth = 0;
  #heredocs: Heredoc[] = [];
  /** The last word read. */
  #word = '';
  #bits: WordBits = 0;
  /** The input of the current stage of a pipeline, as ranges of the commands before it. */
  #pipedFrom: readonly number[] = nowhere;
  #printed: Written | null = null;
  /** The last simple command, for the text that `echo … |` gives. */
  #last: Written | null = null;

  constructor(text: string, reading: Reading, isSubstituted: boolean) {
    this.#text = text;
    this.#reading = reading;
    this.#isSubstituted = isSubstituted;
  }

  /** Reads the whole text. Throws UNREADABLE; what was read until then is in `found`. */
  read(): void {
    this.#list();
    if (this.#at < this.#text.length) throw UNREADABLE;
    this.#readHeredocs();
  }

  #code(offset = 0): number {
    const at = this.#at + offset;
    return at < this.#text.length ? this.#text.charCodeAt(at) : -1;
  }

  /** Blanks, line continuations and a comment. */
  #skipBlanks(): void {
    const text = this.#text;
    for (;;) {
      const code = this.#code();
      if (code === SPACE || code === TAB) this.#at += 1;
      else if (code === BACKSLASH && this.#code(1) === NEWLINE) this.#at += 2;
      else if (code === HASH) {
        const end = text.indexOf('\n', this.#at);
        this.#at = end < 0 ? text.length : end;
      } else return;
    }
  }

  #skipNewlines(): void {
    for (;;) {
      this.#skipBlanks();
      if (this.#code() !== NEWLINE) return;
      this.#at += 1;
      this.#readHeredocs();
    }
  }

  /** A reserved word at this place, or null. */
  #peekReserved(): string | null {
    const at = this.#at;
    if (this.#peekedAt === at) return this.#peeked;
    this.#peekedAt = at;
    this.#peeked = null;
    const text = this.#text;
    const words = reservedBy[text.charCodeAt(at)];
    if (words === undefined) return null;
    for (const word of words) {
      if (!text.startsWith(word, at)) continue;
      const end = at + word.length;
      if (end < text.length && !isEnd(text.charCodeAt(end))) continue;
      this.#peeked = word;
      break;
    }
    return this.#peeked;
  }

  #expect(word: string): void {
    this.#skipNewlines();
    if (this.#peekReserved() !== word) throw UNREADABLE;
    this.#at += word.length;
  }

  /** Commands until something that ends a list. Returns how many there were. */
  #list(): number {
    const piped = this.#pipedFrom;
    const printed = this.#printed;
    let count = 0;
    for (;;) {
      this.#skipNewlines();
      const code = this.#code();
      if (code < 0 || code === CLOSE_PAREN) break;
      if (code === SEMICOLON) {
        // `;;` of a case; a bare `;` is no command.
        if (this.#code(1) === SEMICOLON || this.#code(1) === AMPERSAND) break;
        throw UNREADABLE;
      }
      const word = this.#peekReserved();
      if (word !== null && ENDING.has(word)) break;
      this.#pipedFrom = piped;
      this.#printed = printed;
      this.#andOr();
      count += 1;
      this.#skipBlanks();
      const next = this.#code();
      if (next === SEMICOLON) {
        if (this.#code(1) === SEMICOLON || this.#code(1) === AMPERSAND) break;
        this.#at += 1;
      } else if (next === AMPERSAND) {
        this.#at += 1;
        // zsh: `&!` and `&|` run in the background as well.
        if (this.#code() === BANG && isEnd(this.#code(1))) this.#at += 1;
      } else if (next !== NEWLINE) break;
    }
    this.#pipedFrom = piped;
    this.#printed = printed;
    return count;
  }

  #nonEmptyList(): void {
    if (this.#list() === 0) throw UNREADABLE;
  }

  #andOr(): void {
    const piped = this.#pipedFrom;
    const printed = this.#printed;
    for (;;) {
      this.#pipeline();
      this.#pipedFrom = piped;
      this.#printed = printed;
      this.#skipBlanks();
      const code = this.#code();
      const isDouble = this.#code(1) === code && (code === AMPERSAND || code === PIPE);
      if (!isDouble) return;
      this.#at += 2;
      this.#skipNewlines();
    }
  }

  #pipeline(): void {
    const { found } = this.#reading;
    this.#skipPrefixes();
    for (;;) {
      this.#skipBlanks();
      const mark = found.length;
      this.#last = null;
      this.#command();
      this.#skipBlanks();
      if (this.#code() !== PIPE || this.#code(1) === PIPE) return;
      this.#at += 1;
      if (this.#code() === AMPERSAND) this.#at += 1;
      this.#pipedFrom = [...this.#pipedFrom, mark, found.length];
      this.#printed = this.#last;
      this.#skipNewlines();
    }
  }

  /** `!` in front of a pipeline, and `time` where it is no program: in front of `!` and of compound commands. */
  #skipPrefixes(): void {
    for (;;) {
      this.#skipBlanks();
      const start = this.#at;
      const word = this.#peekReserved();
      if (word !== '!' && word !== 'time') return;
      this.#at += word.length;
      if (word === '!') continue;
      this.#skipBlanks();
      if (this.#text.startsWith('-p', this.#at) && isEnd(this.#code(2))) {
        this.#at += 2;
        this.#skipBlanks();
      }
      const next = this.#peekReserved();
      if (this.#code() === PAREN || next === '!' || startsCompound(next)) continue;
      this.#at = start;
      return;
    }
  }

  #command(): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) giveUp(this.#reading);
    const code = this.#code();
    const word = code === PAREN ? null : this.#peekReserved();
    if (code === PAREN) this.#parenthesis();
    else if (word === null || word === 'time') this.#simple();
    else this.#compound(word);
    this.#depth -= 1;
  }

  #compound(word: string): void {
    this.#at += word.length;
    switch (word) {
      case '{':
        this.#nonEmptyList();
        this.#expect('}');
        break;
      case 'if':
        this.#if();
        break;
      case 'while':
      case 'until':
        this.#nonEmptyList();
        this.#doList();
        break;
      case 'for':
      case 'select':
        this.#for();
        break;
      case 'case':
        this.#case();
        break;
      case '[[':
        this.#test();
        break;
      case 'function':
        this.#skipBlanks();
        if (!this.#readWord()) throw UNREADABLE;
        this.#skipBlanks();
        if (this.#code() === PAREN) this.#emptyParens();
        this.#body();
        return;
      case 'coproc':
        this.#coproc();
        return;
      default:
        throw UNREADABLE;
    }
    this.#last = null;
    this.#furtherRedirects();
  }

  /** Redirects after a compound command: they write and read even where nothing runs. */
  #furtherRedirects(): void {
    const command = this.#newCommand();
    this.#skipBlanks();
    while (this.#redirect(command)) this.#skipBlanks();
    if (command.redirects.length > 0) this.#reading.found.push(command);
  }

  #parenthesis(): void {
    if (this.#code(1) === PAREN && this.#arithmetic(2)) {
      this.#furtherRedirects();
      return;
    }
    this.#at += 1;
    this.#nonEmptyList();
    if (this.#code() !== CLOSE_PAREN) throw UNREADABLE;
    this.#at += 1;
    this.#last = null;
    this.#furtherRedirects();
  }

  #if(): void {
    this.#nonEmptyList();
    this.#expect('then');
    this.#nonEmptyList();
    for (;;) {
      this.#skipNewlines();
      const word = this.#peekReserved();
      if (word !== 'elif' && word !== 'else') break;
      this.#at += word.length;
      this.#nonEmptyList();
      if (word === 'else') break;
      this.#expect('then');
      this.#nonEmptyList();
    }
    this.#expect('fi');
  }

  #doList(): void {
    this.#skipNewlines();
    const opening = this.#peekReserved();
    if (opening !== 'do' && opening !== '{') throw UNREADABLE;
    this.#at += opening.length;
    this.#nonEmptyList();
    this.#expect(opening === 'do' ? 'done' : '}');
  }

  #for(): void {
    this.#skipBlanks();
    if (this.#code() === PAREN && this.#code(1) === PAREN) {
      if (!this.#arithmetic(2)) throw UNREADABLE;
    } else {
      if (!this.#readWord()) throw UNREADABLE;
      this.#assigned(this.#word);
      this.#skipNewlines();
      const text = this.#text;
      if (text.startsWith('in', this.#at) && isEnd(this.#code(2))) {
        this.#at += 2;
        this.#skipBlanks();
        while (this.#readWord()) this.#skipBlanks();
        if (this.#code() !== SEMICOLON && this.#code() !== NEWLINE) throw UNREADABLE;
      }
    }
    this.#skipBlanks();
    if (this.#code() === SEMICOLON) this.#at += 1;
    this.#doList();
  }

  #case(): void {
    this.#skipBlanks();
    if (!this.#readWord()) throw UNREADABLE;
    this.#skipNewlines();
    if (!(this.#text.startsWith('in', this.#at) && isEnd(this.#code(2)))) throw UNREADABLE;
    this.#at += 2;
    for (;;) {
      this.#skipNewlines();
      if (this.#peekReserved() === 'esac') break;
      if (this.#code() === PAREN) {
        this.#at += 1;
        this.#skipBlanks();
      }
      for (;;) {
        if (!this.#readWord()) throw UNREADABLE;
        this.#skipBlanks();
        if (this.#code() !== PIPE) break;
        this.#at += 1;
        this.#skipBlanks();
      }
      if (this.#code() !== CLOSE_PAREN) throw UNREADABLE;
      this.#at += 1;
      this.#list();
      if (this.#code() !== SEMICOLON) {
        if (this.#peekReserved() !== 'esac') throw UNREADABLE;
        continue;
      }
      // `;;`, `;&` and `;;&`
      this.#at += 2;
      if (this.#code() === AMPERSAND) this.#at += 1;
    }
    this.#at += 4;
  }

  /** `[[ … ]]`: only its substitutions run something. */
  #test(): void {
    for (;;) {
      this.#skipNewlines();
      const code = this.#code();
      if (code < 0 || code === SEMICOLON) throw UNREADABLE;
      if (this.#text.startsWith(']]', this.#at) && isEnd(this.#code(2))) break;
      if (isEnd(code) && !(code === LESS || code === GREATER) && !this.#startsProcess()) this.#at += 1;
      else if (!this.#readWord()) this.#at += 1;
    }
    this.#at += 2;
  }

  #coproc(): void {
    this.#skipBlanks();
    const from = this.#at;
    const isName = this.#peekReserved() === null && this.#readWord() && this.#bits === 0;
    this.#skipBlanks();
    const isBody = this.#code() === PAREN || startsCompound(this.#peekReserved());
    if (!isName || !isBody) this.#at = from;
    this.#command();
  }

  /** The body of a function: a compound command, and in some shells any. */
  #body(): void {
    this.#skipNewlines();
    // It does not run in this pipeline.
    const [piped, printed] = [this.#pipedFrom, this.#printed];
    this.#pipedFrom = nowhere;
    this.#printed = null;
    this.#command();
    this.#pipedFrom = piped;
    this.#printed = printed;
    this.#last = null;
  }

  #emptyParens(): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#code() !== CLOSE_PAREN) throw UNREADABLE;
    this.#at += 1;
  }

  #newCommand(): Written {
    return {
      words: [],
      bits: noBits,
      redirects: noRedirects,
      env: noEnv,
      input: null,
      hasInput: false,
      pipedFrom: this.#pipedFrom,
      printed: this.#printed,
      substitutes: nowhere,
      substituted: this.#isSubstituted,
    };
  }

  #simple(): void {
    const command = this.#newCommand();
    const { words } = command;
    const { found } = this.#reading;
    const mark = found.length;
    let isEmpty = true;
    for (;;) {
      this.#skipBlanks();
      if (this.#mayRedirect() && this.#redirect(command)) {
        isEmpty = false;
        continue;
      }
      const start = this.#at;
      if (!this.#readWord()) break;
      isEmpty = false;
      if (words.length === 0) {
        if (this.#assignment(command, start)) continue;
        if (this.#code() === PAREN || this.#isBeforeParen()) {
          if (command.redirects.length > 0 || command.env !== noEnv) throw UNREADABLE;
          this.#skipBlanks();
          this.#emptyParens();
          this.#body();
          return;
        }
      } else if (this.#code() === PAREN && this.#word.endsWith('=') && declaring.has(words[0] as string)) {
        this.#listOfWords();
      }
      if ((this.#bits & BRACED) === 0) {
        if (this.#bits !== 0) addBits(command, this.#bits);
        words.push(this.#word);
      } else this.#addBraced(command);
    }
    if (isEmpty) throw UNREADABLE;
    if (found.length > mark) command.substitutes = [mark, found.length];
    this.#last = command;
    if (words.length > 0 || command.redirects.length > 0) found.push(command);
  }

  #isBeforeParen(): boolean {
    const code = this.#code();
    if (code !== SPACE && code !== TAB) return false;
    let at = this.#at;
    while (
      at < this.#text.length &&
      (this.#text.charCodeAt(at) === SPACE || this.#text.charCodeAt(at) === TAB)
    )
      at += 1;
    return this.#text.charCodeAt(at) === PAREN;
  }

  #addBraced(command: Written): void {
    const found = unbraced(this.#word, MOST_BRACES);
    this.#reading.wordsLeft -= found?.length ?? MOST_BRACES;
    if (found === null || this.#reading.wordsLeft < 0) throw UNREADABLE;
    for (const word of found) {
      if (word === '' && (this.#bits & QUOTED) === 0) continue;
      addBits(command, this.#bits);
      command.words.push(word);
    }
  }

  /** `NAME=value`, `NAME+=value`, `NAME[i]=value` and `NAME=(…)` before a command: the word that begins at `start`. */
  #assignment(command: Written, start: number): boolean {
    const equals = this.#word.indexOf('=');
    if (equals <= 0) return false;
    const text = this.#text;
    let at = start;
    while (isNameCode(text.charCodeAt(at), at === start)) at += 1;
    const end = at;
    if (end === start) return false;
    if (text.charCodeAt(at) === BRACKET) {
      const close = text.indexOf(']', at);
      if (close < 0 || close > this.#at) return false;
      at = close + 1;
    }
    if (text[at] === '+') at += 1;
    if (text.charCodeAt(at) !== EQUALS || at >= this.#at) return false;
    const name = text.slice(start, end);
    this.#assigned(name);
    const value = unmarked(this.#word.slice(this.#word.indexOf('=') + 1));
    if (this.#code() === PAREN && at === this.#at - 1) this.#listOfWords();
    if (command.env === noEnv) command.env = {};
    if (name !== '__proto__') (command.env as Record<string, string>)[name] = value;
    return true;
  }

  #assigned(name: string): void {
    if (familiarVariables.has(name)) this.#reading.isUnfamiliar = true;
  }

  /** `(a b c)` after `NAME=`. */
  #listOfWords(): void {
    const [word, bits] = [this.#word, this.#bits];
    this.#at += 1;
    for (;;) {
      this.#skipNewlines();
      if (this.#code() === CLOSE_PAREN) break;
      if (!this.#readWord()) throw UNREADABLE;
    }
    this.#at += 1;
    this.#word = word;
    this.#bits = bits;
  }

  #mayRedirect(): boolean {
    const code = this.#code();
    return (
      code === LESS || code === GREATER || code === AMPERSAND || code === BRACE || (code > 47 && code < 58)
    );
  }

  /** A redirect at this place. */
  #redirect(command: Written): boolean {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code > 47 && code < 58) code = text.charCodeAt(++at);
    if (code === BRACE && at === this.#at) {
      const close = text.indexOf('}', at);
      const next = close < 0 ? -1 : text.charCodeAt(close + 1);
      if (next !== LESS && next !== GREATER) return false;
      for (let name = at + 1; name < close; name += 1)
        if (!isNameCode(text.charCodeAt(name), name === at + 1)) return false;
      at = close + 1;
      code = next;
    }
    if (code === AMPERSAND && at === this.#at && text.charCodeAt(at + 1) === GREATER) {
      this.#at = at + 2;
      const append = this.#code() === GREATER;
      if (append) this.#at += 1;
      this.#writes(command, append);
      return true;
    }
    if (code !== LESS && code !== GREATER) return false;
    const next = text.charCodeAt(at + 1);
    if (next === PAREN) return false;
    this.#at = at + 1;
    if (code === GREATER) {
      if (next === GREATER) {
        this.#at += 1;
        this.#writes(command, true);
      } else if (next === PIPE || next === BANG) {
        this.#at += 1;
        this.#writes(command, false);
      } else if (next === AMPERSAND) {
        this.#at += 1;
        this.#duplicates(command, false);
      } else this.#writes(command, false);
      return true;
    }
    if (next === LESS) {
      this.#at += 1;
      if (this.#code() === LESS) {
        this.#at += 1;
        this.#target();
        command.input = `${unmarked(this.#word)}\n`;
        command.hasInput = true;
        if (this.#bits & UNSAFE) command.input = null;
      } else this.#heredoc(command);
    } else if (next === AMPERSAND) {
      this.#at += 1;
      this.#duplicates(command, true);
    } else if (next === GREATER) {
      this.#at += 1;
      this.#target();
      const file = unmarked(this.#word);
      addRedirect(command, { to: file, from: file, append: true });
    } else {
      this.#target();
      addRedirect(command, { to: '', from: unmarked(this.#word), append: false });
      command.input = null;
      command.hasInput = true;
    }
    return true;
  }

  /** The word after a redirect. */
  #target(): void {
    this.#skipBlanks();
    if (!this.#readWord()) throw UNREADABLE;
  }

  #writes(command: Written, append: boolean): void {
    this.#target();
    addRedirect(command, { to: unmarked(this.#word), from: '', append });
  }

  /** `>&1`, `<&-`, `>&file` */
  #duplicates(command: Written, reads: boolean): void {
    this.#target();
    if (reads || isDescriptor(this.#word)) return;
    addRedirect(command, { to: unmarked(this.#word), from: '', append: false });
  }

  #heredoc(command: Written): void {
    const stripsTabs = this.#code() === HYPHEN;
    if (stripsTabs) this.#at += 1;
    this.#skipBlanks();
    const start = this.#at;
    const isQuoted = this.#delimiter();
    if (this.#at === start) throw UNREADABLE;
    command.hasInput = true;
    command.input = '';
    this.#heredocs.push({ delimiter: this.#word, isQuoted, stripsTabs, command });
  }

  /** Reads the delimiter of a here document, in which nothing is expanded. Returns whether any of it is quoted. */
  #delimiter(): boolean {
    const text = this.#text;
    let isQuoted = false;
    let delimiter = '';
    for (;;) {
      const code = this.#code();
      if (code < 0 || isEnd(code)) break;
      if (code === APOSTROPHE || code === QUOTE) {
        const close = text.indexOf(code === QUOTE ? '"' : "'", this.#at + 1);
        if (close < 0) throw UNREADABLE;
        delimiter += text.slice(this.#at + 1, close);
        this.#at = close + 1;
        isQuoted = true;
      } else if (code === BACKSLASH && this.#at + 1 < text.length) {
        delimiter += text[this.#at + 1];
        this.#at += 2;
        isQuoted = true;
      } else {
        delimiter += text[this.#at];
        this.#at += 1;
      }
    }
    this.#word = delimiter;
    return isQuoted;
  }

  /** The here documents whose line has ended: their texts are the lines from here on. */
  #readHeredocs(): void {
    const text = this.#text;
    while (this.#heredocs.length > 0) {
      const { delimiter, isQuoted, stripsTabs, command } = this.#heredocs.shift() as Heredoc;
      let body = '';
      let isEnded = false;
      while (this.#at < text.length && !isEnded) {
        const end = text.indexOf('\n', this.#at);
        const raw = text.slice(this.#at, end < 0 ? text.length : end);
        const line = stripsTabs ? raw.replace(/^\t+/, '') : raw;
        this.#at = end < 0 ? text.length : end + 1;
        isEnded = line === delimiter;
        if (!isEnded) body += `${line}\n`;
      }
      command.input = !isQuoted && this.#expandsIn(body) ? null : body;
    }
  }

  /** Runs the substitutions of a text between double quotes. Returns whether what it becomes is unknown. */
  #expandsIn(body: string): boolean {
    if (!/[$`]/.test(body)) return false;
    const inner = new Reader(body, this.#reading, true);
    spendOn(this.#reading, body.length);
    inner.#depth = this.#depth;
    inner.#quotedText(-1);
    return (inner.#bits & UNSAFE) !== 0;
  }

  #startsProcess(): boolean {
    const code = this.#code();
    return (code === LESS || code === GREATER) && this.#code(1) === PAREN;
  }

  /** Reads a word into `#word` and `#bits`; false when none begins here. */
  #readWord(): boolean {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let kind = ENDS;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code > 127) continue;
      kind = kinds[code] as number;
      if (kind !== ORDINARY) break;
    }
    const isAtEnd = at >= text.length;
    if (isAtEnd || kind === ENDS) {
      const isProcess =
        !isAtEnd &&
        text.charCodeAt(at + 1) === PAREN &&
        (text.charCodeAt(at) === LESS || text.charCodeAt(at) === GREATER);
      const isPattern =
        !isAtEnd && at > start && text.charCodeAt(at) === PAREN && isPatternSign(text, at - 1);
      if (!isProcess && !isPattern) {
        this.#at = at;
        this.#bits = 0;
        this.#word = at === start ? '' : text.slice(start, at);
        return at > start;
      }
    }
    this.#at = at;
    this.#longWord(text.slice(start, at));
    return true;
  }

  /** The rest of a word that has more than ordinary characters. */
  #longWord(begun: string): void {
    let word = begun;
    let bits = 0;
    for (;;) {
      const code = this.#code();
      if (code < 0) break;
      const kind = code > 127 ? ORDINARY : kinds[code];
      if (kind === ENDS) {
        if (this.#startsProcess()) {
          word += this.#substitution(1);
          bits |= UNKNOWN | UNSAFE;
        } else if (code === PAREN && isPatternSign(word, word.length - 1) && (bits & QUOTED) === 0) {
          word += this.#pattern();
          bits |= GLOB;
        } else break;
      } else if (kind === ORDINARY) word += this.#ordinary(code, (bits & BRACED) !== 0);
      else {
        const piece = this.#special(code);
        if (piece === null) {
          this.#splitHere(word, bits);
          return;
        }
        word += piece;
        bits |= this.#bits;
      }
    }
    if (bits & BRACED && !(word.includes(CLOSE) && (word.includes(COMMA) || word.includes(DOT)))) {
      word = unmarked(word);
      bits &= ~BRACED;
    }
    this.#word = word;
    this.#bits = bits;
  }

  /** Characters without a meaning; in braces, one, because some have one there. */
  #ordinary(code: number, isBraced: boolean): string {
    const text = this.#text;
    const from = this.#at;
    if (isBraced) {
      this.#at += 1;
      if (code === 44) return COMMA;
      return code === CLOSE_BRACE ? CLOSE : code === 46 ? DOT : (text[from] as string);
    }
    let at = from + 1;
    for (; at < text.length; at += 1) {
      const next = text.charCodeAt(at);
      if (next < 128 && kinds[next] !== ORDINARY) break;
    }
    this.#at = at;
    return text.slice(from, at);
  }

  /** Reads the expansion or quote that a special character begins, and sets `#bits`. Null for a `$IFS`, which ends the word. */
  #special(code: number): string | null {
    const text = this.#text;
    const start = this.#at;
    switch (code) {
      case APOSTROPHE: {
        const close = text.indexOf("'", start + 1);
        if (close < 0) throw UNREADABLE;
        this.#at = close + 1;
        this.#bits = QUOTED;
        return text.slice(start + 1, close);
      }
      case QUOTE: {
        this.#at += 1;
        const quoted = this.#quoted();
        this.#bits |= QUOTED;
        return quoted;
      }
      case BACKSLASH:
        this.#at = Math.min(start + 2, text.length);
        this.#bits = this.#code(-1) === NEWLINE ? 0 : QUOTED;
        if (this.#bits === 0) return '';
        return text.slice(start + 1, start + 2) || '\\';
      case DOLLAR:
        return this.#dollar();
      case BACKTICK: {
        const command = this.#backticks(false);
        this.#bits = UNKNOWN | UNSAFE;
        return command;
      }
      case BRACE:
        this.#at += 1;
        this.#bits = BRACED;
        return OPEN;
      default:
        this.#at += 1;
        this.#bits = GLOB;
        return text[start] as string;
    }
  }

  #dollar(): string | null {
    const next = this.#code(1);
    if (next !== APOSTROPHE && next !== QUOTE) {
      const expansion = this.#expansion(false);
      return expansion === '$IFS' || expansion === `\${IFS}` ? null : expansion;
    }
    if (next === APOSTROPHE) {
      const decoded = this.#ansi();
      this.#bits = QUOTED;
      return decoded;
    }
    this.#at += 2;
    const quoted = this.#quoted();
    this.#bits |= QUOTED;
    return quoted;
  }

  /** An unquoted `$IFS` separates words: what comes before is one, and what follows is read as if a blank stood there. */
  #splitHere(word: string, bits: WordBits): void {
    this.#word = word;
    this.#bits = bits;
    if (word !== '') return;
    // Another word may begin right here.
    if (!this.#readWord()) this.#bits = QUOTED | UNKNOWN;
  }

  #ansi(): string {
    const text = this.#text;
    let end = this.#at + 2;
    while (end < text.length && text.charCodeAt(end) !== APOSTROPHE)
      end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    if (end >= text.length) throw UNREADABLE;
    const decoded = ansiText(text.slice(this.#at + 2, end));
    this.#at = end + 1;
    return decoded;
  }

  /** The text between double quotes, the first of which was read. */
  #quoted(): string {
    const text = this.#text;
    // Most quoted texts have nothing special in them.
    for (let at = this.#at; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const plain = text.slice(this.#at, at);
        this.#at = at + 1;
        this.#bits = 0;
        return plain;
      }
      if (code === DOLLAR || code === BACKSLASH || code === BACKTICK) break;
    }
    return this.#quotedText(QUOTE);
  }

  /** Until an unescaped `end`, or the end of the text for -1. */
  #quotedText(end: number): string {
    const text = this.#text;
    let found = '';
    let bits = 0;
    let from = this.#at;
    for (;;) {
      const code = this.#code();
      if (code < 0) {
        if (end >= 0) throw UNREADABLE;
        found += text.slice(from, this.#at);
        break;
      }
      if (code === end) {
        found += text.slice(from, this.#at);
        this.#at += 1;
        break;
      }
      if (code === BACKSLASH) {
        const next = this.#code(1);
        found += text.slice(from, this.#at);
        if (next !== NEWLINE && next >= 0) {
          const isEscape = next === DOLLAR || next === BACKTICK || next === BACKSLASH || next === QUOTE;
          found += isEscape ? text[this.#at + 1] : text.slice(this.#at, this.#at + 2);
        }
        this.#at = Math.min(this.#at + 2, text.length);
        from = this.#at;
      } else if (code === DOLLAR || code === BACKTICK) {
        found += text.slice(from, this.#at);
        if (code === DOLLAR) {
          found += this.#expansion(true);
          bits |= this.#bits;
        } else {
          found += this.#backticks(true);
          bits |= UNKNOWN | UNSAFE;
        }
        from = this.#at;
      } else this.#at += 1;
    }
    this.#bits = bits;
    return found;
  }

  /** An expansion as it is written; sets `#bits`. A `$` alone is a plain character. */
  #expansion(isQuoted: boolean): string {
    const text = this.#text;
    const start = this.#at;
    const next = this.#code(1);
    this.#bits = UNKNOWN | UNSAFE;
    if (next === PAREN) {
      if (this.#code(2) === PAREN && this.#arithmetic(3)) {
        this.#bits = UNKNOWN;
        return text.slice(start, this.#at);
      }
      return this.#substitution(1);
    }
    if (next === BRACKET) {
      this.#at += 2;
      this.#skipTo(CLOSE_BRACKET, BRACKET);
      this.#bits = UNKNOWN;
      return text.slice(start, this.#at);
    }
    if (next === BRACE) return this.#parameter(isQuoted);
    if (isNameCode(next, true)) {
      let at = start + 2;
      while (isNameCode(text.charCodeAt(at), false)) at += 1;
      this.#at = at;
      const name = text.slice(start + 1, at);
      if (this.#isFamiliar(name)) this.#bits = UNKNOWN;
      return text.slice(start, at);
    }
    const isSpecial = (next > 47 && next < 58) || '@*#?-$!'.includes(text[start + 1] ?? ' ');
    this.#at = start + (isSpecial ? 2 : 1);
    if (!isSpecial) this.#bits = 0;
    else if (this.#isFamiliar(text[start + 1] as string)) this.#bits = UNKNOWN;
    return text.slice(start, this.#at);
  }

  #isFamiliar(name: string): boolean {
    return familiarVariables.has(name) && !this.#reading.isUnfamiliar;
  }

  /** `${…}` */
  #parameter(isQuoted: boolean): string {
    const text = this.#text;
    const start = this.#at;
    this.#at += 2;
    // A name, then an operator and a word, in which everything is expanded.
    const nameStart = this.#at;
    if (this.#code() === BANG || this.#code() === HASH) this.#at += 1;
    while (isNameCode(this.#code(), false)) this.#at += 1;
    const name = text.slice(nameStart, this.#at);
    const isPlain = this.#code() === CLOSE_BRACE && this.#at > nameStart;
    const operator = text[this.#at] ?? '';
    const quotesCount = !isQuoted || '#%/^,'.includes(operator);
    if (this.#at === nameStart && operator !== '' && '@*?-$!#'.includes(operator)) this.#at += 1;
    if (operator === '=' || text.startsWith(':=', this.#at)) this.#assigned(name);
    this.#skipTo(CLOSE_BRACE, -1, quotesCount);
    this.#bits = isPlain && this.#isFamiliar(name) ? UNKNOWN : UNKNOWN | UNSAFE;
    return text.slice(start, this.#at);
  }

  /** To the character after the one that closes; runs the substitutions on the way. */
  #skipTo(close: number, opens: number, quotesCount = true): void {
    const bits = this.#bits;
    this.#depth += 1;
    if (this.#depth > DEEPEST) giveUp(this.#reading);
    let depth = 0;
    for (;;) {
      const code = this.#code();
      if (code < 0) throw UNREADABLE;
      if (code === close && depth === 0) break;
      if (code === close) depth -= 1;
      if (code === opens) depth += 1;
      if (code === BACKSLASH) this.#at += 2;
      else if (code === QUOTE) {
        this.#at += 1;
        this.#quoted();
      } else if (code === APOSTROPHE && quotesCount) {
        const end = this.#text.indexOf("'", this.#at + 1);
        if (end < 0) throw UNREADABLE;
        this.#at = end + 1;
      } else if (code === DOLLAR) {
        if (this.#code(1) === APOSTROPHE && quotesCount) this.#ansi();
        else this.#expansion(!quotesCount);
      } else if (code === BACKTICK) this.#backticks(false);
      else if (this.#startsProcess() && quotesCount && close === CLOSE_BRACE) this.#substitution(1);
      else this.#at += 1;
    }
    this.#at += 1;
    this.#depth -= 1;
    this.#bits = bits;
  }

  /** `((…))` from its first character: `opening` characters stand before the expression. False, and nothing read, when it is no arithmetic. */
  #arithmetic(opening: number): boolean {
    const reading = this.#reading;
    const start = this.#at;
    const mark = reading.found.length;
    const [depth, isUnfamiliar] = [this.#depth, reading.isUnfamiliar];
    this.#at += opening;
    try {
      this.#skipTo(CLOSE_PAREN, PAREN);
      if (this.#code() === CLOSE_PAREN) {
        this.#at += 1;
        return true;
      }
    } catch (error) {
      if (error !== UNREADABLE || reading.left < 0) throw error;
    }
    // Characters that were read twice count twice.
    spendOn(reading, this.#at - start + ATTEMPT);
    this.#at = start;
    this.#depth = depth;
    reading.isUnfamiliar = isUnfamiliar;
    reading.found.length = mark;
    return false;
  }

  /** `$(…)`, `<(…)` or `>(…)` as it is written; `opening`: where its parenthesis is. */
  #substitution(opening: number): string {
    const text = this.#text;
    const start = this.#at;
    this.#depth += 1;
    if (this.#depth > DEEPEST) giveUp(this.#reading);
    const inner = new Reader(text, this.#reading, true);
    inner.#at = start + opening + 1;
    inner.#depth = this.#depth;
    inner.#list();
    if (inner.#code() !== CLOSE_PAREN) throw UNREADABLE;
    inner.#readHeredocs();
    this.#at = inner.#at + 1;
    this.#depth -= 1;
    return text.slice(start, this.#at);
  }

  #backticks(isQuoted: boolean): string {
    const text = this.#text;
    const start = this.#at;
    let end = start + 1;
    while (end < text.length && text.charCodeAt(end) !== BACKTICK)
      end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    if (end >= text.length) throw UNREADABLE;
    const written = text.slice(start + 1, end);
    const command = written.includes('\\')
      ? written.replace(isQuoted ? /\\([\\`$"])/g : /\\([\\`$])/g, '$1')
      : written;
    spendOn(this.#reading, command.length);
    const inner = new Reader(command, this.#reading, true);
    inner.#depth = this.#depth + 1;
    if (inner.#depth > DEEPEST) giveUp(this.#reading);
    inner.read();
    this.#at = end + 1;
    return text.slice(start, this.#at);
  }

  /** `@(a|b)` from its parenthesis. */
  #pattern(): string {
    const start = this.#at;
    this.#at += 1;
    this.#skipTo(CLOSE_PAREN, PAREN);
    return this.#text.slice(start, this.#at);
  }
}

const ENDING: ReadonlySet<string> = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

const isEnd = (code: number): boolean =>
  code < 0 || (code < 128 && kinds[code] === ENDS) || Number.isNaN(code);

const isDescriptor = (word: string): boolean => /^\d*-?$/.test(word);

const nowhere: readonly number[] = [];

const isPatternSign = (text: string, at: number): boolean => at >= 0 && '?*+@!'.includes(text[at] as string);

const startsCompound = (word: string | null): boolean =>
  word !== null && ['{', 'if', 'while', 'until', 'for', 'select', 'case', '[['].includes(word);

/** For the word that is added next. */
function addBits(command: Written, bits: WordBits): void {
  if (command.bits === noBits) command.bits = [];
  const all = command.bits as WordBits[];
  while (all.length < command.words.length) all.push(0);
  all.push(bits);
}

const noBits: readonly WordBits[] = [];

function addRedirect(command: Written, redirect: Redirect): void {
  if (command.redirects === noRedirects) command.redirects = [];
  (command.redirects as Redirect[]).push(redirect);
}

/** A text that is nested too deeply is not read at all: trying it in another way would double the work at each level. */
function giveUp(reading: Reading): never {
  reading.left = -1;
  throw UNREADABLE;
}

function spendOn(reading: Reading, characters: number): void {
  reading.left -= characters;
  if (reading.left < 0) throw UNREADABLE;
}
