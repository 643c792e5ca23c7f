import {
  AMPERSAND,
  BACKSLASH,
  BACKTICK,
  BANG,
  CLOSE_PAREN,
  isEnd,
  NEWLINE,
  PAREN,
  PIPE,
  SEMICOLON,
} from './cursor.ts';
import { CompoundReader, startsCompound } from './read-compounds.ts';
import { type Reading, spendOn, UNREADABLE } from './reading.ts';
import { UNSAFE } from './word.ts';

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
