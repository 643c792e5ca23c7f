import { FOLD } from './fold.ts';
import { byteAt, intAt, unitAt } from './read.ts';

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
/** What stands in UTF-8 for half of a surrogate pair. */
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
