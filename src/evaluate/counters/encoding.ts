import type { CounterCell } from '../../schemas/counter-cells.ts';

// Cells as bytes, the same for every backend. Whole numbers below 2^52 take 7 bits a byte; slices are written as differences.

/** Appends numbers to one buffer that is used again and again. */
export class CellWriter {
  #bytes = Buffer.allocUnsafe(65_536);
  #length = 0;

  begin(): void {
    this.#length = 0;
  }
  /** The bytes written since `begin`; valid until `begin` is called again. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** A whole number of at least 0. */
  number(value: number): void {
    this.#reserve(10);
    let left = value;
    while (left >= 128) {
      this.#bytes[this.#length++] = (left % 128) + 128;
      left = left < 0x80000000 ? left >>> 7 : Math.floor(left / 128);
    }
    this.#bytes[this.#length++] = left;
  }
  /** 0 stands for null. */
  nullable(value: number | null): void {
    this.number(value === null ? 0 : value + 1);
  }
  /** A text with a character for each byte. */
  latin1(text: string): void {
    this.#reserve(text.length);
    for (let place = 0; place < text.length; place++) this.#bytes[this.#length++] = text.charCodeAt(place);
  }
  /** Bytes that were written before. */
  raw(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }
  cell({ slices, latest, overflow, resets }: CounterCell): void {
    this.number(latest);
    this.nullable(overflow === null ? null : latest - overflow);
    this.number(resets);
    this.number(slices.length / 2);
    let slice = 0;
    for (let place = 0; place < slices.length; place += 2) {
      const next = slices[place] as number;
      this.number(next - slice);
      slice = next;
      this.#amount(slices[place + 1] as number);
    }
  }

  /** An even number for a whole one, else a 1 and the eight bytes of the double. */
  #amount(value: number): void {
    if (value >= 0 && value < mostWhole && Number.isInteger(value)) this.number(value * 2);
    else {
      this.number(1);
      this.#reserve(8);
      this.#length = this.#bytes.writeDoubleLE(value, this.#length);
    }
  }
  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.#bytes.length + more);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const mostWhole = 2 ** 51;
const endsTooEarly = (): RangeError => new RangeError('the bytes of a scope end too early');

/** Reads what a `CellWriter` wrote, in the same order. */
export class CellReader {
  readonly #bytes: Buffer;
  #place: number;

  constructor(bytes: Buffer, place = 0) {
    this.#bytes = bytes;
    this.#place = place;
  }
  /** Index of the byte that is read next. */
  get place(): number {
    return this.#place;
  }
  number(): number {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.#bytes[this.#place++];
      if (byte === undefined) throw endsTooEarly();
      value += (byte & 127) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
  }
  nullable(): number | null {
    const value = this.number();
    return value === 0 ? null : value - 1;
  }
  skip(length: number): void {
    if (this.#place + length > this.#bytes.length) throw endsTooEarly();
    this.#place += length;
  }
  /** Skips a cell without decoding it. */
  skipCell(): void {
    for (let left = 3; left > 0; left--) this.number();
    for (let left = this.number(); left > 0; left--) {
      this.number();
      if (this.number() % 2 === 1) this.skip(8);
    }
  }
  cell(): CounterCell {
    const latest = this.number();
    const since = this.nullable();
    const resets = this.number();
    const slices: number[] = [];
    let slice = 0;
    for (let left = this.number(); left > 0; left--) {
      slice += this.number();
      slices.push(slice, this.#amount());
    }
    return { slices, latest, overflow: since === null ? null : latest - since, resets };
  }
  #amount(): number {
    const value = this.number();
    if (value % 2 === 0) return value / 2;
    this.skip(8);
    return this.#bytes.readDoubleLE(this.#place - 8);
  }
}
