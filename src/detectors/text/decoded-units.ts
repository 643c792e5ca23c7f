import { BLANK } from './ascii.ts';
import { byteAt, intAt } from './read.ts';
import type { Text } from './text.ts';

/** Text around an escape or invisible character that is read again: more than any word or label reaches. */
const WINDOW = 256;
/** How far the edge of that is moved to the edge of a word. */
const MAX_WORD = 64;
/** Stands between parts while they are decoded: no character, and no control character that would be dropped. */
export const GAP = 0xffff;

/** A text as UTF-16 units with the offset each had in the leaf; two of them take turns. */
export class Units {
  units: Uint16Array = new Uint16Array(1024);
  origin: Int32Array = new Int32Array(1024);
  length = 0;

  /** Makes room for so many units, so that they may be put without asking. */
  reserve(count: number): void {
    if (count > this.units.length) this.#grow(2 * count);
  }

  push(unit: number, origin: number): void {
    if (this.length === this.units.length) this.#grow(this.length * 2);
    this.units[this.length] = unit;
    this.origin[this.length++] = origin;
  }

  /** The parts of a text around these positions, which are in order, with a gap between them; `loaded` is the same text. */
  load(text: string, loaded: Text, positions: Int32Array, count: number): void {
    this.length = 0;
    let end = 0;
    for (let k = 0; k < count; k++) {
      const from = Math.max(end, wordEdge(text, intAt(positions, k) - WINDOW, -1));
      if (from > end && end > 0) this.push(GAP, end);
      while (k + 1 < count && intAt(positions, k + 1) - intAt(positions, k) <= 2 * WINDOW) k++;
      end = Math.min(text.length, wordEdge(text, intAt(positions, k) + WINDOW, 1));
      this.#copy(text, loaded, from, end);
    }
  }

  #copy(text: string, loaded: Text, from: number, to: number): void {
    this.reserve(this.length + to - from);
    const { units, origin } = this;
    const { bytes, start, isAscii } = loaded;
    const shift = this.length - from;
    // characters of a string are slower to come by than the bytes of ASCII
    if (isAscii) for (let i = from; i < to; i++) units[i + shift] = byteAt(bytes, start + i);
    else for (let i = from; i < to; i++) units[i + shift] = text.charCodeAt(i);
    for (let i = from; i < to; i++) origin[i + shift] = i;
    this.length += to - from;
  }

  /** Puts zeros into the gaps: no word reaches across one. */
  closeGaps(bytes: Uint8Array): void {
    const { units, length } = this;
    for (let i = 0; i < length; i++) if (units[i] === GAP) bytes[i] = 0;
  }

  #grow(size: number): void {
    const { units, origin } = this;
    this.units = new Uint16Array(size);
    this.origin = new Int32Array(size);
    this.units.set(units);
    this.origin.set(origin);
  }
}

/** The nearest blank or line break from `at` on in one direction, so that no number or word is cut in two. */
function wordEdge(text: string, at: number, step: 1 | -1): number {
  let i = at;
  for (let k = 0; k < MAX_WORD && i >= 0 && i < text.length; k++, i += step)
    if (text.charCodeAt(i) <= BLANK) return i;
  return Math.max(0, at);
}
