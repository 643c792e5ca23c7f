import { AMPERSAND, CLOSE_PAREN, GREATER, isEnd, LESS, NEWLINE, PAREN, PIPE, SEMICOLON } from './cursor.ts';
import { SimpleReader } from './read-simple.ts';
import { nowhere, shareRedirects, UNREADABLE } from './reading.ts';

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

export const startsCompound = (word: string | null): boolean =>
  word !== null && ['{', 'if', 'while', 'until', 'for', 'select', 'case', '[['].includes(word);

/** Compound commands: groups, conditions, loops and functions. */
export abstract class CompoundReader extends SimpleReader {
  /** The place that was last looked at for a reserved word, and that word. */
  #peekedAt = -1;
  #peeked: string | null = null;

  /** Commands until something that ends a list. Returns how many there were. */
  protected abstract list(): number;

  /** A reserved word at this place, or null. */
  protected peekReserved(): string | null {
    const at = this.at;
    if (this.#peekedAt === at) return this.#peeked;
    this.#peekedAt = at;
    this.#peeked = null;
    const text = this.text;
    const words = reservedBy[text.charCodeAt(at)];
    if (words === undefined) return null;
    const second = text.charCodeAt(at + 1);
    for (const word of words) {
      if (word.length > 1 && word.charCodeAt(1) !== second) continue;
      if (!text.startsWith(word, at)) continue;
      const end = at + word.length;
      if (end < text.length && !isEnd(text.charCodeAt(end))) continue;
      this.#peeked = word;
      break;
    }
    return this.#peeked;
  }

  protected expect(word: string): void {
    this.skipNewlines();
    if (this.peekReserved() !== word) throw UNREADABLE;
    this.at += word.length;
  }

  protected nonEmptyList(): void {
    if (this.list() === 0) throw UNREADABLE;
  }

  protected command(): void {
    this.enter();
    const code = this.code();
    const word = code === PAREN ? null : this.peekReserved();
    if (code === PAREN) this.parenthesis();
    else if (word === null || word === 'time') this.simple();
    else this.compound(word);
    this.depth -= 1;
  }

  protected compound(word: string): void {
    const from = this.reading.found.length;
    this.at += word.length;
    switch (word) {
      case '{':
        this.nonEmptyList();
        this.expect('}');
        break;
      case 'if':
        this.if();
        break;
      case 'while':
      case 'until':
        this.nonEmptyList();
        this.doList();
        break;
      case 'for':
      case 'select':
        this.for();
        break;
      case 'case':
        this.case();
        break;
      case '[[':
        this.test();
        break;
      case 'function':
        this.skipBlanks();
        if (!this.readWord()) throw UNREADABLE;
        this.skipBlanks();
        if (this.code() === PAREN) this.emptyParens();
        this.body();
        return;
      case 'coproc':
        this.coproc();
        return;
      default:
        throw UNREADABLE;
    }
    this.last = null;
    this.furtherRedirects(from);
  }

  /**
   * Redirects after a compound command whose first command is `from`: those of the commands in it. Where nothing in it has output, they still
   * write and read, as a command without words.
   */
  protected furtherRedirects(from: number): void {
    const { found } = this.reading;
    const to = found.length;
    const command = this.newCommand();
    this.skipBlanks();
    while (this.redirect(command)) this.skipBlanks();
    if (command.redirects.length > 0 && !shareRedirects(this.reading, from, to, command)) found.push(command);
  }

  protected parenthesis(): void {
    const from = this.reading.found.length;
    if (this.code(1) === PAREN && this.arithmetic(2)) {
      this.furtherRedirects(from);
      return;
    }
    this.at += 1;
    this.nonEmptyList();
    if (this.code() !== CLOSE_PAREN) throw UNREADABLE;
    this.at += 1;
    this.last = null;
    this.furtherRedirects(from);
  }

  protected if(): void {
    this.nonEmptyList();
    this.expect('then');
    this.nonEmptyList();
    for (;;) {
      this.skipNewlines();
      const word = this.peekReserved();
      if (word !== 'elif' && word !== 'else') break;
      this.at += word.length;
      this.nonEmptyList();
      if (word === 'else') break;
      this.expect('then');
      this.nonEmptyList();
    }
    this.expect('fi');
  }

  protected doList(): void {
    this.skipNewlines();
    const opening = this.peekReserved();
    if (opening !== 'do' && opening !== '{') throw UNREADABLE;
    this.at += opening.length;
    this.nonEmptyList();
    this.expect(opening === 'do' ? 'done' : '}');
  }

  protected for(): void {
    this.skipBlanks();
    if (this.code() === PAREN && this.code(1) === PAREN) {
      if (!this.arithmetic(2)) throw UNREADABLE;
    } else {
      if (!this.readWord()) throw UNREADABLE;
      this.assigned(this.word);
      this.skipNewlines();
      const text = this.text;
      if (text.startsWith('in', this.at) && isEnd(this.code(2))) {
        this.at += 2;
        this.skipBlanks();
        while (this.readWord()) this.skipBlanks();
        if (this.code() !== SEMICOLON && this.code() !== NEWLINE) throw UNREADABLE;
      }
    }
    this.skipBlanks();
    if (this.code() === SEMICOLON) this.at += 1;
    this.doList();
  }

  protected case(): void {
    this.skipBlanks();
    if (!this.readWord()) throw UNREADABLE;
    this.skipNewlines();
    if (!(this.text.startsWith('in', this.at) && isEnd(this.code(2)))) throw UNREADABLE;
    this.at += 2;
    for (;;) {
      this.skipNewlines();
      if (this.peekReserved() === 'esac') break;
      if (this.code() === PAREN) {
        this.at += 1;
        this.skipBlanks();
      }
      for (;;) {
        if (!this.readWord()) throw UNREADABLE;
        this.skipBlanks();
        if (this.code() !== PIPE) break;
        this.at += 1;
        this.skipBlanks();
      }
      if (this.code() !== CLOSE_PAREN) throw UNREADABLE;
      this.at += 1;
      this.list();
      if (this.code() !== SEMICOLON) {
        if (this.peekReserved() !== 'esac') throw UNREADABLE;
        continue;
      }
      // `;;`, `;&` and `;;&`
      this.at += 2;
      if (this.code() === AMPERSAND) this.at += 1;
    }
    this.at += 4;
  }

  /** `[[ … ]]`: only its substitutions run something. */
  protected test(): void {
    for (;;) {
      this.skipNewlines();
      const code = this.code();
      if (code < 0 || code === SEMICOLON) throw UNREADABLE;
      if (this.text.startsWith(']]', this.at) && isEnd(this.code(2))) break;
      if (isEnd(code) && !(code === LESS || code === GREATER) && !this.startsProcess()) this.at += 1;
      else if (!this.readWord()) this.at += 1;
    }
    this.at += 2;
  }

  protected coproc(): void {
    this.skipBlanks();
    const from = this.at;
    const isName = this.peekReserved() === null && this.readWord() && this.bits === 0;
    this.skipBlanks();
    const isBody = this.code() === PAREN || startsCompound(this.peekReserved());
    if (!isName || !isBody) this.at = from;
    this.command();
  }

  /** The body of a function: a compound command, and in some shells any. */
  protected body(): void {
    this.skipNewlines();
    // It does not run in this pipeline.
    const [piped, printed] = [this.pipedFrom, this.printed];
    this.pipedFrom = nowhere;
    this.printed = null;
    this.command();
    this.pipedFrom = piped;
    this.printed = printed;
    this.last = null;
  }
}
