import { UNSCANNED } from '../encoded/decoder.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import {
  AMPERSAND,
  AT_SIGN,
  BACKSLASH,
  BLANK,
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
import { decodedPoint, escapeSize, formSpaceSize, joinSize } from './escapes.ts';
import { FOLD } from './fold.ts';
import { breaksLine, tagSize } from './markup.ts';
import { isAtSign, printableSize } from './quoted-printable.ts';
import { byteAt, intAt, unitAt } from './read.ts';

const MAX_ROUNDS = 5;
/** Text around an escape or invisible character that is read again: more than any word or label reaches. */
const WINDOW = 256;
/** How far the edge of that is moved to the edge of a word. */
const MAX_WORD = 64;
/** Stands between parts while they are decoded: no character, and no control character that would be dropped. */
const GAP = 0xffff;
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

  /** The parts of a text around these positions, which are in order, with a gap between them. */
  load(text: string, positions: Int32Array, count: number): void {
    this.length = 0;
    let end = 0;
    for (let k = 0; k < count; k++) {
      const at = intAt(positions, k);
      const from = Math.max(end, wordEdge(text, at - WINDOW, -1));
      if (from > end && end > 0) this.push(GAP, end);
      const to = Math.min(text.length, wordEdge(text, at + WINDOW, 1));
      this.reserve(this.length + to - from);
      const { units, origin } = this;
      for (let i = from, n = this.length; i < to; i++, n++) {
        units[n] = text.charCodeAt(i);
        origin[n] = i;
      }
      if (to > from) this.length += to - from;
      end = Math.max(end, to);
    }
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
    if (text.charCodeAt(i) <= BLANK) return i;
  return Math.max(0, at);
}

let current = new Units();
let next = new Units();

/**
 * Loads into the pass what a reader would make of the leaf: escapes and percent-encoding undone (up to five times,
 * for JSON in strings in JSON; what is escaped once more is reported as not scanned), invisible characters dropped, compatibility characters expanded. Returns false, and
 * loads nothing, when that changes nothing.
 */
export function decodedView(pass: Pass, text: string): boolean {
  current.load(text, pass.escapes, pass.escapeCount);
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
  // nearly all characters are plain: the loop over them keeps its state in local variables
  const { units: out, origin: places } = next;
  out.set(units.subarray(0, first));
  places.set(origin.subarray(0, first));
  let n = first;
  for (let i = first; i < length; i++) {
    const c = unitAt(units, i);
    const at = intAt(origin, i);
    if (c >= 0x80 || PLAIN[c] === 0) {
      next.length = n;
      const size = decodeAt(units, i, length, at);
      n = next.length;
      if (size > 0) {
        i += size - 1;
        continue;
      }
    }
    out[n] = c;
    places[n++] = at;
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
    next.length = 0;
    if ((c >= 0x80 || PLAIN[c] === 0) && decodeAt(units, i, length, 0) > 0) return i;
  }
  return length;
}

/** Puts what the escape or special character at `i` stands for; returns its length, 0 for what stands for itself. */
function decodeAt(units: Uint16Array, i: number, length: number, at: number): number {
  const c = unitAt(units, i);
  if (c >= 0x80) return c === GAP ? 0 : special(units, i, length, at);
  const control = c < 32 || c === DELETE ? controlSize(units, i, length) : 0;
  if (control > 0) return control;
  const size = SIZES[c]?.(units, i, length) ?? 0;
  if (size === 0) return 0;
  if (c === LESS_THAN) {
    if (breaksLine(units, i)) next.push(LINE_FEED, at);
  } else if (c === EQUALS_SIGN) {
    if (isAtSign(units, i)) next.push(AT_SIGN, at);
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

/** 1 for characters that stand for themselves. */
const PLAIN = new Uint8Array(128);
for (let c = 32; c < DELETE; c++) if (SIZES[c] === undefined) PLAIN[c] = 1;
for (const c of [9, 10, 13]) PLAIN[c] = 1;
/** Units that one is read as at most. */
const EXPANSION = 4;

function isQuote(c: number): boolean {
  return c === DOUBLE_QUOTE || c === SINGLE_QUOTE;
}

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
  }
  for (const [from, to] of INVISIBLE_POINTS) if (point >= from && point <= to) return size;
  for (const zero of ZERO_POINTS) {
    if (point < zero || point > zero + 9) continue;
    next.push(48 + point - zero, at);
    return size;
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
