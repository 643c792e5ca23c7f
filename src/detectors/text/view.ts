import { UNSCANNED } from '../encoded/decoder.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { AMPERSAND, BACKSLASH, LEFT_BRACKET, LESS_THAN, PERCENT } from './ascii.ts';
import { CONTROL, EXPANDS, INVISIBLE } from './bytes.ts';
import { breakSize, decodedPoint, escapeSize } from './escapes.ts';
import { FOLD } from './fold.ts';

const MAX_ROUNDS = 5;
/** Text around an escape or invisible character that is read again: more than any word or label reaches. */
const WINDOW = 256;
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

  push(unit: number, origin: number): void {
    if (this.length === this.units.length) this.#grow(this.length * 2);
    this.units[this.length] = unit;
    this.origin[this.length++] = origin;
  }

  /** The parts of a text around these positions, which are in order, with a zero between them. */
  load(text: string, positions: Int32Array, count: number): void {
    this.length = 0;
    let end = 0;
    for (let k = 0; k < count; k++) {
      const at = positions[k] as number;
      const from = Math.max(end, at - WINDOW);
      if (from > end && end > 0) this.push(0, end);
      const to = Math.min(text.length, at + WINDOW);
      for (let i = from; i < to; i++) this.push(text.charCodeAt(i), i);
      end = Math.max(end, to);
    }
  }

  #grow(size: number): void {
    const { units, origin } = this;
    this.units = new Uint16Array(size);
    this.origin = new Int32Array(size);
    this.units.set(units);
    this.origin.set(origin);
  }
}

let current = new Units();
let next = new Units();

/**
 * Loads into the pass what a reader would make of the leaf: escapes and percent-encoding undone (up to five times,
 * for JSON in strings in JSON; what is escaped once more is reported as not scanned), invisible characters dropped, compatibility characters expanded. Answers false, and
 * loads nothing, when that changes nothing.
 */
export function decodedView(pass: Pass, text: string): boolean {
  current.load(text, pass.escapes, pass.escapeCount);
  let round = 0;
  while (round < MAX_ROUNDS && decode()) round++;
  if (round === 0) return false;
  if (round === MAX_ROUNDS && decode()) pass.found(UNSCANNED, BARE, pass.text.start, pass.text.end);
  pass.text.loadUnits(current.units, current.length);
  current.push(0, text.length);
  pass.origin = current.origin;
  return true;
}

function decode(): boolean {
  next.length = 0;
  const { units, origin, length } = current;
  let changed = false;
  for (let i = 0; i < length; i++) {
    const c = units[i] as number;
    const at = origin[i] as number;
    const size = c < 32 || c === DELETE ? controlSize(units, i, length) : 0;
    if (size > 0) {
      i += size - 1;
      changed = true;
      continue;
    }
    if (c === BACKSLASH || c === PERCENT || c === AMPERSAND || c === LESS_THAN) {
      const size = c === LESS_THAN ? breakSize(units, i, length) : escapeSize(units, i, length);
      if (size > 0) {
        if (c !== LESS_THAN) pushPoint(decodedPoint(), at);
        i += size - 1;
        changed = true;
        continue;
      }
    } else if (c >= 0x80) {
      const folded = FOLD[c] as number;
      if (folded === INVISIBLE || folded === CONTROL) {
        changed = true;
        continue;
      }
      if (folded === EXPANDS) {
        const size = expand(units, i, length, at);
        if (size > 0) {
          i += size - 1;
          changed = true;
          continue;
        }
      }
    }
    next.push(c, at);
  }
  if (changed) [current, next] = [next, current];
  return changed;
}

const DELETE = 127;
const ESCAPE = 27;

/** Length of the control character at `i`, or of the sequence that sets the colours of a terminal; 0 for white space. */
function controlSize(units: Uint16Array, i: number, length: number): number {
  if (units[i] !== ESCAPE) return (FOLD[units[i] as number] as number) === CONTROL ? 1 : 0;
  if (units[i + 1] !== LEFT_BRACKET) return 1;
  let end = i + 2;
  while (end < length && end - i < 16 && (units[end] as number) < 64) end++;
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

/** Pushes what NFKC makes of the character at `i`; answers how many units it has, 0 when it stays. */
function expand(units: Uint16Array, i: number, length: number, at: number): number {
  let point = units[i] as number;
  let size = 1;
  if (point >= 0xd800 && point < 0xdc00 && i + 1 < length) {
    point = (point - 0xd800) * 1024 + ((units[i + 1] as number) - 0xdc00) + 0x10000;
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
