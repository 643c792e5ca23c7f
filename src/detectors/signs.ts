import { labelEndings } from './secrets/classifier.ts';
import { FLAG_LETTERS } from './secrets/commands.ts';
import { isLabelByte, QUOTE } from './secrets/labels.ts';
import { forPrefixes } from './secrets/vendor-match.ts';
import { BLANK, RIGHT_BRACKET } from './text/ascii.ts';
import {
  and,
  byteAt as byteOf,
  type Code,
  constant,
  get,
  left,
  load,
  minus,
  or,
  plus,
  right,
  rightBy,
  set,
  tee,
  unitAt as unitOf,
} from './text/assembly.ts';
import { ALNUM, ALPHA, CLASS, DIGIT, HEX, UPPER, WORD } from './text/bytes.ts';
import { byteAt, unitAt } from './text/read.ts';
import { AIRTABLE } from './tokens/punctuated.ts';

/**
 * Which signs may begin anything, by the bytes around them: nine in ten of those in code and prose begin nothing. What the
 * recogniser of a sign asks of single bytes stands here as tables, so that a look takes no branch: a processor guesses
 * every other one wrong. A sign at which something is recognised must never be dropped; one too many only costs time.
 * `test/detectors/marks.test.ts` reads texts both ways.
 */

/** Signs before which labels stand, and all others; each has a bit of its own in all tables. */
export const OPERATORS = ':=';
export const OTHERS = '._-\\%&<+';
const SIGNS = OPERATORS + OTHERS;
const BITS = new Uint16Array(256);
for (let k = 0; k < SIGNS.length; k++) BITS[SIGNS.charCodeAt(k)] = 1 << k;
const LABELLED = bitsOf(OPERATORS);

function bitsOf(signs: string): number {
  let bits = 0;
  for (const sign of signs) bits |= unitAt(BITS, sign.charCodeAt(0));
  return bits;
}

type Bytes = string | ((byte: number) => boolean);
const of =
  (classes: number, others = ''): Bytes =>
  (byte) =>
    (byteAt(CLASS, byte) & classes) !== 0 || others.includes(String.fromCharCode(byte));
const hex: Bytes = (byte) => byteAt(HEX, byte) < 16;
const any: Bytes = () => true;

/** For each byte, the signs beside which it may stand. */
function beside(...rows: readonly (readonly [signs: string, bytes: Bytes])[]): Uint16Array {
  const table = new Uint16Array(256);
  for (const [signs, bytes] of rows)
    for (let c = 0; c < 256; c++)
      if (typeof bytes === 'string' ? bytes.includes(String.fromCharCode(c)) : bytes(c))
        table[c] = unitAt(table, c) | bitsOf(signs);
  return table;
}

/** Letters, digits and parentheses: parts of what a form writes with a plus for a space. */
const PART = of(ALNUM, '()-');

/** One byte is enough: behind the sign, so far behind it, before it. */
const NEXT = beside(
  ['.', 'a'], // .acc_, .atlasv1.
  ['-', '-S'], // --password, -----BEGIN, -SecureString
  [':', '/:'], // https://, ::1
  ['=', '245\n\r'], // quoted-printable text
  ['\\', 'ux0123'],
  ['%', 'u234567'],
  ['&', of(ALPHA, '#')], // &#64;, &nbsp;
  ['<', 'wWbB/'], // <wbr>, <br>, </password>
);
const THIRD = beside(['-:', '-:']); // 00-11-22-33-44-55
const FIFTH = beside(['.', '.']); // 0011.2233.4455
const AT_33 = beside([':', ':']); // hashes of Windows
const LAST = beside(['-', of(WORD)], [':', '2'], ['=', 'gG'], ['&+', '\'"']);
const AT_17 = beside(['.', 'p']); // patAbCdEfGhIjKlMn.
/** Two bytes are enough, one on either side, or the two behind the sign. */
const BEFORE = beside(['-', ' '], [':', hex], ['<', of(WORD)], ['+', PART]);
const BEHIND = beside(['-', of(UPPER, FLAG_LETTERS)], [':', hex], ['<', of(ALPHA, '!/')], ['+', PART]);
const SECOND_OF = beside([':', of(DIGIT)], ['\\', of(WORD, '\\')]);
const FIRST_OF = beside([':', of(DIGIT)], ['\\', 'ntrbf"\'/\\']);
/** What must stand behind a sign before which a prefix ends. */
const BEHIND_PREFIX = beside(['._', of(WORD, '+/=.~-')], ['-:=\\%&<+', any]);
/** Padding of base64 without a digit: letters up to 23 places before it, none behind it. */
const WORDS = beside(['=', of(WORD)]);
const NO_WORDS = beside(['=', (byte) => (byteAt(CLASS, byte) & WORD) === 0]);

/** The two bytes before a sign that are enough. */
const PAIRS = new Uint16Array(128 * 128);
const pairOf = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);
function afterPair(pair: string, signs: string): void {
  const at = pairOf(pair.charCodeAt(0), pair.charCodeAt(1));
  PAIRS[at] = unitAt(PAIRS, at) | bitsOf(signs);
}
forPrefixes((pair, sign) => afterPair(pair, sign));
for (const pair of ['tp', '/p', '"P']) afterPair(pair, ':'); // scrypt:, /p:, "P":
for (const pair of ['re', 'RE', 'rE', 'Re']) afterPair(pair, '='); // signature=
for (const pair of ['" ', "' "]) afterPair(pair, '&+'); // "…" + "…"
afterPair('p ', '-'); // ftp -

/** 1 for bytes between a label and its sign. */
const BETWEEN = new Uint8Array(256);
for (let c = 0; c < 256; c++) BETWEEN[c] = QUOTE[c] === 1 || c === BLANK || c === RIGHT_BRACKET ? 1 : 0;
/** 1 for bytes that may stand behind the letters of a label, and for letters of other scripts. */
const SUFFIX = new Uint8Array(256);
const FOREIGN = new Uint8Array(256);
for (let c = 0; c < 128; c++) SUFFIX[c] = (byteAt(CLASS, c) & ALPHA) === 0 ? 1 : 0;
FOREIGN.fill(1, 128);
const ENDINGS = labelEndings.marks.slice();
ENDINGS[(9 << 5) | 19] = -1; // my recovery phrase is:
/** 1 for bytes of labels. */
const LABEL = new Uint8Array(256);
for (let c = 0; c < 256; c++) LABEL[c] = isLabelByte(c) ? 1 : 0;

/** A table that the program reads, and where it stands in its memory. */
export interface Placed {
  table: Uint8Array | Uint16Array | Int32Array;
  address: number;
}

/** How far before its sign the variable points that names the place: addresses have no negative offsets. */
export const BACK = 32;
/** Variables of its own that the program needs. */
export const SIGN_VARIABLES = 6;

/**
 * Programs that leave 1 where anything may begin at the sign that stands `BACK` bytes behind the address in the variable
 * `place`, else 0. Their own variables begin with `own`; the tables must be put at their addresses, from `address` on.
 */
export class SignPrograms {
  readonly tables: Placed[] = [];
  /** For an operator, and for any other sign. */
  readonly operator: Code;
  readonly other: Code;
  readonly #place: number;
  readonly #own: number;
  readonly #last: number;
  readonly #next: number;
  #free: number;

  constructor(place: number, own: number, address: number) {
    this.#place = place;
    this.#own = own;
    this.#last = own + 4;
    this.#next = own + 5;
    this.#free = address;
    const look = (table: Uint16Array, offset: number): Code => this.#bits(table, this.#at(offset));
    const padding = and(look(WORDS, -1), look(NO_WORDS, 1), look(WORDS, -12), look(WORDS, -23));
    const labelled = and(minus(constant(0), this.#mayBeLabelled()), constant(LABELLED));
    this.operator = this.#program(look(AT_33, 33), padding, labelled);
    this.other = this.#program(look(FIFTH, 5), look(AT_17, -AIRTABLE));
  }

  /** What tells of every sign, with what tells of some. */
  #program(...more: readonly Code[]): Code {
    const look = (table: Uint16Array, offset: number): Code => this.#bits(table, this.#at(offset));
    const pair = or(left(and(this.#at(-2), constant(127)), 7), and(this.#at(-1), constant(127)));
    const may = or(
      and(this.#bits(PAIRS, pair), look(BEHIND_PREFIX, 1)),
      look(NEXT, 1),
      look(LAST, -1),
      and(look(BEFORE, -1), look(BEHIND, 1)),
      and(look(FIRST_OF, 1), look(SECOND_OF, 2)),
      look(THIRD, 3),
      ...more,
    );
    return [
      ...set(this.#last, byteOf(get(this.#place), BACK - 1)),
      ...set(this.#next, byteOf(get(this.#place), BACK + 1)),
      ...right(minus(constant(0), and(may, look(BITS, 0))), 31),
    ];
  }

  /** The byte so far behind the sign. */
  #at(offset: number): Code {
    if (offset === -1) return get(this.#last);
    return offset === 1 ? get(this.#next) : byteOf(get(this.#place), BACK + offset);
  }

  /** 1 where a label may end before the sign: see `labelEnd` in assignments and `LabelEndings.fits`. */
  #mayBeLabelled(): Code {
    const [one, two, three, end] = [0, 1, 2, 3].map((k) => this.#own + k) as [number, number, number, number];
    const before = (k: number): Code => this.#byte(BETWEEN, byteOf(get(this.#place), BACK - k));
    const gap = plus(
      plus(tee(one, before(1)), tee(two, and(get(one), before(2)))),
      plus(tee(three, and(get(two), before(3))), and(get(three), before(4))),
    );
    const letter = (k: number): Code => byteOf(get(end), BACK - k);
    const suffix = plus(
      tee(one, this.#byte(SUFFIX, letter(1))),
      and(get(one), this.#byte(SUFFIX, letter(2))),
    );
    const low = (k: number): Code => and(letter(k), constant(31));
    const slot = or(left(low(3), 10), left(low(2), 5), low(1));
    const fits = rightBy(this.#int(ENDINGS, slot), letter(4));
    return [
      ...set(end, minus(get(this.#place), gap)),
      ...set(two, this.#byte(LABEL, letter(1))),
      ...set(end, minus(get(end), suffix)),
      ...and(or(fits, this.#byte(FOREIGN, letter(1))), get(two)),
    ];
  }

  #byte(table: Uint8Array, index: Code): Code {
    return byteOf(index, this.#addressOf(table));
  }

  #bits(table: Uint16Array, index: Code): Code {
    return unitOf(left(index, 1), this.#addressOf(table));
  }

  #int(table: Int32Array, index: Code): Code {
    return load(left(index, 2), this.#addressOf(table));
  }

  #addressOf(table: Uint8Array | Uint16Array | Int32Array): number {
    const known = this.tables.find((placed) => placed.table === table);
    if (known !== undefined) return known.address;
    const address = this.#free;
    this.tables.push({ table, address });
    this.#free += (table.byteLength + 3) & ~3;
    return address;
  }

  /** Where the tables end. */
  get end(): number {
    return this.#free;
  }
}
