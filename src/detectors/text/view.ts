import { UNSCANNED } from '../encoded/decoder.ts';
import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { CONTROL, EXPANDS, HEX, INVISIBLE } from './bytes.ts';
import { FOLD } from './fold.ts';

const MAX_ROUNDS = 5;
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

  load(text: string): void {
    const n = text.length;
    if (this.units.length < n) this.#grow(n);
    for (let i = 0; i < n; i++) {
      this.units[i] = text.charCodeAt(i);
      this.origin[i] = i;
    }
    this.length = n;
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
  current.load(text);
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
    if (c < 32 && (FOLD[c] as number) === CONTROL) {
      changed = true;
      continue;
    }
    if (c === 92 || c === 37) {
      const size = c === 92 ? backslash(i, length, units) : percent(i, length, units);
      if (size > 0) {
        next.push(decoded, at);
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

/** What the last call of `backslash` or `percent` read. */
let decoded = 0;

/** Length of the escape sequence at `i` (`\n`, `\x41`, `\u0041`), 0 when there is none. */
function backslash(i: number, length: number, units: Uint16Array): number {
  if (i + 1 >= length) return 0;
  const kind = units[i + 1] as number;
  if (kind === 117) return hex(units, i + 2, 4, length) ? 6 : 0;
  if (kind === 120) return hex(units, i + 2, 2, length) ? 4 : 0;
  decoded = kind < 128 ? (ESCAPED[kind] as number) : 0;
  return decoded === 0 ? 0 : 2;
}

/** Length of the percent-encoded ASCII character at `i`, 0 when there is none. */
function percent(i: number, length: number, units: Uint16Array): number {
  return hex(units, i + 1, 2, length) && decoded < 0x80 ? 3 : 0;
}

function hex(units: Uint16Array, from: number, count: number, length: number): boolean {
  if (from + count > length) return false;
  decoded = 0;
  for (let i = from; i < from + count; i++) {
    const x = HEX[units[i] as number] ?? 255;
    if (x > 15) return false;
    decoded = decoded * 16 + x;
  }
  return true;
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
  // tag characters are invisible
  if (point >= 0xe0000 && point < 0xe0080) return size;
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
