import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  BANG,
  BRACE,
  BRACKET,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  Cursor,
  DOLLAR,
  ENDS,
  GREATER,
  HASH,
  isNameCode,
  kinds,
  LESS,
  NEWLINE,
  ORDINARY,
  PAREN,
  QUOTE,
} from './cursor.ts';
import { spendOn, UNREADABLE } from './reading.ts';
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
  unmarked,
  type WordBits,
} from './word.ts';

/** The cost of reading something a second time, in addition to its characters. */
const ATTEMPT = 64;

/** Quotes, and expansions that begin with `$`. Expansions stay as they are written; the commands in them are read. */
abstract class ExpansionReader extends Cursor {
  /** `$(…)`, `<(…)` or `>(…)` as it is written; `opening`: where its parenthesis is. */
  protected abstract substitution(opening: number): string;
  /** A command in backticks as it is written. */
  protected abstract backticks(isQuoted: boolean): string;

  protected ansi(): string {
    const text = this.text;
    let end = this.at + 2;
    while (end < text.length && text.charCodeAt(end) !== APOSTROPHE)
      end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    if (end >= text.length) throw UNREADABLE;
    const decoded = ansiText(text.slice(this.at + 2, end));
    this.at = end + 1;
    return decoded;
  }

  /** The text between double quotes, the first of which was read. */
  protected quoted(): string {
    const text = this.text;
    // Most quoted texts have nothing special in them.
    for (let at = this.at; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const plain = text.slice(this.at, at);
        this.at = at + 1;
        this.bits = 0;
        return plain;
      }
      if (code === DOLLAR || code === BACKSLASH || code === BACKTICK) break;
    }
    return this.quotedText(QUOTE);
  }

  /** Until an unescaped `end`, or the end of the text for -1. */
  protected quotedText(end: number): string {
    const text = this.text;
    let found = '';
    let bits = 0;
    let from = this.at;
    for (;;) {
      const code = this.code();
      if (code < 0) {
        if (end >= 0) throw UNREADABLE;
        found += text.slice(from, this.at);
        break;
      }
      if (code === end) {
        found += text.slice(from, this.at);
        this.at += 1;
        break;
      }
      if (code === BACKSLASH) {
        const next = this.code(1);
        found += text.slice(from, this.at);
        if (next !== NEWLINE && next >= 0) {
          const isEscape = next === DOLLAR || next === BACKTICK || next === BACKSLASH || next === QUOTE;
          found += isEscape ? text[this.at + 1] : text.slice(this.at, this.at + 2);
        }
        this.at = Math.min(this.at + 2, text.length);
        from = this.at;
      } else if (code === DOLLAR || code === BACKTICK) {
        found += text.slice(from, this.at);
        if (code === DOLLAR) {
          found += this.expansion(true);
          bits |= this.bits;
        } else {
          found += this.backticks(true);
          bits |= UNKNOWN | UNSAFE;
        }
        from = this.at;
      } else this.at += 1;
    }
    this.bits = bits;
    return found;
  }

  /** An expansion as it is written; sets `#bits`. A `$` alone is a plain character. */
  protected expansion(isQuoted: boolean): string {
    const text = this.text;
    const start = this.at;
    const next = this.code(1);
    this.bits = UNKNOWN | UNSAFE;
    if (next === PAREN) {
      if (this.code(2) === PAREN && this.arithmetic(3)) {
        this.bits = UNKNOWN;
        return text.slice(start, this.at);
      }
      return this.substitution(1);
    }
    if (next === BRACKET) {
      this.at += 2;
      this.skipTo(CLOSE_BRACKET, BRACKET);
      this.bits = UNKNOWN;
      return text.slice(start, this.at);
    }
    if (next === BRACE) return this.parameter(isQuoted);
    if (isNameCode(next, true)) {
      let at = start + 2;
      while (isNameCode(text.charCodeAt(at), false)) at += 1;
      this.at = at;
      const name = text.slice(start + 1, at);
      if (this.isFamiliar(name)) this.bits = UNKNOWN;
      return text.slice(start, at);
    }
    const isSpecial = (next > 47 && next < 58) || '@*#?-$!'.includes(text[start + 1] ?? ' ');
    this.at = start + (isSpecial ? 2 : 1);
    if (!isSpecial) this.bits = 0;
    else if (this.isFamiliar(text[start + 1] as string)) this.bits = UNKNOWN;
    return text.slice(start, this.at);
  }

  protected isFamiliar(name: string): boolean {
    return familiarVariables.has(name) && !this.reading.isUnfamiliar;
  }

  protected assigned(name: string): void {
    if (familiarVariables.has(name)) this.reading.isUnfamiliar = true;
  }

  /** `${…}` */
  protected parameter(isQuoted: boolean): string {
    const text = this.text;
    const start = this.at;
    this.at += 2;
    // A name, then an operator and a word, in which everything is expanded.
    const nameStart = this.at;
    if (this.code() === BANG || this.code() === HASH) this.at += 1;
    while (isNameCode(this.code(), false)) this.at += 1;
    const name = text.slice(nameStart, this.at);
    const isPlain = this.code() === CLOSE_BRACE && this.at > nameStart;
    const operator = text[this.at] ?? '';
    const quotesCount = !isQuoted || '#%/^,'.includes(operator);
    if (this.at === nameStart && operator !== '' && '@*?-$!#'.includes(operator)) this.at += 1;
    if (operator === '=' || text.startsWith(':=', this.at)) this.assigned(name);
    this.skipTo(CLOSE_BRACE, -1, quotesCount);
    this.bits = isPlain && this.isFamiliar(name) ? UNKNOWN : UNKNOWN | UNSAFE;
    return text.slice(start, this.at);
  }

  /** To the character after the one that closes; runs the substitutions on the way. */
  protected skipTo(close: number, opens: number, quotesCount = true): void {
    const bits = this.bits;
    this.enter();
    let depth = 0;
    for (;;) {
      const code = this.code();
      if (code < 0) throw UNREADABLE;
      if (code === close && depth === 0) break;
      if (code === close) depth -= 1;
      if (code === opens) depth += 1;
      if (code === BACKSLASH) this.at += 2;
      else if (code === QUOTE) {
        this.at += 1;
        this.quoted();
      } else if (code === APOSTROPHE && quotesCount) {
        const end = this.text.indexOf("'", this.at + 1);
        if (end < 0) throw UNREADABLE;
        this.at = end + 1;
      } else if (code === DOLLAR) {
        if (this.code(1) === APOSTROPHE && quotesCount) this.ansi();
        else this.expansion(!quotesCount);
      } else if (code === BACKTICK) this.backticks(false);
      else if (this.startsProcess() && quotesCount && close === CLOSE_BRACE) this.substitution(1);
      else this.at += 1;
    }
    this.at += 1;
    this.depth -= 1;
    this.bits = bits;
  }

  /** `((…))` from its first character: `opening` characters stand before the expression. False, and nothing read, when it is no arithmetic. */
  protected arithmetic(opening: number): boolean {
    const reading = this.reading;
    const start = this.at;
    const mark = reading.found.length;
    const [depth, isUnfamiliar] = [this.depth, reading.isUnfamiliar];
    this.at += opening;
    try {
      this.skipTo(CLOSE_PAREN, PAREN);
      if (this.code() === CLOSE_PAREN) {
        this.at += 1;
        return true;
      }
    } catch (error) {
      if (error !== UNREADABLE || reading.left < 0) throw error;
    }
    // Characters that were read twice count twice.
    spendOn(reading, this.at - start + ATTEMPT);
    this.at = start;
    this.depth = depth;
    reading.isUnfamiliar = isUnfamiliar;
    reading.found.length = mark;
    return false;
  }
}

const isPatternSign = (text: string, at: number): boolean => at >= 0 && '?*+@!'.includes(text[at] as string);

/** Words: what stands between blanks, with its quotes removed. */
export abstract class WordReader extends ExpansionReader {
  /** Reads a word into `#word` and `#bits`; false when none begins here. */
  protected readWord(): boolean {
    const text = this.text;
    const start = this.at;
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
        this.at = at;
        this.bits = 0;
        this.word = at === start ? '' : text.slice(start, at);
        return at > start;
      }
    }
    this.at = at;
    this.longWord(text.slice(start, at));
    return true;
  }

  /** The rest of a word that has more than ordinary characters. */
  protected longWord(begun: string): void {
    let word = begun;
    let bits = 0;
    for (;;) {
      const code = this.code();
      if (code < 0) break;
      const kind = code > 127 ? ORDINARY : kinds[code];
      if (kind === ENDS) {
        if (this.startsProcess()) {
          word += this.substitution(1);
          bits |= UNKNOWN | UNSAFE;
        } else if (code === PAREN && isPatternSign(word, word.length - 1) && (bits & QUOTED) === 0) {
          word += this.pattern();
          bits |= GLOB;
        } else break;
      } else if (kind === ORDINARY) word += this.ordinary(code, (bits & BRACED) !== 0);
      else {
        const piece = this.special(code);
        if (piece === null) {
          this.splitHere(word, bits);
          return;
        }
        word += piece;
        bits |= this.bits;
      }
    }
    if (bits & BRACED && !(word.includes(CLOSE) && (word.includes(COMMA) || word.includes(DOT)))) {
      word = unmarked(word);
      bits &= ~BRACED;
    }
    this.word = word;
    this.bits = bits;
  }

  /** Characters without a meaning; in braces, one, because some have one there. */
  protected ordinary(code: number, isBraced: boolean): string {
    const text = this.text;
    const from = this.at;
    if (isBraced) {
      this.at += 1;
      if (code === 44) return COMMA;
      return code === CLOSE_BRACE ? CLOSE : code === 46 ? DOT : (text[from] as string);
    }
    let at = from + 1;
    for (; at < text.length; at += 1) {
      const next = text.charCodeAt(at);
      if (next < 128 && kinds[next] !== ORDINARY) break;
    }
    this.at = at;
    return text.slice(from, at);
  }

  /** Reads the expansion or quote that a special character begins, and sets `#bits`. Null for a `$IFS`, which ends the word. */
  protected special(code: number): string | null {
    const text = this.text;
    const start = this.at;
    switch (code) {
      case APOSTROPHE: {
        const close = text.indexOf("'", start + 1);
        if (close < 0) throw UNREADABLE;
        this.at = close + 1;
        this.bits = QUOTED;
        return text.slice(start + 1, close);
      }
      case QUOTE: {
        this.at += 1;
        const quoted = this.quoted();
        this.bits |= QUOTED;
        return quoted;
      }
      case BACKSLASH:
        this.at = Math.min(start + 2, text.length);
        this.bits = this.code(-1) === NEWLINE ? 0 : QUOTED;
        if (this.bits === 0) return '';
        return text.slice(start + 1, start + 2) || '\\';
      case DOLLAR:
        return this.dollar();
      case BACKTICK: {
        const command = this.backticks(false);
        this.bits = UNKNOWN | UNSAFE;
        return command;
      }
      case BRACE:
        this.at += 1;
        this.bits = BRACED;
        return OPEN;
      default:
        this.at += 1;
        this.bits = GLOB;
        return text[start] as string;
    }
  }

  protected dollar(): string | null {
    const next = this.code(1);
    if (next !== APOSTROPHE && next !== QUOTE) {
      const expansion = this.expansion(false);
      return expansion === '$IFS' || expansion === `\${IFS}` ? null : expansion;
    }
    if (next === APOSTROPHE) {
      const decoded = this.ansi();
      this.bits = QUOTED;
      return decoded;
    }
    this.at += 2;
    const quoted = this.quoted();
    this.bits |= QUOTED;
    return quoted;
  }

  /** An unquoted `$IFS` separates words: what comes before is one, and what follows is read as if a blank stood there. */
  protected splitHere(word: string, bits: WordBits): void {
    this.word = word;
    this.bits = bits;
    if (word !== '') return;
    // Another word may begin right here.
    if (!this.readWord()) this.bits = QUOTED | UNKNOWN;
  }

  /** `@(a|b)` from its parenthesis. */
  protected pattern(): string {
    const start = this.at;
    this.at += 1;
    this.skipTo(CLOSE_PAREN, PAREN);
    return this.text.slice(start, this.at);
  }
}
