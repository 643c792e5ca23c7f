import { intAt } from './read.ts';

/** The bytes of a text at which something may begin, one bit each. */
export class Marks {
  #bits = new Int32Array(256);

  /** Forgets all marks of bytes up to `end`. */
  clear(end: number): void {
    const size = (end >> 5) + 2;
    if (size > this.#bits.length) this.#bits = new Int32Array(2 * size);
    else this.#bits.fill(0, 0, size);
  }

  add(i: number): void {
    this.#bits[i >> 5] = intAt(this.#bits, i >> 5) | (1 << (i & 31));
  }

  /** Marks the bytes whose bits are set, of the 32 from `at` on, which is a multiple of 32. */
  addAll(at: number, bits: number): void {
    this.#bits[at >> 5] = intAt(this.#bits, at >> 5) | bits;
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
export function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
