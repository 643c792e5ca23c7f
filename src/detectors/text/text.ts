import { byteAt, CONTROL, EXPANDS, INVISIBLE, intAt, SYMBOL, unitAt } from './bytes.ts';

/** Zero digits of the decimal systems in the basic plane; ten code points from each are digits. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xde6,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];
const INVISIBLES: readonly (readonly [number, number])[] = [
  [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180b, 0x180f],
  [0x200b, 0x200f], [0x202a, 0x202e], [0x2060, 0x206f], [0x2800, 0x2800], [0x3164, 0x3164], [0xfe00, 0xfe0f], [0xfeff, 0xfeff],
  [0xffa0, 0xffa0], [0xfff9, 0xfffb],
]; // biome-ignore format: ranges read better in rows
/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  l: 'łŁ',
  o: 'øØ',
  d: 'đĐðÐ',
  s: 'ßẞ',
  i: 'ı',
  h: 'ħĦ',
  t: 'ŧŦ',
};
const PUNCTUATION: Readonly<Record<string, string>> = {
  '-': '‐‑‒–—―−﹘﹣⁃',
  '"': '“”„‟«»',
  "'": '‘’‚‛‹›′',
  '.': '。․',
  ' ': '\u1680\u2028\u2029\u180e',
};

/** Frequent in prose. NFKC expands them to several characters, but no value contains them. */
const NEVER_IN_VALUES = '…™';

/** Code units that NFKC may change. */
const COMPOSED = [
  [0xa0, 0x250],
  [0x2b0, 0x300],
  [0x1d00, 0x2c00],
  [0x3000, 0x3040],
  [0x3200, 0x3400],
  [0xf900, 0x10000],
] as const;
/** C0 and C1 but for white space and the escape of terminals, and the character that replaces invalid bytes. */
const CONTROLS = [
  [0, 8],
  [11, 12],
  [14, 26],
  [28, 31],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xfffd, 0xfffd],
] as const;

function letterOf(c: number): number {
  // of a pair the first half says what it may be: emoji, mostly, are nothing that is looked for
  if (c >= 0xd800 && c < 0xe000) return c >= 0xdc00 || c === 0xd83d ? SYMBOL : EXPANDS;
  if (c < 0x250 || (c >= 0x2000 && c < 0x2c00) || (c >= 0x3000 && c < 0x3005)) return SYMBOL;
  return c < 0xe00 || (c >= 0x1e00 && c < 0x2000)
    ? 0x80 | (c & 0x3f)
    : Math.min(0xc0 | (c & 0x3f), SYMBOL - 1);
}

/** The NFKD form of each unit between two, without the accents that it takes off. */
function decomposed(from: number, to: number): string[] {
  let units = '';
  for (let c = from; c < to; c++) units += String.fromCharCode(c, 0);
  // one call for all: each takes longer than what it does for a unit
  return units
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split('\0');
}

function foldPlain(plain: string): number {
  const first = plain.charCodeAt(0);
  if (plain.length === 1) return first < 0x80 ? first : letterOf(first);
  return first < 0x80 || plain.length === 0 ? EXPANDS : letterOf(first);
}

/** Ideographs and syllables, two thirds of all units: 64 letters that repeat. */
const OTHERS = [
  [0x3400, 0xd800],
  [0xe000, 0xf900],
] as const;

/**
 * The normalised byte of every UTF-16 code unit. Full-width forms, accents, dashes, quotes, spaces and decimal
 * digits of other scripts become ASCII one for one, so that offsets stay those of the string.
 */
function buildFold(): Uint8Array {
  const fold = new Uint8Array(65536);
  for (let c = 0; c < 0x3400; c++) fold[c] = c < 0x80 ? c : letterOf(c);
  for (const [from, to] of OTHERS) {
    for (let c = from; c < from + 64; c++) fold[c] = Math.min(0xc0 | (c & 0x3f), SYMBOL - 1);
    for (let size = 64; from + size < to; size *= 2)
      fold.copyWithin(from + size, from, Math.min(from + size, to - size));
  }
  for (let c = 0xd800; c < 0xe000; c++) fold[c] = letterOf(c);
  for (const [from, to] of COMPOSED) {
    const plain = decomposed(from, to);
    for (let c = from; c < to; c++) fold[c] = foldPlain(plain[c - from] ?? '');
  }
  // Greek and Cyrillic without accents, capitals as their small letters: words are found in any case
  for (let c = 0x370; c < 0x530; c++)
    fold[c] = letterOf(String.fromCharCode(c).toLowerCase().normalize('NFD').charCodeAt(0));
  for (const [from, to] of CONTROLS) fold.fill(CONTROL, from, to + 1);
  for (const zero of ZEROS) for (let d = 0; d < 10; d++) fold[zero + d] = 48 + d;
  for (const [plain, variants] of Object.entries({ ...PUNCTUATION, ...LETTERS }))
    for (const v of variants) fold[v.charCodeAt(0)] = plain.charCodeAt(0);
  for (const c of NEVER_IN_VALUES) fold[c.charCodeAt(0)] = SYMBOL;
  for (const [from, to] of INVISIBLES) fold.fill(INVISIBLE, from, to + 1);
  return fold;
}

export const FOLD = buildFold();

/** The encoder of the WHATWG Encoding Standard, which every runtime has; the language's own library does not name it. */
declare const TextEncoder: new () => {
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
};
const encoder = new TextEncoder();
/** Below this, copying unit by unit is faster than a call of the encoder. */
const SHORT = 24;

/** At most one in 2^this many bytes of UTF-8 is more than there are units: beyond, copying unit by unit is faster. */
const MAX_EXTRA = 3;
/** The highest bit of each of four bytes: ASCII sets none of them. */
const HIGH_BITS = 0x80808080 | 0;
/** Stands in UTF-8 for half of a surrogate pair. */
const REPLACEMENT = 0xfffd;

/** Zero bytes kept before the text, so that bounded look-behind needs no checks; even, for the pairs. */
const PAD = 64;

/**
 * One string leaf as normalised bytes, one for each UTF-16 code unit, in a buffer that is reused for every leaf.
 * The bytes run from `start` to `end`; a zero byte stands on either side of them.
 */
export class Text {
  bytes: Uint8Array = new Uint8Array(4096 + 2 * PAD);
  /** The same buffer, two bytes at a time. */
  pairs: Uint16Array = new Uint16Array(this.bytes.buffer);
  /** Four bytes at a time. */
  #words: Int32Array = new Int32Array(this.bytes.buffer);
  /** The same from the start of the text on. */
  #body: Uint8Array = this.bytes.subarray(PAD);
  readonly start: number = PAD;
  end: number = PAD;
  /** Whether each byte is the unit itself. */
  isAscii = true;

  /** Replaces the text by a string of any length. */
  load(text: string): void {
    const n = text.length;
    this.#reserve(n < SHORT ? n : n + (n >> MAX_EXTRA));
    this.isAscii = true;
    if (!(n < SHORT ? this.#copy(text) : this.#encode(text))) this.#fold(text);
    this.#finish(PAD + n);
  }

  /** Replaces the text by the first `n` of these UTF-16 units. */
  loadUnits(units: Uint16Array, n: number): void {
    this.#reserve(n);
    for (let i = 0; i < n; i++) this.bytes[PAD + i] = byteAt(FOLD, unitAt(units, i));
    this.#finish(PAD + n);
  }

  /** Replaces the text by the digits of an integer from 0 to 2^53. */
  loadInteger(value: number): void {
    let n = 1;
    for (let top = 10; top <= value; top *= 10) n++;
    let rest = value % 1e8;
    for (let at = PAD + n - 1; at >= PAD; at--) {
      if (at === PAD + n - 9) rest = Math.floor(value / 1e8);
      const left = Math.floor(rest / 10);
      this.bytes[at] = 48 + rest - left * 10;
      rest = left;
    }
    this.#finish(PAD + n);
  }

  #reserve(n: number): void {
    if (n + 2 * PAD <= this.bytes.length) return;
    this.bytes = new Uint8Array((2 * n + 2 * PAD + 3) & ~3);
    this.pairs = new Uint16Array(this.bytes.buffer);
    this.#words = new Int32Array(this.bytes.buffer);
    this.#body = this.bytes.subarray(PAD);
  }

  /** Returns whether the text is ASCII. */
  #copy(text: string): boolean {
    const b = this.bytes;
    let all = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      all |= unit;
      b[PAD + i] = unit;
    }
    return all < 128;
  }

  /**
   * The same for more text, by way of UTF-8: as many bytes as units is ASCII, since every other unit takes more. Returns
   * false when the text has much that is not ASCII, or half of a surrogate pair, which UTF-8 cannot say.
   */
  #encode(text: string): boolean {
    const n = text.length;
    const { read, written } = encoder.encodeInto(text, this.#body);
    if (read < n || written - n > n >> MAX_EXTRA) return false;
    if (written === n) return true;
    this.isAscii = false;
    return this.#unitsOfUtf8(PAD + written);
  }

  /** Puts one byte for each UTF-16 unit in the place of the UTF-8 that ends at `end`. */
  #unitsOfUtf8(end: number): boolean {
    const b = this.bytes;
    const last = end >> 2;
    b.fill(0xff, end, 4 * last + 4);
    let to = PAD;
    for (let from = PAD; from < end; ) {
      const next = this.#skipAscii(from);
      if (from !== to) b.copyWithin(to, from, next);
      to += next - from;
      from = next;
      while (from < end && byteAt(b, from) > 127) {
        const size = decodeUtf8(b, from);
        if (point === REPLACEMENT) return false;
        from += size;
        if (point > 0xffff) b[to++] = byteAt(FOLD, 0xd800 + ((point - 0x10000) >> 10));
        b[to++] = byteAt(FOLD, point > 0xffff ? 0xdc00 + (point & 0x3ff) : point);
      }
    }
    return true;
  }

  /** Position of the next byte from `from` on that is not ASCII; there must be one. */
  #skipAscii(from: number): number {
    const b = this.bytes;
    let i = from;
    while ((i & 3) !== 0 && byteAt(b, i) < 128) i++;
    if ((i & 3) !== 0) return i;
    let word = i >> 2;
    while ((intAt(this.#words, word) & HIGH_BITS) === 0) word++;
    i = word << 2;
    while (byteAt(b, i) < 128) i++;
    return i;
  }

  #fold(text: string): void {
    this.isAscii = false;
    const b = this.bytes;
    for (let i = 0; i < text.length; i++) {
      b[PAD + i] = byteAt(FOLD, text.charCodeAt(i));
    }
  }

  #finish(end: number): void {
    // A former, longer text must not be seen past the end: whoever looks ahead goes byte by byte and stops here.
    this.bytes[end] = 0;
    this.bytes[end + 1] = 0;
    this.end = end;
  }
}

/** The code point that was decoded last. */
let point = 0;

/** Decodes the sequence at `i`, which is whole and not ASCII; returns its size. */
function decodeUtf8(b: Uint8Array, i: number): number {
  const lead = byteAt(b, i);
  const second = byteAt(b, i + 1) & 63;
  if (lead < 0xe0) {
    point = ((lead & 31) << 6) | second;
    return 2;
  }
  const third = byteAt(b, i + 2) & 63;
  if (lead < 0xf0) {
    point = ((lead & 15) << 12) | (second << 6) | third;
    return 3;
  }
  point = ((lead & 7) << 18) | (second << 12) | (third << 6) | (byteAt(b, i + 3) & 63);
  return 4;
}
