import { UNSCANNED } from '../encoded/decoder.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import {
  AMPERSAND,
  BACKSLASH,
  CARRIAGE_RETURN,
  DIGIT_0,
  DOUBLE_QUOTE,
  EQUALS_SIGN,
  LEFT_BRACKET,
  LESS_THAN,
  LINE_FEED,
  PERCENT,
  PLUS,
  SINGLE_QUOTE,
} from './ascii.ts';
import { CONTROL, EXPANDS, INVISIBLE } from './bytes.ts';
import { GAP, Units } from './decoded-units.ts';
import { decodedPoint, escapeSize, formSpaceSize, joinSize } from './escapes.ts';
import { FOLD } from './fold.ts';
import { breaksLine, tagSize } from './markup.ts';
import { printableChar, printableSize } from './quoted-printable.ts';
import { byteAt, intAt, isQuote, unitAt } from './read.ts';

const MAX_ROUNDS = 5;
/** Code points that are invisible, and zero digits of decimal systems, beyond the basic plane. */
const INVISIBLE_POINTS: readonly (readonly [number, number])[] = [
  [0xe0000, 0xe007f],
  [0xe0100, 0xe01ef],
  [0x1d173, 0x1d17a],
  [0x1bca0, 0x1bca3],
];
const ZERO_POINTS: readonly number[] = [
  0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730,
  0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950,
  0x1fbf0,
];

let current = new Units();
let next = new Units();

/**
 * Loads into the pass what a reader would make of the leaf: escapes and percent-encoding undone (up to five times,
 * for JSON in strings in JSON; what is escaped once more is reported as not scanned), invisible characters dropped, compatibility characters expanded. Returns false, and
 * loads nothing, when that changes nothing.
 */
export function decodedView(pass: Pass, text: string): boolean {
  current.load(text, pass.text, pass.escapes, pass.escapeCount);
  let round = 0;
  while (round < MAX_ROUNDS && decode()) round++;
  if (round === 0) return false;
  if (round === MAX_ROUNDS && decode()) pass.found(UNSCANNED, BARE, pass.text.start, pass.text.end);
  pass.text.loadUnits(current.units, current.length);
  current.closeGaps(pass.text.bytes.subarray(pass.text.start));
  current.push(0, text.length);
  pass.origin = current.origin;
  pass.units = current.units;
  return true;
}

/** Undoes one layer of escapes; returns whether there were any. */
function decode(): boolean {
  const { units, origin, length } = current;
  next.reserve(EXPANSION * length);
  const first = firstEscape();
  if (first === length) return false;
  const { units: out, origin: places } = next;
  out.set(units.subarray(0, first));
  places.set(origin.subarray(0, first));
  let n = first;
  let i = first;
  while (i < length) {
    next.length = n;
    const size = decodeAt(units, i, length, intAt(origin, i));
    n = next.length;
    i += size;
    if (size === 0) {
      out[n] = unitAt(units, i);
      places[n++] = intAt(origin, i++);
    }
    // nearly all characters are plain
    for (; i < length; i++) {
      const c = unitAt(units, i);
      if (byteAt(CHANGES, c) === 1 && mayBegin(c, unitAt(units, i + 1))) break;
      out[n] = c;
      places[n++] = intAt(origin, i);
    }
  }
  next.length = n;
  [current, next] = [next, current];
  return true;
}

/** Where the first escape begins; the length of the text when there is none. */
function firstEscape(): number {
  const { units, length } = current;
  for (let i = 0; i < length; i++) {
    const c = unitAt(units, i);
    if (byteAt(CHANGES, c) === 0 || !mayBegin(c, unitAt(units, i + 1))) continue;
    next.length = 0;
    if (decodeAt(units, i, length, 0) > 0) return i;
  }
  return length;
}

/** Puts what the escape or special character at `i` stands for; returns its length, 0 for what stands for itself. */
function decodeAt(units: Uint16Array, i: number, length: number, at: number): number {
  const c = unitAt(units, i);
  if (c >= 0x80) return special(units, i, length, at);
  const control = c < 32 || c === DELETE ? controlSize(units, i, length) : 0;
  if (control > 0) return control;
  const size = SIZES[c]?.(units, i, length) ?? 0;
  if (size === 0) return 0;
  if (c === LESS_THAN) {
    if (breaksLine(units, i)) next.push(LINE_FEED, at);
  } else if (c === EQUALS_SIGN) {
    const sign = printableChar(units, i);
    if (sign !== 0) next.push(sign, at);
  } else if (!isQuote(c)) pushPoint(decodedPoint(), at);
  return size;
}

/** The same beyond ASCII: invisible characters are dropped, compatibility characters expanded. */
function special(units: Uint16Array, i: number, length: number, at: number): number {
  const folded = byteAt(FOLD, unitAt(units, i));
  if (folded === INVISIBLE || folded === CONTROL) return 1;
  return folded === EXPANDS ? expand(units, i, length, at) : 0;
}

const DELETE = 127;
/** What tells the length of the escape that may begin with a byte. */
const SIZES: (((units: Uint16Array, i: number, length: number) => number) | undefined)[] = new Array(128);
for (const c of [BACKSLASH, PERCENT, AMPERSAND]) SIZES[c] = escapeSize;
SIZES[LESS_THAN] = tagSize;
SIZES[EQUALS_SIGN] = printableSize;
SIZES[PLUS] = formSpaceSize;
for (const c of [DOUBLE_QUOTE, SINGLE_QUOTE]) SIZES[c] = joinSize;

/** 1 for units that may stand for something else. */
const CHANGES = new Uint8Array(65_536);
for (let c = 0; c < 0x80; c++) CHANGES[c] = c < 32 || c === DELETE || SIZES[c] !== undefined ? 1 : 0;
for (const c of [9, LINE_FEED, CARRIAGE_RETURN]) CHANGES[c] = 0;
for (let c = 0x80; c < GAP; c++) CHANGES[c] = [INVISIBLE, CONTROL, EXPANDS].includes(byteAt(FOLD, c)) ? 1 : 0;
/** What follows the sign with which an escape begins, for each such sign: most of them begin none. */
const FOLLOWERS: readonly (readonly [sign: number, followers: RegExp])[] = [
  [BACKSLASH, /[nrtbfux0-3"'/\\]/],
  [PERCENT, /[u0-9a-f]/i],
  [AMPERSAND, /[#a-z]/i],
  [LESS_THAN, /[!/a-z]/i],
  [EQUALS_SIGN, /[245\r\n]/],
  [PLUS, /[a-z0-9()-]/i],
  [DOUBLE_QUOTE, /[ +&]/],
  [SINGLE_QUOTE, /[ +&]/],
];
/** 1 for a character below 128 and the one that follows it, seven bits each, with which an escape may begin. */
const BEGINS = new Uint8Array(1 << 14);
for (let c = 0; c < 128; c++) if (CHANGES[c] === 1) BEGINS.fill(1, c << 7, (c + 1) << 7);
for (const [sign, followers] of FOLLOWERS)
  for (let c = 0; c < 128; c++) BEGINS[(sign << 7) | c] = followers.test(String.fromCharCode(c)) ? 1 : 0;

/** Whether a unit that may stand for something else does before `following`; no matter what follows where it begins no escape. */
function mayBegin(c: number, following: number): boolean {
  if (c >= 0x80) return true;
  return following < 0x80 ? BEGINS[(c << 7) | following] === 1 : SIZES[c] === undefined;
}

/** Units that one is read as at most. */
const EXPANSION = 4;

const ESCAPE = 27;

/** Length of the control character at `i`, or of the sequence that sets the colours of a terminal; 0 for white space. */
function controlSize(units: Uint16Array, i: number, length: number): number {
  if (units[i] !== ESCAPE) return byteAt(FOLD, unitAt(units, i)) === CONTROL ? 1 : 0;
  if (units[i + 1] !== LEFT_BRACKET) return 1;
  let end = i + 2;
  while (end < length && end - i < 16 && unitAt(units, end) < 64) end++;
  return end + 1 - i;
}

function pushPoint(point: number, at: number): void {
  if (point < 0x10000) {
    next.push(point, at);
    return;
  }
  next.push(0xd800 + ((point - 0x10000) >> 10), at);
  next.push(0xdc00 + (point & 0x3ff), at);
}

const expansions = new Map<number, string>();

/** Pushes what NFKC makes of the character at `i`; returns how many units it has, 0 when it stays. */
function expand(units: Uint16Array, i: number, length: number, at: number): number {
  let point = unitAt(units, i);
  let size = 1;
  if (point >= 0xd800 && point < 0xdc00 && i + 1 < length) {
    point = (point - 0xd800) * 1024 + (unitAt(units, i + 1) - 0xdc00) + 0x10000;
    size = 2;
    if (isInvisible(point)) return 2;
    const digit = digitOf(point);
    if (digit !== 0) {
      next.push(digit, at);
      return 2;
    }
  }
  let plain = expansions.get(point);
  if (plain === undefined) {
    const own = String.fromCodePoint(point);
    plain = own.normalize('NFKC');
    if (plain === own) plain = '';
    if (expansions.size < 8192) expansions.set(point, plain);
  }
  if (plain === '') return 0;
  for (let k = 0; k < plain.length && k < 4; k++) next.push(plain.charCodeAt(k), at);
  return size;
}

function isInvisible(point: number): boolean {
  return INVISIBLE_POINTS.some(([from, to]) => point >= from && point <= to);
}

/** The ASCII digit that a point beyond the basic plane stands for; 0 for none. */
function digitOf(point: number): number {
  const zero = ZERO_POINTS.find((first) => point >= first && point <= first + 9);
  return zero === undefined ? 0 : DIGIT_0 + point - zero;
}
