import {
  AMPERSAND,
  BACKSLASH,
  BLANK,
  DIGIT_0,
  DIGIT_9,
  EQUALS_SIGN,
  HASH_SIGN,
  HYPHEN,
  LEFT_PARENTHESIS,
  LESS_THAN,
  PERCENT,
  PLUS,
  RIGHT_PARENTHESIS,
  SEMICOLON,
} from './ascii.ts';
import { ALPHA, CLASS, HEX, WORD } from './bytes.ts';
import { isTellingTag } from './markup.ts';
import { byteAt, classAt, classOf, hexAt, isQuote, unitAt } from './read.ts';

const NONE = 255;
const LOWER_U = 117;
const LOWER_X = 120;
const LEFT_BRACE = 123;
const RIGHT_BRACE = 125;
const MAX_ENTITY = 10;
/** Characters of a value of a form that are looked at: an account number with spaces. */
const MAX_FORM = 48;

/** What the letter after a backslash stands for; 0 for none. */
const ESCAPED = new Uint8Array(128);
for (const [name, value] of [
  ['n', 10],
  ['r', 10],
  ['t', 32],
  ['b', 31],
  ['f', 31],
] as const)
  ESCAPED[name.charCodeAt(0)] = value;
for (const itself of '"\'/\\') ESCAPED[itself.charCodeAt(0)] = itself.charCodeAt(0);

/** Named characters of HTML that values are written with. */
const ENTITIES = new Map<string, string>([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['Tab', ' '],
  ['NewLine', '\n'],
  ['commat', '@'],
  ['period', '.'],
  ['comma', ','],
  ['colon', ':'],
  ['semi', ';'],
  ['sol', '/'],
  ['bsol', '\\'],
  ['lowbar', '_'],
  ['hyphen', '-'],
  ['dash', '-'],
  ['ndash', '-'],
  ['minus', '-'],
  ['num', '#'],
  ['excl', '!'],
  ['dollar', '$'],
  ['percnt', '%'],
  ['plus', '+'],
  ['equals', '='],
  ['ast', '*'],
  ['lpar', '('],
  ['rpar', ')'],
  ['shy', '\u00ad'],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
]);

/** The character that was read last: a UTF-16 unit, or a point beyond them. */
let decoded = 0;

export function decodedPoint(): number {
  return decoded;
}

/** Length of the escape sequence at `i`, 0 when there is none: of JSON and code, of URLs, of HTML. */
export function escapeSize(units: Uint16Array, i: number, length: number): number {
  if (units[i] === BACKSLASH) return backslash(units, i, length);
  return units[i] === PERCENT ? percent(units, i, length) : entity(units, i, length);
}

/**
 * Whether a text reads differently without the escape at `at`: not where it is a line break before a space or quote, as in
 * most source code.
 */
export function isTelling(b: Uint8Array, at: number): boolean {
  const c = byteAt(b, at);
  const next = byteAt(b, at + 1);
  if (c === PERCENT) return next === LOWER_U || (next >= 50 && next < 56 && hexAt(b, at + 2) < 16);
  if (c === AMPERSAND) return next === HASH_SIGN || isEntity(b, at + 1) || joinsLiterals(b, at);
  if (c === LESS_THAN) return isTellingTag(b, at);
  if (c === PLUS) return joinsLiterals(b, at) || isFormSpace(b, at);
  if (next === LOWER_U || next === LOWER_X || (next >= 48 && next < 52)) return true;
  // The second of two backslashes is checked on its own.
  if (next >= 128 || next === BACKSLASH || ESCAPED[next] === 0) return false;
  const after = byteAt(b, at + 2);
  return after === BACKSLASH || (classOf(after) & WORD) !== 0;
}

function joinsLiterals(b: Uint8Array, at: number): boolean {
  const before = byteAt(b, at - 1) === BLANK ? b[at - 2] : b[at - 1];
  return isQuote(before) && isQuote(b[at + 1] === BLANK ? b[at + 2] : b[at + 1]);
}

/** Whether the plus at `at` is a space between digits in the value of a form (application/x-www-form-urlencoded). */
function isFormSpace(text: Uint8Array | Uint16Array, at: number): boolean {
  const [before, after] = [text[at - 1], text[at + 1]];
  if (!isFormPart(before) || !isFormPart(after) || !(isDigit(before) || isDigit(after))) return false;
  if (!isFormPart(text[at - 2]) && !isFormPart(text[at + 2])) return false; // 1+1+1
  let i = at - 1;
  while (at - i < MAX_FORM && (isFormPart(text[i]) || text[i] === PLUS)) i--;
  return text[i] === EQUALS_SIGN && isLetter(text[i - 1]);
}

/** Letters, digits and parentheses: parts of numbers that people write with spaces. */
function isFormPart(unit: number | undefined): boolean {
  return (
    isLetter(unit) ||
    isDigit(unit) ||
    unit === LEFT_PARENTHESIS ||
    unit === RIGHT_PARENTHESIS ||
    unit === HYPHEN
  );
}

function isDigit(unit: number | undefined): boolean {
  return unit !== undefined && unit >= DIGIT_0 && unit <= DIGIT_9;
}

/** Length of a plus that is a space; 0 for any other. */
export function formSpaceSize(units: Uint16Array, i: number): number {
  if (!isFormSpace(units, i)) return 0;
  decoded = BLANK;
  return 1;
}

/** Whether letters and a semicolon follow, as in the name of a character of HTML. */
function isEntity(b: Uint8Array, at: number): boolean {
  let i = at;
  while (i - at < MAX_ENTITY && classAt(b, i) & ALPHA) i++;
  return i > at && b[i] === SEMICOLON;
}

function isLetter(unit: number | undefined): boolean {
  return ((CLASS[unit ?? 0] ?? 0) & ALPHA) !== 0;
}

/** Length of what joins two literals, from the end of the first to the beginning of the second: `" + "`, `"&"`; 0 for none. */
export function joinSize(units: Uint16Array, i: number, length: number): number {
  let end = units[i + 1] === BLANK ? i + 2 : i + 1;
  if (units[end] !== PLUS && units[end] !== AMPERSAND) return 0;
  end += units[end + 1] === BLANK ? 2 : 1;
  return end < length && units[end] === units[i] ? end + 1 - i : 0;
}

function backslash(units: Uint16Array, i: number, length: number): number {
  if (i + 1 >= length) return 0;
  const kind = unitAt(units, i + 1);
  if (kind === LOWER_U) {
    if (units[i + 2] === LEFT_BRACE) return braced(units, i, length);
    return hex(units, i + 2, 4, length) ? 6 : 0;
  }
  if (kind === LOWER_X) return hex(units, i + 2, 2, length) ? 4 : 0;
  if (kind >= 48 && kind < 52) return octal(units, i, length);
  decoded = kind < 128 ? byteAt(ESCAPED, kind) : 0;
  return decoded === 0 ? 0 : 2;
}

/** `\u{1F600}` */
function braced(units: Uint16Array, i: number, length: number): number {
  let end = i + 3;
  while (end < length && end - i < 10 && units[end] !== RIGHT_BRACE) end++;
  return units[end] === RIGHT_BRACE && hex(units, i + 3, end - i - 3, length) && decoded < 0x110000
    ? end + 1 - i
    : 0;
}

/** Three octal digits of a printable character. */
function octal(units: Uint16Array, i: number, length: number): number {
  if (i + 3 >= length) return 0;
  let value = 0;
  for (let k = i + 1; k < i + 4; k++) {
    const digit = unitAt(units, k) - 48;
    if (digit < 0 || digit > 7) return 0;
    value = value * 8 + digit;
  }
  decoded = value;
  return value > 31 && value < 127 ? 4 : 0;
}

/** `%40`, and `%u0040` of old scripts. */
function percent(units: Uint16Array, i: number, length: number): number {
  if (units[i + 1] === LOWER_U) return hex(units, i + 2, 4, length) ? 6 : 0;
  return hex(units, i + 1, 2, length) && decoded < 0x80 ? 3 : 0;
}

/** `&#64;`, `&#x40;` and `&commat;`. */
function entity(units: Uint16Array, i: number, length: number): number {
  let end = i + 1;
  while (end < length && end - i <= MAX_ENTITY && units[end] !== SEMICOLON) end++;
  const ends = units[end] === SEMICOLON && end < length;
  if (!ends && units[i + 1] !== HASH_SIGN) return 0; // most parameters of a URL
  let name = '';
  for (let k = i + 1; k < end; k++) name += String.fromCharCode(unitAt(units, k));
  const number = /^#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))/i.exec(name);
  if (number !== null && (ends ? number[0] === name : true)) {
    decoded = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
    if (decoded === 0 || decoded > 0x10ffff) return 0;
    return 1 + number[0].length + (ends ? 1 : 0);
  }
  const named = ends ? ENTITIES.get(name) : undefined;
  if (named === undefined) return 0;
  decoded = named.charCodeAt(0);
  return end + 1 - i;
}

function hex(units: Uint16Array, from: number, count: number, length: number): boolean {
  if (from + count > length || count === 0) return false;
  decoded = 0;
  for (let i = from; i < from + count; i++) {
    const x = HEX[unitAt(units, i)] ?? NONE;
    if (x > 15) return false;
    decoded = decoded * 16 + x;
  }
  return true;
}
