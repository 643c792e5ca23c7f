import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { BLANK, FULL_STOP, HYPHEN } from '../text/ascii.ts';
import { ALNUM, ALPHA, UNDERSCORE } from '../text/bytes.ts';
import { is, loweredAt } from '../text/read.ts';

const EMAIL = tagId('EMAIL_ADDRESS');
const MAX_LOCAL = 64;
const MAX_LABELS = 6;
const MIN_TOP = 2;
/** Bytes of `(at)`. */
const AT_SIZE = 4;
/** What stands for a dot. */
const DOTS = [' (dot) ', '(dot)', ' [dot] ', '[dot]', ' dot ', '.'];

/**
 * An address written for people, whose `(at)` or `[at]` begins at `at`: jane (at) example (dot) com, jane[at]example.com.
 * Returns where it ends, or 0.
 */
export function spelledEmail(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const end = b[at - 1] === BLANK ? at - 1 : at;
  let from = end;
  while (end - from < MAX_LOCAL && isLocal(b, from - 1)) from--;
  if (from === end) return 0;
  const after = at + AT_SIZE;
  const to = domainEnd(b, b[after] === BLANK ? after + 1 : after);
  if (to > 0) pass.found(EMAIL, FORMATTED, from, to);
  return to;
}

/** End of a domain of two labels or more, whose last one is of letters; 0 when there is none. */
function domainEnd(b: Uint8Array, at: number): number {
  let label = at;
  let to = at;
  for (let labels = 1; labels <= MAX_LABELS; labels++) {
    label = to;
    while (is(b, to, ALNUM) || (b[to] === HYPHEN && to > label)) to++;
    const dot = dotSize(b, to);
    if (to === label) return 0;
    if (dot === 0 || !is(b, to + dot, ALNUM))
      return labels > 1 && to - label >= MIN_TOP && is(b, label, ALPHA) ? to : 0;
    to += dot;
  }
  return 0;
}

function dotSize(b: Uint8Array, at: number): number {
  for (const dot of DOTS) {
    let i = 0;
    while (i < dot.length && loweredAt(b, at + i) === dot.charCodeAt(i)) i++;
    if (i === dot.length) return i;
  }
  return 0;
}

function isLocal(b: Uint8Array, i: number): boolean {
  return is(b, i, ALNUM | UNDERSCORE) || b[i] === FULL_STOP || b[i] === HYPHEN;
}
