import { number, numberAt } from '../checks/check-digits.ts';
import { VERSIONED } from '../context/words.ts';
import { FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  classAt,
  classOf,
  DIGIT,
  endOf,
  hexAt,
  intAt,
  is,
  isAt,
  setOf,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { mayBePlate } from '../tokens/vehicle.ts';
import { nextGroup } from './groups.ts';
import { mayBeShort } from './short-codes.ts';
import { mayBeDay } from './worded-date.ts';

const IP = tagId('IP_ADDRESS');

/** Four dotted octets from group `g`, with their prefix length; returns the group after, or `g`. */
export function dottedAddress(pass: Pass, g: number): number {
  const { groups } = pass;
  if (g + 4 > groups.count || groups.before[g + 1] !== Char.FULL_STOP) return g;
  for (let k = g; k < g + 4; k++) {
    if (k > g && groups.before[k] !== Char.FULL_STOP) return g;
    if (!isOctet(pass, k)) return g;
  }
  const from = intAt(groups.starts, g);
  const run = dottedRun(pass, g);
  if (run > 5) return g + run; // an object identifier
  let end = g + run;
  let to = groups.endOf(end - 1);
  if (classAt(pass.text.bytes, to) & WORD) return g;
  if (isUnspecified(pass, g)) return end; // 0.0.0.0 is nobody's
  const version = !pass.strict && pass.context.distance(VERSIONED, from) < 16;
  if (!pass.strict && isRevision(pass.text.bytes, from, to)) return end;
  if (version || groups.before[g] === Char.HYPHEN || isHeading(pass.text.bytes, from)) return end;
  if (groups.before[end] === Char.SLASH && end < groups.count && isPrefix(pass, end))
    to = groups.endOf(end++);
  pass.found(IP, FORMATTED, from, to);
  return end;
}

/** Bytes before and behind four dotted numbers that stand for themselves. */
const OPENS_PLAIN = setOf(' ["\'(=/@,\n');
const CLOSES_PLAIN = setOf(' ]"\')>,;\n');

/**
 * An address of four dotted octets that no other number may begin or go on with, whose first octet stands from `from` to `dot`: most
 * of those in logs. Returns where it ends; 0 for what must be read as numbers are.
 */
export function plainAddress(pass: Pass, from: number, dot: number): number {
  const b = pass.text.bytes;
  if (OPENS_PLAIN[byteAt(b, from - 1)] !== 1 || pass.strict) return 0;
  let to = octetEnd(b, from);
  if (to !== dot) return 0;
  let last = from;
  for (let octets = 1; octets < 4; octets++) {
    if (b[to] !== Char.FULL_STOP) return 0;
    last = to + 1;
    to = octetEnd(b, last);
    if (to === 0) return 0;
  }
  const c = byteAt(b, to);
  if ((to < pass.text.end && CLOSES_PLAIN[c] !== 1) || nextGroup(b, to, c) !== 0) return 0;
  if (to - from === 7 && numberAt(b, from, 1) + numberAt(b, from + 2, 1) === 0) return 0;
  if (isHeading(b, from) || mayBeShort(b, from) || mayBePlate(b, from, to)) return 0;
  if (to - last < 3 && mayBeDay(b, last, to)) return 0;
  if (pass.context.distance(VERSIONED, from) < 16) return to;
  return pass.found(IP, FORMATTED, from, to);
}

/** Where the digits at `from` end when they are an octet without zeros in front; 0 for none. */
function octetEnd(b: Uint8Array, from: number): number {
  const to = endOf(b, from, DIGIT, MAX_DIGITS);
  if (to === from || is(b, to, DIGIT) || (b[from] === Char.DIGIT_0 && to - from > 1)) return 0;
  return to - from < MAX_DIGITS || numberAt(b, from, MAX_DIGITS) < 256 ? to : 0;
}

/** Networks whose ranges are written with a dash: 192.168.1.1-20. */
const PRIVATE = ['10.', '192.168.', '172.', '127.'];

/** Whether a revision of a package follows, as in 1.2.5.1-2, 10.2.5.1-2ubuntu1 and 4.0.0.1+dfsg. */
function isRevision(b: Uint8Array, from: number, to: number): boolean {
  if (b[to] === Char.PLUS || b[to] === Char.TILDE) return true;
  if (b[to] !== Char.HYPHEN || !is(b, to + 1, DIGIT)) return false;
  const end = endOf(b, to + 1, DIGIT);
  if (b[end] === Char.FULL_STOP && is(b, end + 1, DIGIT))
    return end - to < 3 && is(b, end + 1, DIGIT) && !PRIVATE.some((name) => isAt(b, from, name));
  return is(b, end, ALPHA) || (end - to < 4 && !PRIVATE.some((name) => isAt(b, from, name)));
}

/** Whether the number is all that stands before it in the heading of a list of changes: ## 4.12.0.3, ## [4.12.0.3]. */
function isHeading(b: Uint8Array, from: number): boolean {
  let i = from;
  if (b[i - 1] === Char.LEFT_BRACKET || b[i - 1] === Char.LOWER_V) i--;
  return (
    b[i - 1] === Char.BLANK &&
    b[i - 2] === Char.HASH_SIGN &&
    (b[i - 3] === Char.HASH_SIGN || byteAt(b, i - 3) < Char.BLANK)
  );
}

function isUnspecified({ groups }: Pass, g: number): boolean {
  const o = intAt(groups.offsets, g);
  return intAt(groups.offsets, g + 4) - o === 4 && number(groups.digits, o, 4) === 0;
}

/** Groups that dots join from `g` on. */
function dottedRun({ groups }: Pass, g: number): number {
  let end = g + 1;
  while (end < groups.count && groups.before[end] === Char.FULL_STOP) end++;
  return end - g;
}

function isOctet(pass: Pass, k: number): boolean {
  const { groups } = pass;
  const n = intAt(groups.lengths, k);
  if (n > 3) return false;
  const o = intAt(groups.offsets, k);
  let value = 0;
  for (let i = 0; i < n; i++) value = value * 10 + byteAt(groups.digits, o + i);
  return value < 256 && (n === 1 || groups.digits[o] !== 0);
}

function isPrefix(pass: Pass, k: number): boolean {
  const { groups } = pass;
  const n = intAt(groups.lengths, k);
  const o = intAt(groups.offsets, k);
  const value = byteAt(groups.digits, o) * (n > 1 ? 10 : 1) + (n > 1 ? byteAt(groups.digits, o + 1) : 0);
  return n <= 2 && value <= 32;
}

/** Digits of a version that is no date and no address. */
const MAX_DIGITS = 3;
/** Bytes behind it with which no number goes on: the zero after a text, quotes, brackets. */
const CLOSES = setOf('\0"\'`;]}<>');

/**
 * Where a version of three numbers and three digits ends, such as 1.2.3, whose first number stands before `dot`; 0 for
 * anything else. Lockfiles are full of them, and they are nothing whatever stands around them.
 */
export function versionEnd(b: Uint8Array, dot: number): number {
  const isVersion = is(b, dot + 1, DIGIT) && b[dot + 2] === Char.FULL_STOP && is(b, dot + MAX_DIGITS, DIGIT);
  return isVersion && CLOSES[byteAt(b, dot + MAX_DIGITS + 1)] === 1 ? dot + MAX_DIGITS + 1 : 0;
}

const GROUPS = 8;
const MAX_PREFIX = 128;
const MAX_ZONE = 16;

/** The result of the last call of `groupsEnd`. */
let groups = 0;
let gap = false;
/** Digits of the first group, and hexadecimal digits that are letters. */
let first = 0;
let letters = 0;
let isDotted = false;

/** An IPv6 address (RFC 4291, with zone and prefix length) whose first colon is at `at`; returns where it ends, or 0. */
export function ip6(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const from = firstGroup(b, at);
  if (from < 0) return 0;
  const to = groupsEnd(b, from, at);
  if (to === 0 || (gap ? groups >= GROUPS || groups === 0 : groups !== GROUPS)) return 0;
  if (goesOn(b, to)) return 0;
  if (gap && groups < 3 && !isDotted && !isPlain(b, from, at, to) && !isNamed(pass, from, to)) return 0;
  pass.found(IP, FORMATTED, from, suffix(b, to));
  return to;
}

/** Where the group before the first colon begins; -1 when no address begins there. */
function firstGroup(b: Uint8Array, at: number): number {
  let from = at;
  while (at - from < 5 && hexAt(b, from - 1) < 16) from--;
  if (at - from > 4 || is(b, from - 1, WORD) || b[from - 1] === Char.COLON_SIGN) return -1;
  return from === at && b[at + 1] !== Char.COLON_SIGN ? -1 : from;
}

/** Where the groups and the gap between them end; 0 when they are none. */
function groupsEnd(b: Uint8Array, from: number, at: number): number {
  groups = 0;
  letters = 0;
  isDotted = false;
  first = at - from;
  gap = from === at;
  let i = gap ? from + 2 : from;
  for (;;) {
    const end = groupEnd(b, i);
    if (end === i) return i;
    if (b[end] === Char.FULL_STOP && end - i < 4 && is(b, end + 1, DIGIT)) {
      groups += 2;
      isDotted = true;
      return dotted(b, i);
    }
    if (end - i > 4) return 0;
    groups++;
    if (b[end] !== Char.COLON_SIGN) return end;
    if (b[end + 1] === Char.COLON_SIGN) {
      if (gap) return 0;
      gap = true;
      i = end + 2;
    } else if (hexAt(b, end + 1) < 16 && groups < GROUPS) i = end + 1;
    else return end;
  }
}

function groupEnd(b: Uint8Array, from: number): number {
  let i = from;
  for (; i - from < 5 && hexAt(b, i) < 16; i++) if (hexAt(b, i) > 9) letters++;
  return i;
}

/** Whether more of a word, or of a name with colons, follows. */
function goesOn(b: Uint8Array, to: number): boolean {
  if (is(b, to, WORD)) return true;
  return b[to] === Char.COLON_SIGN && (b[to + 1] === Char.COLON_SIGN || is(b, to + 1, ALNUM));
}

/**
 * Whether a short address is plain: `a::b` is a scope and `x[1::2]` a slice in some languages. An address has four digits
 * first, or is ::1.
 */
function isPlain(b: Uint8Array, from: number, at: number, to: number): boolean {
  if (from < at) return first === 4 && letters < to - from - 2;
  if (to - from !== 3 || b[from + 2] !== Char.DIGIT_1) return false;
  const c = byteAt(b, from - 2);
  return (
    b[from - 1] !== Char.LEFT_BRACKET ||
    !(is(b, from - 2, WORD) || c === Char.RIGHT_BRACKET || c === Char.RIGHT_PARENTHESIS)
  );
}

function isNamed(pass: Pass, from: number, to: number): boolean {
  return (
    letters < to - from - 2 && pass.text.bytes[from - 1] !== Char.LEFT_BRACKET && pass.around(IP, from, to)
  );
}

function dotted(b: Uint8Array, at: number): number {
  let i = at;
  for (let g = 0; g < 4; g++) {
    if (g > 0 && b[i++] !== Char.FULL_STOP) return 0;
    let value = 0;
    const start = i;
    while (i - start < 4 && is(b, i, DIGIT)) value = value * 10 + byteAt(b, i++) - Char.DIGIT_0;
    if (i === start || value > 255) return 0;
  }
  return i;
}

/** The end with a zone (%eth0) and a prefix length (/64). */
function suffix(b: Uint8Array, end: number): number {
  let i = end;
  if (b[i] === Char.PERCENT && is(b, i + 1, ALNUM)) {
    i++;
    while (i - end <= MAX_ZONE && is(b, i, ALNUM)) i++;
  }
  if (b[i] !== Char.SLASH) return i;
  let j = i + 1;
  let value = 0;
  while (j - i < 5 && is(b, j, DIGIT)) value = value * 10 + byteAt(b, j++) - Char.DIGIT_0;
  return j > i + 1 && value <= MAX_PREFIX ? j : i;
}

const MAC = tagId('MAC_ADDRESS');

/**
 * A hardware address whose first separator (`:`, `-` or, in Cisco's form of three groups, `.`) is at `at`; returns
 * where it ends, or 0.
 */
export function mac(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const separator = byteAt(b, at);
  const size = separator === Char.FULL_STOP ? 4 : 2;
  const count = separator === Char.FULL_STOP ? 3 : 6;
  const from = at - size;
  if (from < pass.text.start || isPart(byteAt(b, from - 1))) return 0;
  let bits = 0;
  let holes = 0;
  let letters = 0;
  let i = from;
  for (let g = 0; g < count; g++) {
    if (g > 0 && b[i++] !== separator) return 0;
    for (let k = 0; k < size; k++, i++) {
      const x = hexAt(b, i);
      if (x > 15) return 0;
      bits |= x;
      holes |= 15 - x;
      if (x > 9) letters++;
    }
  }
  if (isPart(byteAt(b, i)) || (b[i] === separator && isPart(byteAt(b, i + 1)))) return 0;
  if (bits === 0 || holes === 0) return 0; // unset and broadcast are nobody's
  if (letters === 0 && separator !== Char.COLON_SIGN && !pass.near(MAC, from)) return 0; // 12-34-56-…: digits in pairs
  return pass.found(MAC, FORMATTED, from, i);
}

function isPart(c: number): boolean {
  return (classOf(c) & WORD) !== 0 || c === Char.COLON_SIGN;
}
