import {
  AMPERSAND,
  BACKSLASH,
  BACKTICK,
  BANG,
  CLOSE_PAREN,
  GREATER,
  isEnd,
  LESS,
  NEWLINE,
  PAREN,
  PIPE,
  SEMICOLON,
} from './cursor.ts';
import { SimpleReader } from './read-simple.ts';
import { nowhere, type Reading, shareRedirects, spendOn, UNREADABLE } from './reading.ts';
import { UNSAFE } from './word.ts';

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

const startsCompound = (word: string | null): boolean =>
  word !== null && ['{', 'if', 'while', 'until', 'for', 'select', 'case', '[['].includes(word);

/** Compound commands: groups, conditions, loops and functions. */
abstract class CompoundReader extends SimpleReader {
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

/** Reserved words that end a list. */
const ENDING: ReadonlySet<string> = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

/** Reads the commands of a text by the grammar of bash, which is that of POSIX shells with additions: lists, pipelines, and the texts in a text. */
export class Reader extends CompoundReader {
  protected readonly isSubstituted: boolean;

  constructor(text: string, reading: Reading, isSubstituted: boolean) {
    super(text, reading);
    this.isSubstituted = isSubstituted;
  }

  /** Reads the whole text. Throws UNREADABLE; what was read until then is in `found`. */
  read(): void {
    this.list();
    if (this.at < this.text.length) throw UNREADABLE;
    this.readHeredocs();
  }

  /** Commands until something that ends a list. Returns how many there were. */
  protected list(): number {
    const piped = this.pipedFrom;
    const printed = this.printed;
    let count = 0;
    for (;;) {
      this.skipNewlines();
      const code = this.code();
      if (code < 0 || code === CLOSE_PAREN) break;
      if (code === SEMICOLON) {
        // `;;` of a case; a bare `;` is no command.
        if (this.code(1) === SEMICOLON || this.code(1) === AMPERSAND) break;
        throw UNREADABLE;
      }
      const word = this.peekReserved();
      if (word !== null && ENDING.has(word)) break;
      this.pipedFrom = piped;
      this.printed = printed;
      this.andOr();
      count += 1;
      this.skipBlanks();
      const next = this.code();
      if (next === SEMICOLON) {
        if (this.code(1) === SEMICOLON || this.code(1) === AMPERSAND) break;
        this.at += 1;
      } else if (next === AMPERSAND) {
        this.at += 1;
        // zsh: `&!` and `&|` run in the background as well.
        if (this.code() === BANG && isEnd(this.code(1))) this.at += 1;
      } else if (next !== NEWLINE) break;
    }
    this.pipedFrom = piped;
    this.printed = printed;
    return count;
  }

  protected andOr(): void {
    const piped = this.pipedFrom;
    const printed = this.printed;
    for (;;) {
      this.pipeline();
      this.pipedFrom = piped;
      this.printed = printed;
      this.skipBlanks();
      const code = this.code();
      const isDouble = this.code(1) === code && (code === AMPERSAND || code === PIPE);
      if (!isDouble) return;
      this.at += 2;
      this.skipNewlines();
    }
  }

  protected pipeline(): void {
    const { found } = this.reading;
    this.skipPrefixes();
    for (;;) {
      const mark = found.length;
      this.last = null;
      this.command();
      this.skipBlanks();
      if (this.code() !== PIPE || this.code(1) === PIPE) return;
      this.at += 1;
      if (this.code() === AMPERSAND) this.at += 1;
      this.pipedFrom = [...this.pipedFrom, mark, found.length];
      this.printed = this.last;
      this.skipNewlines();
    }
  }

  /** `!` in front of a pipeline, and `time` where it is no program: in front of `!` and of compound commands. */
  protected skipPrefixes(): void {
    for (;;) {
      this.skipBlanks();
      const start = this.at;
      const word = this.peekReserved();
      if (word !== '!' && word !== 'time') return;
      this.at += word.length;
      if (word === '!') continue;
      this.skipBlanks();
      if (this.text.startsWith('-p', this.at) && isEnd(this.code(2))) {
        this.at += 2;
        this.skipBlanks();
      }
      const next = this.peekReserved();
      if (this.code() === PAREN || next === '!' || startsCompound(next)) continue;
      this.at = start;
      return;
    }
  }

  /** `$(…)`, `<(…)` or `>(…)` as it is written; `opening`: where its parenthesis is. */
  protected substitution(opening: number): string {
    const text = this.text;
    const start = this.at;
    this.enter();
    const inner = new Reader(text, this.reading, true);
    inner.at = start + opening + 1;
    inner.depth = this.depth;
    inner.list();
    if (inner.code() !== CLOSE_PAREN) throw UNREADABLE;
    inner.readHeredocs();
    this.at = inner.at + 1;
    this.depth -= 1;
    return text.slice(start, this.at);
  }

  protected backticks(isQuoted: boolean): string {
    const text = this.text;
    const start = this.at;
    let end = start + 1;
    while (end < text.length && text.charCodeAt(end) !== BACKTICK)
      end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
    if (end >= text.length) throw UNREADABLE;
    const written = text.slice(start + 1, end);
    const command = written.includes('\\')
      ? written.replace(isQuoted ? /\\([\\`$"])/g : /\\([\\`$])/g, '$1')
      : written;
    spendOn(this.reading, command.length);
    const inner = new Reader(command, this.reading, true);
    inner.depth = this.depth;
    inner.enter();
    inner.read();
    this.at = end + 1;
    return text.slice(start, this.at);
  }

  /** Runs the substitutions of a text between double quotes. Returns whether what it becomes is unknown. */
  protected expandsIn(body: string): boolean {
    if (!/[$`]/.test(body)) return false;
    const inner = new Reader(body, this.reading, true);
    spendOn(this.reading, body.length);
    inner.depth = this.depth;
    inner.quotedText(-1);
    return (inner.bits & UNSAFE) !== 0;
  }
}
