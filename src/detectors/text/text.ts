import { FOLD } from './fold.ts';
import { byteAt, unitAt } from './read.ts';

/** The encoder of the WHATWG Encoding Standard, which every runtime has; the language's own library does not name it. */
declare const TextEncoder: new () => {
  encodeInto(text: string, into: Uint8Array): { read: number; written: number };
};
const encoder = new TextEncoder();
/** Below this, copying unit by unit is faster than a call of the encoder. */
const SHORT = 24;

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
  /** The same from the start of the text on. */
  #body: Uint8Array = this.bytes.subarray(PAD);
  readonly start: number = PAD;
  end: number = PAD;

  /** Replaces the text by a string of any length. */
  load(text: string): void {
    const n = text.length;
    this.#reserve(n);
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
    this.bytes = new Uint8Array(2 * n + 2 * PAD);
    this.pairs = new Uint16Array(this.bytes.buffer);
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

  /** The same for more text: in UTF-8 as many bytes as units is ASCII, since every other unit takes more. */
  #encode(text: string): boolean {
    const { read, written } = encoder.encodeInto(text, this.#body);
    return read === text.length && written === read;
  }

  #fold(text: string): void {
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
