import { SPOT_GROUPS, SPOT_OPENINGS, spotAt } from './secrets/label-spots.ts';
import { BACK, OPERATORS, OTHERS, SIGN_VARIABLES, SignPrograms } from './signs.ts';
import { DIGIT_0, DOLLAR, GREATER_THAN, RIGHT_BRACE, SLASH, TILDE } from './text/ascii.ts';
import {
  and,
  bitCount,
  byteAt as byteOf,
  type Code,
  compile,
  constant,
  get,
  isBelow,
  left,
  leftBy,
  load,
  lowestBit,
  minus,
  not,
  or,
  plus,
  right,
  rightBy,
  set,
  store,
  storeUnit,
  whileTrue,
} from './text/assembly.ts';
import { UPPER, WORD } from './text/bytes.ts';
import type { Marks } from './text/marks.ts';
import { byteAt, classAt, intAt, is, unitAt } from './text/read.ts';
import type { Text } from './text/text.ts';
import { AT, CONTROL, END, KIND, NUMERAL } from './text/triggers.ts';
import { ByteClasses, Bytes, LITERALS_AT, literals, openings } from './text/vectors.ts';

/** Bytes of which a mask tells. */
const BLOCK = 32;
/** Bytes of text that are read at once, and those after them that may be looked at. */
const CHUNK = 16_384;
const AFTER = 96;
const BLOCKS = CHUNK / BLOCK + 2;

/** Where things stand in the memory of the program: the ends of both lists, literals, the text, masks of marks and of digits, … */
const ENDS = 0;
const TEXT = 2048;
const MARKS_AT = TEXT + CHUNK + AFTER;
const DIGITS_AT = MARKS_AT + 4 * BLOCKS;
/**
 * … lists of places in the text, 16 bits each, with room for every one: of digits that stand alone, which are no
 * neighbours, and of words that may name secrets; tables.
 */
const DIGIT_LIST = DIGITS_AT + 4 * BLOCKS;
const WORD_LIST = DIGIT_LIST + CHUNK + BLOCK;
const OPENINGS_AT = WORD_LIST + 2 * (CHUNK + BLOCK);
const TABLES_AT = OPENINGS_AT + SPOT_OPENINGS.length;

/** The parameter of the program, where the text ends, and its variables. */
const [TO, FROM, INTO, LEFT, MARKS, PLACE, BIT, BEFORE, DIGITS, WORDS, OWN] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];
const VECTORS = OWN + SIGN_VARIABLES;
/** From a mask of marks to that of the digits of the same block. */
const TO_DIGITS = DIGITS_AT - MARKS_AT;
/** Digits near each other that tell a value: 14 de septiembre de 84, a code of three. */
const MIN_DIGITS = 3;

const bytesOf = (...kinds: readonly number[]): readonly number[] =>
  [...KIND.keys()].filter((byte) => kinds.includes(byteAt(KIND, byte)));

const codesOf = (chars: string): readonly number[] => [...chars].map((c) => c.charCodeAt(0));

/** Runs the body for each bit of a mask, whose place is in the variable `BIT`. */
function forEachBit(bits: Code, body: Code): Code {
  return [
    ...set(LEFT, bits),
    ...whileTrue(get(LEFT), [
      ...set(BIT, lowestBit(get(LEFT))),
      ...body,
      ...set(LEFT, and(get(LEFT), minus(get(LEFT), constant(1)))),
    ]),
  ];
}

/** Marks those of the signs at which something may begin. */
function marked(signs: Code, mayBegin: Code): Code {
  return forEachBit(signs, [
    ...set(PLACE, minus(plus(get(FROM), get(BIT)), constant(BACK))),
    ...set(MARKS, or(get(MARKS), leftBy(mayBegin, get(BIT)))),
  ]);
}

/** Runs the body for each block of the text. */
function forEachBlock(body: Code): Code {
  return [
    ...set(FROM, constant(TEXT)),
    ...set(INTO, constant(MARKS_AT)),
    ...whileTrue(isBelow(get(FROM), get(TO)), [
      ...body,
      ...set(FROM, plus(get(FROM), constant(BLOCK))),
      ...set(INTO, plus(get(INTO), constant(4))),
    ]),
  ];
}

/** Puts the place in the variable `PLACE` at the end of a list, which moves on where `isIn` is 1. */
function put(list: number, isIn: Code): Code {
  return [
    ...storeUnit(get(list), 0, minus(get(PLACE), constant(TEXT))),
    ...set(list, plus(get(list), left(isIn, 1))),
  ];
}

/** Lists words that may name secrets, by their first five bytes in part and then by the first three. */
function listWords(bytes: Bytes): Code {
  const low = (k: number): Code => and(byteOf(get(PLACE), k), constant(31));
  const slot = or(left(low(0), 10), left(low(1), 5), low(2));
  return forEachBit(openings(SPOT_GROUPS, bytes), [
    ...set(PLACE, plus(get(FROM), get(BIT))),
    ...put(WORDS, byteOf(slot, OPENINGS_AT)),
  ]);
}

/** Marks signs, lists words that may name secrets, and writes a mask of all digits. */
function readBlock({ operator, other }: SignPrograms): Code {
  const bytes = new Bytes(get(FROM), VECTORS + 4);
  const classes = [codesOf(OPERATORS), codesOf(OTHERS), bytesOf(NUMERAL)];
  const signs = new ByteClasses(classes, [VECTORS, VECTORS + 1]);
  const always = new ByteClasses([bytesOf(AT, CONTROL, END)], [VECTORS + 2, VECTORS + 3]);
  const [operators, others, digits] = classes.map((_, k) => signs.mask(k)) as [Code, Code, Code];
  return [
    ...[...bytes.read(), ...signs.read(bytes), ...always.read(bytes)],
    ...set(MARKS, always.mask(0)),
    ...marked(operators, operator),
    ...marked(others, other),
    ...store(get(INTO), TO_DIGITS, digits),
    ...store(get(INTO), 0, get(MARKS)),
    ...listWords(bytes),
  ];
}

/** Marks the first digits of numbers that have others near them, and lists the other first ones. */
function readNumbers(): Code {
  const digits = load(get(INTO), TO_DIGITS);
  const next = load(get(INTO), TO_DIGITS + 4);
  const near = or(
    rightBy(digits, get(BIT)),
    leftBy(left(next, 1), minus(constant(BLOCK - 1), get(BIT))), // 32 places to the left is none
  );
  const openings = and(digits, minus(constant(-1), or(left(digits, 1), get(BEFORE))));
  const isAlone = isBelow(bitCount(near), constant(MIN_DIGITS));
  return [
    ...set(MARKS, load(get(INTO), 0)),
    ...forEachBit(openings, [
      ...set(OWN, isAlone),
      ...set(PLACE, plus(get(FROM), get(BIT))),
      ...put(DIGITS, get(OWN)),
      ...set(MARKS, or(get(MARKS), leftBy(not(get(OWN)), get(BIT)))),
    ]),
    ...set(BEFORE, right(digits, BLOCK - 1)),
    ...store(get(INTO), 0, get(MARKS)),
  ];
}

const programs = new SignPrograms(PLACE, OWN, TABLES_AT);
const before = byteOf(constant(TEXT - 1), 0);
const body = [
  ...set(DIGITS, constant(DIGIT_LIST)),
  ...set(WORDS, constant(WORD_LIST)),
  ...forEachBlock(readBlock(programs)),
  ...set(BEFORE, isBelow(minus(before, constant(DIGIT_0)), constant(10))),
  ...forEachBlock(readNumbers()),
  ...store(constant(ENDS), 0, get(DIGITS)),
  ...store(constant(ENDS), 4, get(WORDS)),
];
const { run, memory } = compile(body, VECTORS, 4 + Bytes.VARIABLES, programs.end);
new Uint8Array(memory).set(literals, LITERALS_AT);
new Uint8Array(memory).set(SPOT_OPENINGS, OPENINGS_AT);
for (const { table, address } of programs.tables)
  new Uint8Array(memory).set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), address);
const readText = new Uint8Array(memory, TEXT - BACK, BACK + CHUNK + AFTER);
const masks = new Int32Array(memory, MARKS_AT, BLOCKS);
const ends = new Int32Array(memory, ENDS, 2);
const lists = new Uint16Array(memory, DIGIT_LIST, (OPENINGS_AT - DIGIT_LIST) / 2);
/** Where the list of words begins in these. */
const FIRST_WORD = (WORD_LIST - DIGIT_LIST) / 2;

/** Characters of the shortest word with one or two digits that is read: what may be a token or encoded. */
const MIN_WORD = 8;

/**
 * Marks the bytes of a text at which something may begin, and the one after it. A text is read in two steps, because a
 * processor cannot predict where a sign stands or what it begins. First all signs are found, and those that begin nothing are
 * dropped, almost without branches. Then recognisers read what is left.
 */
export function markText({ bytes, start, end }: Text, marks: Marks): void {
  marks.reserve(end);
  for (let from = start; from < end; from += CHUNK) {
    const stop = Math.min(end, from + CHUNK);
    readText.set(bytes.subarray(from - BACK, stop + AFTER));
    run(TEXT + stop - from + BLOCK);
    marks.setAll(from, masks.subarray(0, (stop - from + BLOCK - 1) / BLOCK));
    markDigits(bytes, from, stop, marks);
    markWords(bytes, from, stop, marks);
  }
  marks.add(end);
}

/** Marks digits without others near them, where the word that they stand in may be something. */
function markDigits(b: Uint8Array, from: number, stop: number, marks: Marks): void {
  const count = (intAt(ends, 0) - DIGIT_LIST) / 2;
  for (let k = 0; k < count; k++) {
    const i = from + unitAt(lists, k);
    if (i < stop && fewDigitsMayCount(b, i)) marks.add(i);
  }
}

/** Marks words that name secrets, where `spottedSecret` expects them. */
function markWords(b: Uint8Array, from: number, stop: number, marks: Marks): void {
  const end = (intAt(ends, 1) - DIGIT_LIST) / 2;
  for (let k = FIRST_WORD; k < end; k++) {
    const i = from + unitAt(lists, k);
    const place = i < stop ? spotAt(b, i) : 0;
    if (place > 0) marks.add(place);
  }
}

/** Whether the digit at `i`, which has at most one other near it, may be part of anything. */
function fewDigitsMayCount(b: Uint8Array, i: number): boolean {
  if (b[i + 1] === TILDE || b[i + 2] === TILDE || b[i + 1] === SLASH) return true; // abc8Q~… of Azure, 1//0g… of Google
  if (is(b, i - 1, UPPER) || is(b, i - 2, UPPER)) return true; // a licence plate
  let from = i;
  let to = i + 1;
  while (i - from < MIN_WORD && classAt(b, from - 1) & WORD) from--;
  while (to - from < MIN_WORD && classAt(b, to) & WORD) to++;
  const before = byteAt(b, from - 1);
  // <pin>1</pin>, $6$
  return to - from >= MIN_WORD || before === GREATER_THAN || before === DOLLAR || before === RIGHT_BRACE;
}
