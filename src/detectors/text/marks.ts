import { intAt } from './read.ts';

/** The bytes of a text at which something may begin, one bit each. */
export class Marks {
  #bits = new Int32Array(256);

  /** Makes room for marks of bytes up to `end`. */
  reserve(end: number): void {
    const size = (end >> 5) + 2;
    if (size > this.#bits.length) this.#bits = new Int32Array(2 * size);
  }

  add(i: number): void {
    this.#bits[i >> 5] = intAt(this.#bits, i >> 5) | (1 << (i & 31));
  }

  /** Marks the bytes whose bits are set, and no others, from `at` on, which is a multiple of 32. */
  setAll(at: number, masks: Int32Array): void {
    this.#bits.set(masks, at >> 5);
  }

  /** The first marked byte from `i` on; there must be one. */
  next(i: number): number {
    const bits = this.#bits;
    let block = i >> 5;
    let left = intAt(bits, block) & (-1 << (i & 31));
    while (left === 0) left = intAt(bits, ++block);
    return (block << 5) + lowest(left);
  }
}

/** The place of the lowest bit; there must be one. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
