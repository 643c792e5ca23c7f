/** One step of a JSON Pointer (RFC 6901). */
export const pointerToken = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The first place where a text is not JSON (`syntax`), or not JSON that we accept (`value`). */
export class JsonMistake extends Error {
  readonly kind: 'syntax' | 'value';
  /** In UTF-16 units from the start of the text. */
  readonly offset: number;
  /** JSON Pointer of the key or value, or of where the syntax breaks. */
  readonly path: string;

  constructor(kind: JsonMistake['kind'], message: string, offset: number, path: string) {
    super(message);
    this.name = 'JsonMistake';
    this.kind = kind;
    this.offset = offset;
    this.path = path;
  }
}

/** An object or array that is still open. */
type Level =
  | { readonly object: Record<string, unknown>; readonly array: null; key: string }
  | { readonly object: null; readonly array: unknown[] };

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORDS: readonly [string, unknown][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const SHORT_ESCAPES = '"\\/bfnrt';
const HEX = /[0-9a-fA-F]{4}/y;

/**
 * The value of a JSON text: as `JSON.parse` gives it, but integers beyond ±(2^53 - 1) are bigints, and a key that occurs
 * twice in an object is a mistake. Throws a JsonMistake for the first mistake. Takes about five times as long as
 * `JSON.parse`, and no recursion, so any depth is safe. `bigInteger` makes something else of the bigints.
 */
export const readExactly = (
  text: string,
  bigInteger: (value: bigint) => unknown = (value) => value,
): unknown => new JsonReader(text, bigInteger).read();

/** `readExactly` in parts: a text of a megabyte takes a tenth of a second. */
export class JsonReader {
  readonly #text: string;
  readonly #bigInteger: (value: bigint) => unknown;
  readonly #deepest: number;
  readonly #levels: Level[] = [];
  #at = 0;

  /** A value that is nested deeper than `deepest` levels is a mistake. */
  constructor(
    text: string,
    bigInteger: (value: bigint) => unknown = (value) => value,
    deepest = Number.POSITIVE_INFINITY,
  ) {
    this.#text = text;
    this.#bigInteger = bigInteger;
    this.#deepest = deepest;
  }

  /** The value of the text; UNFINISHED after reading `most` values and starts of values: the next call goes on from there. */
  read(most = Number.POSITIVE_INFINITY): unknown {
    for (let left = most; left > 0; left--) {
      const value = this.#value();
      if (value === OPENED) continue;
      const end = this.#close(value);
      if (end !== UNFINISHED) return end;
    }
    return UNFINISHED;
  }

  /** Reads a scalar or an empty collection; OPENED after the start of any other collection. */
  #value(): unknown {
    const char = this.#next();
    if ((char === '{' || char === '[') && this.#levels.length === this.#deepest)
      this.#fail(`must not be nested deeper than ${this.#deepest} levels`, this.#at, 'value');
    if (char === '{') {
      this.#at++;
      const object: Record<string, unknown> = {};
      if (this.#take('}')) return object;
      this.#levels.push({ object, array: null, key: '' });
      this.#key();
      return OPENED;
    }
    if (char === '[') {
      this.#at++;
      const array: unknown[] = [];
      if (this.#take(']')) return array;
      this.#levels.push({ object: null, array });
      return OPENED;
    }
    return char === '"' ? this.#string() : this.#scalar();
  }

  /** Puts a value into its collection, and closes all that end after it; the whole value at the end of the text. */
  #close(first: unknown): unknown {
    let value = first;
    for (;;) {
      const level = this.#levels.at(-1);
      if (level === undefined) {
        if (this.#next() !== undefined) this.#fail('expected nothing after the value');
        return value;
      }
      if (level.array) level.array.push(value);
      else define(level.object, level.key, value);
      if (this.#take(',')) {
        if (level.object) this.#key();
        return UNFINISHED;
      }
      const close = level.array ? ']' : '}';
      if (!this.#take(close)) this.#fail(`expected "," or "${close}"`);
      value = level.array ?? level.object;
      this.#levels.pop();
    }
  }

  #key(): void {
    if (this.#next() !== '"') this.#fail('expected a key in double quotes');
    const start = this.#at;
    const key = this.#string();
    const level = this.#levels.at(-1) as Level & { key: string };
    level.key = key;
    if (Object.hasOwn(level.object as object, key)) {
      this.#fail('the key occurs twice in its object', start, 'value');
    }
    if (!this.#take(':')) this.#fail('expected ":" after a key');
  }

  #scalar(): unknown {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    NUMBER.lastIndex = this.#at;
    const digits = NUMBER.exec(this.#text)?.[0];
    if (digits === undefined) this.#fail('expected a value');
    this.#at += digits.length;
    const value = Number(digits);
    if (Number.isSafeInteger(value)) return value;
    const start = this.#at - digits.length;
    if (/[.eE]/.test(digits)) {
      if (!Number.isFinite(value)) this.#fail('must lie within ±1.7976931348623157e308', start, 'value');
      return value;
    }
    if (digits.length > MOST_DIGITS) this.#fail(`must have at most ${MOST_DIGITS} digits`, start, 'value');
    return this.#bigInteger(BigInt(digits));
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let isEscaped = false;
    let at = start + 1;
    for (; text.charCodeAt(at) !== 0x22; at++) {
      const code = text.charCodeAt(at);
      if (Number.isNaN(code)) this.#fail('expected the end of a string', at);
      if (code < 0x20) this.#fail('a control character in a string must be escaped', at);
      if (code !== 0x5c) continue;
      isEscaped = true;
      at++;
      if (text[at] === 'u') {
        HEX.lastIndex = at + 1;
        if (!HEX.test(text)) this.#fail('expected four hexadecimal digits after "\\u"', at - 1);
        at += 4;
      } else if (at >= text.length || !SHORT_ESCAPES.includes(text[at] as string)) {
        this.#fail('not an escape sequence of JSON', at - 1);
      }
    }
    this.#at = at + 1;
    // JSON.parse reads strings right; only keys go wrong in it (see members.ts).
    return isEscaped ? (JSON.parse(text.slice(start, this.#at)) as string) : text.slice(start + 1, at);
  }

  #take(char: string): boolean {
    if (this.#next() !== char) return false;
    this.#at++;
    return true;
  }

  /** The next character that is not white space; undefined at the end. */
  #next(): string | undefined {
    const text = this.#text;
    for (;;) {
      const code = text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return text[this.#at];
      this.#at++;
    }
  }

  #fail(message: string, offset = this.#at, kind: JsonMistake['kind'] = 'syntax'): never {
    const found = offset >= this.#text.length ? `${message}, found the end of the text` : message;
    throw new JsonMistake(kind, found, offset, this.#path());
  }

  #path(): string {
    return this.#levels
      .map((level) => `/${pointerToken(level.array ? String(level.array.length) : level.key)}`)
      .join('');
  }
}

const OPENED = Symbol('opened');
/** Stands for a value that has not ended yet. */
export const UNFINISHED: unique symbol = Symbol('unfinished');

/** Longer ones cost too much to convert: the time grows faster than the length. */
const MOST_DIGITS = 1_024;

/** Assigned, `__proto__` would replace the prototype instead of adding a key. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
