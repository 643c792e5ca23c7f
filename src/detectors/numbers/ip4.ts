import { number } from '../checks/digits.ts';
import { VERSIONED } from '../context/table.ts';
import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import {
  BLANK,
  FULL_STOP,
  HASH_SIGN,
  HYPHEN,
  LEFT_BRACKET,
  LOWER_V,
  PLUS,
  SLASH,
  TILDE,
} from '../text/ascii.ts';
import { ALPHA, DIGIT, WORD } from '../text/bytes.ts';
import { byteAt, classAt, intAt, is, isAt } from '../text/read.ts';

const IP = tagId('IP_ADDRESS');

/** Four dotted octets from group `g`, with their prefix length; returns the group after, or `g`. */
export function dottedAddress(pass: Pass, g: number): number {
  const { groups } = pass;
  if (g + 4 > groups.count || groups.before[g + 1] !== FULL_STOP) return g;
  for (let k = g; k < g + 4; k++) {
    if (k > g && groups.before[k] !== FULL_STOP) return g;
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
  if (version || groups.before[g] === HYPHEN || isHeading(pass.text.bytes, from)) return end;
  if (groups.before[end] === SLASH && end < groups.count && isPrefix(pass, end)) to = groups.endOf(end++);
  pass.found(IP, FORMATTED, from, to);
  return end;
}

/** Networks whose ranges are written with a dash: 192.168.1.1-20. */
const PRIVATE = ['10.', '192.168.', '172.', '127.'];

/** Whether a revision of a package follows, as in 1.2.5.1-2, 10.2.5.1-2ubuntu1 and 4.0.0.1+dfsg. */
function isRevision(b: Uint8Array, from: number, to: number): boolean {
  if (b[to] === PLUS || b[to] === TILDE) return true;
  if (b[to] !== HYPHEN || !is(b, to + 1, DIGIT)) return false;
  let end = to + 1;
  while (is(b, end, DIGIT)) end++;
  if (b[end] === FULL_STOP && is(b, end + 1, DIGIT))
    return end - to < 3 && is(b, end + 1, DIGIT) && !PRIVATE.some((name) => isAt(b, from, name));
  return is(b, end, ALPHA) || (end - to < 4 && !PRIVATE.some((name) => isAt(b, from, name)));
}

/** Whether the number is all that stands before it in the heading of a list of changes: ## 4.12.0.3, ## [4.12.0.3]. */
function isHeading(b: Uint8Array, from: number): boolean {
  let i = from;
  if (b[i - 1] === LEFT_BRACKET || b[i - 1] === LOWER_V) i--;
  return b[i - 1] === BLANK && b[i - 2] === HASH_SIGN && (b[i - 3] === HASH_SIGN || byteAt(b, i - 3) < BLANK);
}

function isUnspecified({ groups }: Pass, g: number): boolean {
  const o = intAt(groups.offsets, g);
  return intAt(groups.offsets, g + 4) - o === 4 && number(groups.digits, o, 4) === 0;
}

/** Groups that dots join from `g` on. */
function dottedRun({ groups }: Pass, g: number): number {
  let end = g + 1;
  while (end < groups.count && groups.before[end] === FULL_STOP) end++;
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
