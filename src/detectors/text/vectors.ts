import { type Code, constant, get, leb, left, or, set } from './assembly.ts';

/** Instructions that leave something other than 0 for each of 16 bytes that is of a class, and 0 for any other. */
type ByteClass = Code;

/** Bytes that are compared at once. */
const VECTOR = 16;
const simd = (code: number): Code => [0xfd, ...leb(code)];
const LOAD = simd(0x00);
const LOOK_UP = simd(0x0e);
const DIFFERS = simd(0x24);
const AND = simd(0x4e);
const BITS = simd(0x64);
const SHIFT_RIGHT = simd(0x8d); // in lanes of 16 bits: processors have no other

/**
 * Vectors that the instructions use, and where the program must have them in its memory. Read from there they cost a load;
 * as instructions of their own they are built anew in each block, which takes a tenth of the time.
 */
export const LITERALS_AT = 16;
export const literals: number[] = [];

const load = (address: Code, offset: number): Code => [...address, ...LOAD, 0, ...leb(offset)];

function literal(bytes: readonly number[]): Code {
  const text = String(bytes);
  let at = 0;
  while (at < literals.length && String(literals.slice(at, at + VECTOR)) !== text) at += VECTOR;
  if (at === literals.length) literals.push(...bytes);
  return load(constant(0), LITERALS_AT + at);
}

const sixteen = (byte: number): Code => literal(new Array<number>(VECTOR).fill(byte));

/** One bit for each of 32 bytes, which are two vectors: 1 for those of the class. */
function bits(first: ByteClass, second: ByteClass): Code {
  const set = (one: ByteClass): Code => [...one, ...sixteen(0), ...DIFFERS, ...BITS];
  return or(set(first), left(set(second), VECTOR));
}

const lowHalves = (bytes: Code): Code => [...bytes, ...sixteen(15), ...AND];
const highHalves = (bytes: Code): Code => lowHalves([...bytes, ...constant(4), ...SHIFT_RIGHT]);

/** Bits for the low and for the high half of a byte: it is of a class when it has one of its bits in both. */
class Halves {
  readonly #low: number[] = new Array<number>(VECTOR).fill(0);
  readonly #high: number[] = new Array<number>(VECTOR).fill(0);

  add(lows: readonly number[], highs: readonly number[], bits: number): void {
    for (const half of lows) this.#low[half] = (this.#low[half] as number) | bits;
    for (const half of highs) this.#high[half] = (this.#high[half] as number) | bits;
  }

  /** The bits that each of 16 bytes has for its low half. */
  low(lows: Code): Code {
    return [...literal(this.#low), ...lows, ...LOOK_UP];
  }

  /** The bits that it has for both. */
  both(lows: Code, highs: Code): Code {
    return [...this.low(lows), ...literal(this.#high), ...highs, ...LOOK_UP, ...AND];
  }
}

/** The 32 bytes from an address on, as low and high halves in four variables that hold vectors. */
export class Bytes {
  static readonly VARIABLES = 4;
  readonly address: Code;
  readonly #first: number;

  constructor(address: Code, first: number) {
    this.address = address;
    this.#first = first;
  }

  read(): Code {
    return [0, 1].flatMap((k) => {
      const bytes = load(this.address, k * VECTOR);
      return [
        ...set(this.#first + 2 * k, lowHalves(bytes)),
        ...set(this.#first + 2 * k + 1, highHalves(bytes)),
      ];
    });
  }

  /** The halves of the first or second 16 bytes. */
  halves(k: number): [lows: Code, highs: Code] {
    return [get(this.#first + 2 * k), get(this.#first + 2 * k + 1)];
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

  read(bytes: Bytes): Code {
    return this.#variables.flatMap((variable, k) => set(variable, this.#halves.both(...bytes.halves(k))));
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
 * One bit for each of 32 bytes: 1 where one of these words may begin, by its first five bytes, and in some
 * other places. A letter stands for its capital, too. Each group of words, eight at most, has a bit (as in Hyperscan's
 * Teddy): words of a group should share halves of bytes. Low halves are enough behind the first byte.
 */
export function openings(groups: readonly (readonly (readonly number[])[])[], bytes: Bytes): Code {
  const tables = Array.from({ length: COMPARED }, (_, place) => {
    const halves = new Halves();
    groups.forEach((words, k) => {
      for (const byte of words.flatMap((word) => bytesAt(word, place)))
        halves.add([byte & 15], [byte >> 4], 1 << k);
    });
    return halves;
  });
  const half = (vector: number): Code =>
    tables.flatMap((halves, k) =>
      k === 0
        ? halves.both(...bytes.halves(vector))
        : [...halves.low(lowHalves(load(bytes.address, vector * VECTOR + k))), ...AND],
    );
  return bits(half(0), half(1));
}

const everyByte = Array.from({ length: 256 }, (_, byte) => byte);

/** What may stand at a place of a word: anything behind its end. */
function bytesAt(word: readonly number[], place: number): readonly number[] {
  const byte = word[place];
  if (byte === undefined) return everyByte;
  return byte >= 97 && byte <= 122 ? [byte, byte - 32] : [byte];
}
