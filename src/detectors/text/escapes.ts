import { ALNUM, ALPHA, byteAt, CLASS, classOf, endOf, HEX, hexAt, isQuote, unitAt, WORD } from './bytes.ts';
import * as Char from './chars.ts';

/** Tags that change how letters look, and no more. */
const INLINE = new Set('b i u s em strong span font mark small sub sup tt code a'.split(' '));
const MAX_INLINE = 48;
/** 1 for the letters and signs that such a tag, its end or a comment begins with. */
const OPENS_INLINE = new Uint8Array(256);
for (const name of ['!', '/', ...INLINE]) {
  OPENS_INLINE[name.charCodeAt(0)] = 1;
  OPENS_INLINE[name.toUpperCase().charCodeAt(0)] = 1;
}

/** Length of a tag at `i` that only changes how letters look, or of a comment; 0 for any other. */
function inlineSize(text: Uint8Array | Uint16Array, i: number, length: number): number {
  if (OPENS_INLINE[text[i + 1] as number] !== 1) return 0;
  const stop = Math.min(length, i + MAX_INLINE);
  let end = i + 1;
  while (end < stop && text[end] !== Char.GREATER_THAN) end++;
  if (end >= stop || text[end] !== Char.GREATER_THAN) return 0;
  if (text[i + 1] === Char.EXCLAMATION_MARK)
    return text[i + 2] === Char.HYPHEN && text[end - 1] === Char.HYPHEN ? end + 1 - i : 0;
  let name = '';
  for (let k = text[i + 1] === Char.SLASH ? i + 2 : i + 1; k < end && name.length < 7; k++) {
    const c = (text[k] as number) | 32;
    if (c < 97 || c > 122) break;
    name += String.fromCharCode(c);
  }
  return INLINE.has(name) ? end + 1 - i : 0;
}

/** Whether a tag or comment at `at` breaks a line, or stands inside a word. */
function isTellingTag(b: Uint8Array, at: number): boolean {
  if (isLineBreak(b[at + 1] as number, b[at + 2] as number)) return true;
  if (((CLASS[b[at - 1] as number] as number) & WORD) === 0) return false;
  const size = inlineSize(b, at, b.length);
  const next = b[at + size] as number;
  return (
    size > 0 && (((CLASS[next] as number) & WORD) !== 0 || next === Char.LESS_THAN || next === Char.AT_SIGN)
  );
}

/** Length of a tag that is not read, at `i`; 0 when there is none. */
export function tagSize(units: Uint16Array, i: number, length: number): number {
  const isBreak = ((units[i + 1] as number) | 32) === 98;
  const name = isBreak ? 'br' : 'wbr';
  if (i + 3 >= length) return 0;
  for (let k = 0; k < name.length; k++)
    if (((units[i + 1 + k] as number) | 32) !== name.charCodeAt(k)) return inlineSize(units, i, length);
  let end = i + 1 + name.length;
  while (end < length && end - i < 8 && units[end] !== 62) end++;
  return units[end] === 62 ? end + 1 - i : 0;
}

/** Whether these are the first letters of `wbr` or `br`. */
function isLineBreak(first: number, second: number): boolean {
  return (first | 32) === 119 ? (second | 32) === 98 : (first | 32) === 98 && (second | 32) === 114;
}

/** Whether the tag at `i` is one that breaks a line. */
export function breaksLine(units: Uint16Array, i: number): boolean {
  return ((units[i + 1] as number) | 32) === 98 && ((units[i + 2] as number) | 32) === 114;
}

const NONE = 255;
const LOWER_U = 117;
const LOWER_X = 120;
const LEFT_BRACE = 123;
const RIGHT_BRACE = 125;
const MAX_ENTITY = 10;
/** Characters of a value of a form that are looked at: an account number with spaces. */
const MAX_FORM = 48;

/** The character that a letter after a backslash stands for; 0 for none. */
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
  if (units[i] === Char.BACKSLASH) return backslash(units, i, length);
  return units[i] === Char.PERCENT ? percent(units, i, length) : entity(units, i, length);
}

/**
 * Whether a text reads differently without the escape at `at`: not where it is a line break before a space or quote, as in
 * most source code.
 */
export function isTelling(b: Uint8Array, at: number): boolean {
  const c = byteAt(b, at);
  const next = byteAt(b, at + 1);
  if (c === Char.PERCENT) return next === LOWER_U || (next >= 50 && next < 56 && hexAt(b, at + 2) < 16);
  if (c === Char.AMPERSAND) return next === Char.HASH_SIGN || isEntity(b, at + 1) || joinsLiterals(b, at);
  if (c === Char.LESS_THAN) return isTellingTag(b, at);
  if (c === Char.PLUS) return joinsLiterals(b, at) || isFormSpace(b, at);
  if (next === LOWER_U || next === LOWER_X || (next >= 48 && next < 52)) return true;
  // The second of two backslashes is checked on its own.
  if (next >= 128 || next === Char.BACKSLASH || ESCAPED[next] === 0) return false;
  const after = byteAt(b, at + 2);
  return after === Char.BACKSLASH || (classOf(after) & WORD) !== 0;
}

function joinsLiterals(b: Uint8Array, at: number): boolean {
  const before = byteAt(b, at - 1) === Char.BLANK ? b[at - 2] : b[at - 1];
  return isQuote(before) && isQuote(b[at + 1] === Char.BLANK ? b[at + 2] : b[at + 1]);
}

/** Whether the plus at `at` is a space between digits in the value of a form (application/x-www-form-urlencoded). */
function isFormSpace(text: Characters, at: number): boolean {
  const [before, after] = [text[at - 1], text[at + 1]];
  if (!isFormPart(before) || !isFormPart(after) || !(isDigit(before) || isDigit(after))) return false;
  if (!isFormPart(text[at - 2]) && !isFormPart(text[at + 2])) return false; // 1+1+1
  let i = at - 1;
  while (at - i < MAX_FORM && (isFormPart(text[i]) || text[i] === Char.PLUS)) i--;
  return text[i] === Char.EQUALS_SIGN && isLetter(text[i - 1]);
}

/** Letters, digits, hyphens and parentheses: parts of numbers that people write with spaces. */
function isFormPart(unit: number | undefined): boolean {
  return (
    isPart(unit) || unit === Char.LEFT_PARENTHESIS || unit === Char.RIGHT_PARENTHESIS || unit === Char.HYPHEN
  );
}

function isDigit(unit: number | undefined): boolean {
  return unit !== undefined && unit >= Char.DIGIT_0 && unit <= Char.DIGIT_9;
}

/** Length of a plus that is a space; 0 for any other. */
export function formSpaceSize(units: Uint16Array, i: number): number {
  if (!isFormSpace(units, i)) return 0;
  decoded = Char.BLANK;
  return 1;
}

/** Whether letters and a semicolon follow, as in the name of a character of HTML. */
function isEntity(b: Uint8Array, at: number): boolean {
  const i = endOf(b, at, ALPHA, MAX_ENTITY);
  return i > at && b[i] === Char.SEMICOLON;
}

function isLetter(unit: number | undefined): boolean {
  return ((CLASS[unit ?? 0] ?? 0) & ALPHA) !== 0;
}

/** Length of what joins two literals, from the end of the first to the beginning of the second: `" + "`, `"&"`; 0 for none. */
export function joinSize(units: Uint16Array, i: number, length: number): number {
  let end = units[i + 1] === Char.BLANK ? i + 2 : i + 1;
  if (units[end] !== Char.PLUS && units[end] !== Char.AMPERSAND) return 0;
  end += units[end + 1] === Char.BLANK ? 2 : 1;
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
  while (end < length && end - i <= MAX_ENTITY && units[end] !== Char.SEMICOLON) end++;
  const ends = units[end] === Char.SEMICOLON && end < length;
  if (!ends && units[i + 1] !== Char.HASH_SIGN) return 0; // most parameters of a URL
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

/** Characters of a line that an encoder ends: at most 76 with its equals sign (RFC 2045, 6.7). */
const MIN_LINE = 60;
const MAX_LINE = 75;

/** The bytes or UTF-16 units of a text. */
type Characters = Uint8Array | Uint16Array;

/** Length of what the equals sign at `i` begins in quoted-printable text: an @, or a soft line break; 0 for none. */
export function printableSize(text: Characters, i: number): number {
  return printableChar(text, i) !== 0 ? 3 : softBreakSize(text, i);
}

/** The sign that an equals sign and two digits stand for between letters and digits: jane=40example.com, 536=2D22=2D1847; 0 for none. */
export function printableChar(text: Characters, i: number): number {
  const high = text[i + 1];
  const low = text[i + 2];
  if (high === Char.DIGIT_4 && low === Char.DIGIT_0)
    return isLetter(text[i - 1]) && isLetter(text[i + 3]) ? Char.AT_SIGN : 0;
  // characters that are all written so: =34=35=33=39
  const code = hexUnit(high) * 16 + hexUnit(low);
  if (code > 32 && code < 127 && (isEncodedAt(text, i + 3) || isEncodedAt(text, i - 3))) return code;
  // a space (=20) also begins many numbers: status=200
  let sign = 0;
  if (high === Char.DIGIT_2)
    sign = low === Char.UPPER_D ? Char.HYPHEN : low === Char.UPPER_E ? Char.FULL_STOP : 0;
  else if (high === Char.DIGIT_5 && low === Char.UPPER_F) sign = Char.LOW_LINE_SIGN;
  return sign !== 0 && isPart(text[i - 1]) && isPart(text[i + 3]) ? sign : 0;
}

/** The value of a hexadecimal digit in capitals; not a number for any other character. */
function hexUnit(unit: number | undefined): number {
  return unit !== undefined && (unit < Char.LOWER_A ? (HEX[unit] ?? NONE) : NONE) < 16
    ? (HEX[unit] as number)
    : Number.NaN;
}

function isEncodedAt(text: Characters, i: number): boolean {
  return text[i] === Char.EQUALS_SIGN && hexUnit(text[i + 1]) > 1 && hexUnit(text[i + 2]) >= 0;
}

function isPart(unit: number | undefined): boolean {
  return ((CLASS[unit ?? 0] ?? 0) & ALNUM) !== 0;
}

/** Length of the equals sign and line break that an encoder put into a long line; 0 for none. */
function softBreakSize(text: Characters, i: number): number {
  const size = text[i + 1] === Char.LINE_FEED ? 2 : text[i + 1] === Char.CARRIAGE_RETURN ? 3 : 0;
  if (size === 0 || text[i + size - 1] !== Char.LINE_FEED || text[i - 1] === Char.EQUALS_SIGN) return 0;
  let start = i;
  while (start > 0 && i - start <= MAX_LINE && text[start - 1] !== Char.LINE_FEED && text[start - 1] !== 0)
    start--;
  return i - start >= MIN_LINE && i - start <= MAX_LINE ? size : 0;
}
