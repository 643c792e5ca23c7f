import { SPOT_GROUPS, spotAt } from './secrets/label-spots.ts';
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
  whileTrue,
} from './text/assembly.ts';
import { UPPER, WORD } from './text/bytes.ts';
import { lowest, type Marks } from './text/marks.ts';
import { byteAt, classAt, intAt, is } from './text/read.ts';
import type { Text } from './text/text.ts';
import { AT, CONTROL, END, KIND, NUMERAL } from './text/triggers.ts';
import { ByteClasses, openings } from './text/vectors.ts';

/** Bytes of which a mask tells, and the masks for them: marks, digits that begin numbers, words that may name secrets. */
const BLOCK = 32;
const MASKS = 3;
const DIGITS = 1;
const SPOTS = 2;
/** Bytes of text that are read at once, and those after them that may be looked at. */
const CHUNK = 16_384;
const AFTER = 96;

/** Where text, masks and tables stand in the memory of the program. */
const TEXT = 64;
const MASKS_AT = TEXT + CHUNK + AFTER;
const TABLES_AT = MASKS_AT + (CHUNK / BLOCK + 2) * 4 * MASKS;

/** The parameter of the program, where the text ends, and its variables. */
const [TO, FROM, INTO, LEFT, MARKS, PLACE, BIT, BEFORE, OWN] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const VECTORS = OWN + SIGN_VARIABLES;
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
    ...set(INTO, constant(MASKS_AT)),
    ...whileTrue(isBelow(get(FROM), get(TO)), [
      ...body,
      ...set(FROM, plus(get(FROM), constant(BLOCK))),
      ...set(INTO, plus(get(INTO), constant(4 * MASKS))),
    ]),
  ];
}

/** Marks signs, and writes masks of all digits and of words that may name secrets. */
function readBlock({ operator, other }: SignPrograms): Code {
  const text = get(FROM);
  const classes = [codesOf(OPERATORS), codesOf(OTHERS), bytesOf(NUMERAL)];
  const signs = new ByteClasses(classes, [VECTORS, VECTORS + 1]);
  const always = new ByteClasses([bytesOf(AT, CONTROL, END)], [VECTORS + 2, VECTORS + 3]);
  const [operators, others, digits] = classes.map((_, k) => signs.mask(k)) as [Code, Code, Code];
  return [
    ...[...signs.read(text), ...always.read(text)],
    ...set(MARKS, always.mask(0)),
    ...marked(operators, operator),
    ...marked(others, other),
    ...store(get(INTO), 4 * DIGITS, digits),
    ...store(get(INTO), 4 * SPOTS, openings(SPOT_GROUPS, text)),
    ...store(get(INTO), 0, get(MARKS)),
  ];
}

/** Marks the first digits of numbers that have others near them, and leaves the other first ones in the mask of digits. */
function readNumbers(): Code {
  const digits = load(get(INTO), 4 * DIGITS);
  const next = load(get(INTO), 4 * (MASKS + DIGITS));
  const near = or(
    rightBy(digits, get(BIT)),
    leftBy(left(next, 1), minus(constant(BLOCK - 1), get(BIT))), // 32 places to the left is none
  );
  const openings = and(digits, minus(constant(-1), or(left(digits, 1), get(BEFORE))));
  const isAlone = isBelow(bitCount(near), constant(MIN_DIGITS));
  return [
    ...set(MARKS, load(get(INTO), 0)),
    ...set(PLACE, constant(0)),
    ...forEachBit(openings, [
      ...set(OWN, isAlone),
      ...set(PLACE, or(get(PLACE), leftBy(get(OWN), get(BIT)))),
      ...set(MARKS, or(get(MARKS), leftBy(not(get(OWN)), get(BIT)))),
    ]),
    ...set(BEFORE, right(digits, BLOCK - 1)),
    ...store(get(INTO), 0, get(MARKS)),
    ...store(get(INTO), 4 * DIGITS, get(PLACE)),
  ];
}

const programs = new SignPrograms(PLACE, OWN, TABLES_AT);
const before = byteOf(constant(TEXT - 1), 0);
const body = [
  ...forEachBlock(readBlock(programs)),
  ...set(BEFORE, isBelow(minus(before, constant(DIGIT_0)), constant(10))),
  ...forEachBlock(readNumbers()),
];
const { run, memory } = compile(body, VECTORS, 4, programs.end);
for (const { table, address } of programs.tables)
  new Uint8Array(memory).set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), address);
const readText = new Uint8Array(memory, TEXT - BACK, BACK + CHUNK + AFTER);
const masks = new Int32Array(memory, MASKS_AT, (TABLES_AT - MASKS_AT) / 4);

/** Characters of the shortest word with one or two digits that is read: what may be a token or encoded. */
const MIN_WORD = 8;

/**
 * Marks the bytes of a text at which something may begin, and the one after it. A text is read in two steps, because a
 * processor cannot predict where a sign stands or what it begins. First all signs are found, and those that begin nothing are
 * dropped, almost without branches. Then recognisers read what is left.
 */
export function markText({ bytes, start, end }: Text, marks: Marks): void {
  marks.clear(end);
  for (let from = start; from < end; from += CHUNK) {
    const stop = Math.min(end, from + CHUNK);
    readText.set(bytes.subarray(from - BACK, stop + AFTER));
    run(TEXT + stop - from + BLOCK);
    for (let at = from, k = 0; at < stop; at += BLOCK, k += MASKS) {
      marks.addAll(at, intAt(masks, k));
      markDigits(bytes, at, intAt(masks, k + DIGITS), marks);
      markWords(bytes, at, intAt(masks, k + SPOTS), marks);
    }
  }
  marks.add(end);
}

/** Marks digits without others near them, where the word that they stand in may be something. */
function markDigits(b: Uint8Array, at: number, digits: number, marks: Marks): void {
  for (let left = digits; left !== 0; left &= left - 1) {
    const i = at + lowest(left);
    if (fewDigitsMayCount(b, i)) marks.add(i);
  }
}

/** Marks words that name secrets, where `spottedSecret` expects them. */
function markWords(b: Uint8Array, at: number, beginnings: number, marks: Marks): void {
  for (let left = beginnings; left !== 0; left &= left - 1) {
    const place = spotAt(b, at + lowest(left));
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
