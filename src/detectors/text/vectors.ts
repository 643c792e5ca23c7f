import { type Code, constant, get, leb, left, or, set } from './assembly.ts';

/** Instructions that leave something other than 0 for each of 16 bytes that is of a class, and 0 for any other. */
type ByteClass = Code;

/** Bytes that are compared at once. */
const VECTOR = 16;
const simd = (code: number): Code => [0xfd, code];
const LOAD = simd(0x00);
const LITERAL = simd(0x0c);
const LOOK_UP = simd(0x0e);
const DIFFERS = simd(0x24);
const AND = simd(0x4e);
const BITS = simd(0x64);
const SHIFT_RIGHT = simd(0x6d);

const literal = (bytes: readonly number[]): Code => [...LITERAL, ...bytes];
const sixteen = (byte: number): Code => literal(new Array<number>(VECTOR).fill(byte));
const load = (address: Code, offset: number): Code => [...address, ...LOAD, 0, ...leb(offset)];

/** One bit for each of 32 bytes, which are two vectors: 1 for those of the class. */
function bits(first: ByteClass, second: ByteClass): Code {
  const set = (one: ByteClass): Code => [...one, ...sixteen(0), ...DIFFERS, ...BITS];
  return or(set(first), left(set(second), VECTOR));
}

/** Bits for the low and for the high half of a byte: it is of a class when it has one of its bits in both. */
class Halves {
  readonly #low: number[] = new Array<number>(VECTOR).fill(0);
  readonly #high: number[] = new Array<number>(VECTOR).fill(0);

  add(lows: readonly number[], highs: readonly number[], bits: number): void {
    for (const half of lows) this.#low[half] = (this.#low[half] as number) | bits;
    for (const half of highs) this.#high[half] = (this.#high[half] as number) | bits;
  }

  /** The bits that each of 16 bytes has for its low half. */
  low(address: Code, offset: number): Code {
    return [...literal(this.#low), ...load(address, offset), ...sixteen(15), ...AND, ...LOOK_UP];
  }

  /** The bits that it has for both. */
  both(address: Code, offset: number): Code {
    const high = [...load(address, offset), ...constant(4), ...SHIFT_RIGHT];
    return [...this.low(address, offset), ...literal(this.#high), ...high, ...LOOK_UP, ...AND];
  }
}

/** Classes of bytes that are told apart at once, in two variables that hold vectors. */
export class ByteClasses {
  readonly #halves = new Halves();
  readonly #bits: readonly number[];
  readonly #variables: readonly [number, number];

  /** Throws a RangeError when the classes take more than eight bits. */
  constructor(classes: readonly (readonly number[])[], variables: readonly [number, number]) {
    this.#variables = variables;
    let bit = 1;
    this.#bits = classes.map((bytes) => {
      const before = bit;
      for (const [lows, highs] of rectangles(bytes)) {
        if (bit > 128) throw new RangeError('the classes take more than eight bits');
        this.#halves.add(lows, highs, bit);
        bit <<= 1;
      }
      return bit - before;
    });
  }

  /** Reads the 32 bytes from an address on. */
  read(address: Code): Code {
    return this.#variables.flatMap((variable, k) => set(variable, this.#halves.both(address, k * VECTOR)));
  }

  /** One bit for each of the 32 bytes that were read: 1 for those of this class. */
  mask(k: number): Code {
    const [first, second] = this.#variables.map((variable) => [
      ...get(variable),
      ...sixteen(this.#bits[k] as number),
      ...AND,
    ]) as unknown as [Code, Code];
    return bits(first, second);
  }
}

/** The bytes as sets of low halves, each with the high halves that go with all of them. */
function rectangles(bytes: readonly number[]): [lows: readonly number[], highs: number[]][] {
  const found: [readonly number[], number[]][] = [];
  for (let high = 0; high < VECTOR; high++) {
    const lows = bytes.filter((byte) => byte >> 4 === high).map((byte) => byte & 15);
    const known = found.find(([others]) => String(others) === String(lows));
    if (known !== undefined) known[1].push(high);
    else if (lows.length > 0) found.push([lows, [high]]);
  }
  return found;
}

/** Bytes of a word that are compared. */
const COMPARED = 5;

/**
 * One bit for each of the 32 bytes from an address on: 1 where one of these words may begin, by its first five bytes, and in some
 * other places. A letter stands for its capital, too. Each group of words, eight at most, has a bit (as in Hyperscan's
 * Teddy): words of a group should share halves of bytes. Low halves are enough behind the first byte.
 */
export function openings(groups: readonly (readonly (readonly number[])[])[], address: Code): Code {
  const tables = Array.from({ length: COMPARED }, (_, place) => {
    const halves = new Halves();
    groups.forEach((words, k) => {
      for (const byte of words.flatMap((word) => bytesAt(word, place)))
        halves.add([byte & 15], [byte >> 4], 1 << k);
    });
    return halves;
  });
  const half = (offset: number): Code =>
    tables.flatMap((halves, k) =>
      k === 0 ? halves.both(address, offset) : [...halves.low(address, offset + k), ...AND],
    );
  return bits(half(0), half(VECTOR));
}

const everyByte = Array.from({ length: 256 }, (_, byte) => byte);

/** What may stand at a place of a word: anything behind its end. */
function bytesAt(word: readonly number[], place: number): readonly number[] {
  const byte = word[place];
  if (byte === undefined) return everyByte;
  return byte >= 97 && byte <= 122 ? [byte, byte - 32] : [byte];
}
