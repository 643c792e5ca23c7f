import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import {
  COLON_SIGN,
  DIGIT_0,
  DIGIT_1,
  FULL_STOP,
  LEFT_BRACKET,
  PERCENT,
  RIGHT_BRACKET,
  RIGHT_PARENTHESIS,
  SLASH,
} from '../text/ascii.ts';
import { ALNUM, DIGIT, WORD } from '../text/bytes.ts';
import { byteAt, hexAt, is } from '../text/read.ts';

const IP = tagId('IP_ADDRESS');
const GROUPS = 8;
const MAX_PREFIX = 128;
const MAX_ZONE = 16;

/** What the last call of `groupsEnd` read. */
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
  if (at - from > 4 || is(b, from - 1, WORD) || b[from - 1] === COLON_SIGN) return -1;
  return from === at && b[at + 1] !== COLON_SIGN ? -1 : from;
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
    if (b[end] === FULL_STOP && end - i < 4 && is(b, end + 1, DIGIT)) {
      groups += 2;
      isDotted = true;
      return dotted(b, i);
    }
    if (end - i > 4) return 0;
    groups++;
    if (b[end] !== COLON_SIGN) return end;
    if (b[end + 1] === COLON_SIGN) {
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
  return b[to] === COLON_SIGN && (b[to + 1] === COLON_SIGN || is(b, to + 1, ALNUM));
}

/**
 * Whether a short address is plain: `a::b` is a scope and `x[1::2]` a slice in some languages. An address has four digits
 * first, or is ::1.
 */
function isPlain(b: Uint8Array, from: number, at: number, to: number): boolean {
  if (from < at) return first === 4 && letters < to - from - 2;
  if (to - from !== 3 || b[from + 2] !== DIGIT_1) return false;
  const c = byteAt(b, from - 2);
  return (
    b[from - 1] !== LEFT_BRACKET || !(is(b, from - 2, WORD) || c === RIGHT_BRACKET || c === RIGHT_PARENTHESIS)
  );
}

function isNamed(pass: Pass, from: number, to: number): boolean {
  return letters < to - from - 2 && pass.text.bytes[from - 1] !== LEFT_BRACKET && pass.around(IP, from, to);
}

function dotted(b: Uint8Array, at: number): number {
  let i = at;
  for (let g = 0; g < 4; g++) {
    if (g > 0 && b[i++] !== FULL_STOP) return 0;
    let value = 0;
    const start = i;
    while (i - start < 4 && is(b, i, DIGIT)) value = value * 10 + byteAt(b, i++) - DIGIT_0;
    if (i === start || value > 255) return 0;
  }
  return i;
}

/** The end with a zone (%eth0) and a prefix length (/64). */
function suffix(b: Uint8Array, end: number): number {
  let i = end;
  if (b[i] === PERCENT && is(b, i + 1, ALNUM)) {
    i++;
    while (i - end <= MAX_ZONE && is(b, i, ALNUM)) i++;
  }
  if (b[i] !== SLASH) return i;
  let j = i + 1;
  let value = 0;
  while (j - i < 5 && is(b, j, DIGIT)) value = value * 10 + byteAt(b, j++) - DIGIT_0;
  return j > i + 1 && value <= MAX_PREFIX ? j : i;
}
