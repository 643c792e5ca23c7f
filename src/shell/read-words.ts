import {
  APOSTROPHE,
  BACKSLASH,
  BACKTICK,
  BRACE,
  CLOSE_BRACE,
  CLOSE_PAREN,
  DOLLAR,
  ENDS,
  GREATER,
  kinds,
  LESS,
  NEWLINE,
  ORDINARY,
  PAREN,
  QUOTE,
} from './cursor.ts';
import { ExpansionReader } from './read-expansions.ts';
import { UNREADABLE } from './reading.ts';
import {
  BRACED,
  CLOSE,
  COMMA,
  DOT,
  GLOB,
  OPEN,
  QUOTED,
  UNKNOWN,
  UNSAFE,
  unmarked,
  type WordBits,
} from './word.ts';

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
