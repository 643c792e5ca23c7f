import { UNSCANNED } from '../encoded/decoder.ts';
import { BARE } from '../kinds/kind.ts';
import type { Pass } from '../pass.ts';
import { byteAt, CONTROL, EXPANDS, INVISIBLE, intAt, isQuote, unitAt } from './bytes.ts';
import * as Char from './chars.ts';
import {
  breaksLine,
  decodedPoint,
  escapeSize,
  formSpaceSize,
  joinSize,
  printableChar,
  printableSize,
  tagSize,
} from './escapes.ts';
import { FOLD, type Text } from './text.ts';

/** Text around an escape or invisible character that is read again: more than any word or label reaches. */
const WINDOW = 256;
/** How far the edge of that is moved to the edge of a word. */
const MAX_WORD = 64;
/** Stands between parts while they are decoded: no character, and no control character that would be dropped. */
const GAP = 0xffff;

/** A text as UTF-16 units with the offset each had in the leaf; two of them take turns. */
class Units {
  units: Uint16Array = new Uint16Array(1024);
  origin: Int32Array = new Int32Array(1024);
  length = 0;

  /** Makes room for so many units, so that they may be put without asking. */
  reserve(count: number): void {
    if (count > this.units.length) this.#grow(2 * count);
  }

  push(unit: number, origin: number): void {
    if (this.length === this.units.length) this.#grow(this.length * 2);
    this.units[this.length] = unit;
    this.origin[this.length++] = origin;
  }

  /** The parts of a text around these positions, which are in order; `loaded` is the same text. Returns whether gaps stand between them. */
  load(text: string, loaded: Text, positions: Int32Array, count: number): boolean {
    this.length = 0;
    let hasGaps = false;
    let end = 0;
    for (let k = 0; k < count; k++) {
      const from = Math.max(end, wordEdge(text, intAt(positions, k) - WINDOW, -1));
      if (from > end && end > 0) {
        this.push(GAP, end);
        hasGaps = true;
      }
      while (k + 1 < count && intAt(positions, k + 1) - intAt(positions, k) <= 2 * WINDOW) k++;
      end = Math.min(text.length, wordEdge(text, intAt(positions, k) + WINDOW, 1));
      this.#copy(text, loaded, from, end);
    }
    return hasGaps;
  }

  #copy(text: string, loaded: Text, from: number, to: number): void {
    this.reserve(this.length + to - from);
    const { units, origin } = this;
    const { bytes, start, isAscii } = loaded;
    const shift = this.length - from;
    // characters of a string are slower to come by than the bytes of ASCII
    if (isAscii) for (let i = from; i < to; i++) units[i + shift] = byteAt(bytes, start + i);
    else for (let i = from; i < to; i++) units[i + shift] = text.charCodeAt(i);
    for (let i = from; i < to; i++) origin[i + shift] = i;
    this.length += to - from;
  }

  /** Puts zeros into the gaps: no word reaches across one. */
  closeGaps(bytes: Uint8Array): void {
    const { units, length } = this;
    for (let i = 0; i < length; i++) if (units[i] === GAP) bytes[i] = 0;
  }

  #grow(size: number): void {
    const { units, origin } = this;
    this.units = new Uint16Array(size);
    this.origin = new Int32Array(size);
    this.units.set(units);
    this.origin.set(origin);
  }
}

/** The nearest blank or line break from `at` on in one direction, so that no number or word is cut in two. */
function wordEdge(text: string, at: number, step: 1 | -1): number {
  let i = at;
  for (let k = 0; k < MAX_WORD && i >= 0 && i < text.length; k++, i += step)
    if (text.charCodeAt(i) <= Char.BLANK) return i;
  return Math.max(0, at);
}

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
  const hasGaps = current.load(text, pass.text, pass.escapes, pass.escapeCount);
  let round = 0;
  while (round < MAX_ROUNDS && decode()) round++;
  if (round === 0) return false;
  if (round === MAX_ROUNDS && decode()) pass.found(UNSCANNED, BARE, pass.text.start, pass.text.end);
  pass.text.loadUnits(current.units, current.length);
  if (hasGaps) current.closeGaps(pass.text.bytes.subarray(pass.text.start));
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
  if (c === Char.LESS_THAN) {
    if (breaksLine(units, i)) next.push(Char.LINE_FEED, at);
  } else if (c === Char.EQUALS_SIGN) {
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
/** The function that tells the length of the escape that may begin with a byte. */
const SIZES: (((units: Uint16Array, i: number, length: number) => number) | undefined)[] = new Array(128);
for (const c of [Char.BACKSLASH, Char.PERCENT, Char.AMPERSAND]) SIZES[c] = escapeSize;
SIZES[Char.LESS_THAN] = tagSize;
SIZES[Char.EQUALS_SIGN] = printableSize;
SIZES[Char.PLUS] = formSpaceSize;
for (const c of [Char.DOUBLE_QUOTE, Char.SINGLE_QUOTE]) SIZES[c] = joinSize;

/** 1 for units that may stand for something else. */
const CHANGES = new Uint8Array(65_536);
for (let c = 0; c < 0x80; c++) CHANGES[c] = c < 32 || c === DELETE || SIZES[c] !== undefined ? 1 : 0;
for (const c of [9, Char.LINE_FEED, Char.CARRIAGE_RETURN]) CHANGES[c] = 0;
for (let c = 0x80; c < GAP; c++) {
  const folded = byteAt(FOLD, c);
  if (folded === INVISIBLE || folded === CONTROL || folded === EXPANDS) CHANGES[c] = 1;
}
/** For each sign with which an escape begins, the text that follows it: most of them begin none. */
const FOLLOWERS: readonly (readonly [sign: number, followers: RegExp])[] = [
  [Char.BACKSLASH, /[nrtbfux0-3"'/\\]/],
  [Char.PERCENT, /[u0-9a-f]/i],
  [Char.AMPERSAND, /[#a-z]/i],
  [Char.LESS_THAN, /[!/a-z]/i],
  [Char.EQUALS_SIGN, /[2-7\r\n]/],
  [Char.PLUS, /[a-z0-9()-]/i],
  [Char.DOUBLE_QUOTE, /[ +&]/],
  [Char.SINGLE_QUOTE, /[ +&]/],
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
  if (units[i + 1] !== Char.LEFT_BRACKET) return 1;
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
  return zero === undefined ? 0 : Char.DIGIT_0 + point - zero;
}
