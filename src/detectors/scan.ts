import { numbers } from './numbers/numbers.ts';
import type { Pass } from './pass.ts';
import { pem } from './secrets/pem.ts';
import { vendorToken } from './secrets/vendorMatch.ts';
import { CLASS, DIGIT, WORD } from './text/bytes.ts';
import { email } from './tokens/email.ts';
import { ip6 } from './tokens/ip6.ts';
import { mac } from './tokens/mac.ts';
import { word } from './tokens/word.ts';

const PLAIN = 0;
const END = 1;
const NUMERAL = 2;
const AT = 3;
const COLON = 4;
const DASH = 5;
const LOW_LINE = 6;
const DOT = 7;

/** What begins at a byte. Everything else is passed over at the cost of one look-up. */
const TRIGGER = new Uint8Array(256);
TRIGGER[0] = END;
TRIGGER.fill(NUMERAL, 48, 58);
for (const [c, trigger] of [
  ['@', AT],
  [':', COLON],
  ['-', DASH],
  ['_', LOW_LINE],
  ['.', DOT],
] as const) {
  TRIGGER[c.charCodeAt(0)] = trigger;
}

/** How far back a vendor's prefix may begin before its dash or low line. */
const MAX_PREFIX = 12;

/** Reads the text once, from left to right, and dispatches by what a byte may begin. */
export function scanText(pass: Pass): void {
  const b = pass.text.bytes;
  const { start, end } = pass.text;
  let i = start;
  let floor = start;
  for (;;) {
    let trigger = TRIGGER[b[i] as number] as number;
    while (trigger === PLAIN) trigger = TRIGGER[b[++i] as number] as number;
    let next = i + 1;
    switch (trigger) {
      case END:
        if (i >= end) return;
        break;
      case NUMERAL:
        next = numeral(pass, i, floor);
        break;
      case AT:
        next = email(pass, i);
        break;
      case COLON:
        next = mac(pass, i) || ip6(pass, i) || next;
        break;
      case DASH:
        next = b[i + 1] === 45 ? dashes(pass, i) : mac(pass, i) || prefixed(pass, i, floor) || next;
        break;
      case LOW_LINE:
        next = prefixed(pass, i, floor) || next;
        break;
      case DOT:
        next = mac(pass, i) || next;
        break;
    }
    i = next;
    floor = trigger === NUMERAL || next > i + 1 ? next : floor;
  }
}

/** The word or number with its first digit at `i`. */
function numeral(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  let from = i;
  while (from > floor && (CLASS[b[from - 1] as number] as number) & WORD) from--;
  if (from < i) return word(pass, from);
  let to = i;
  while ((CLASS[b[to] as number] as number) & DIGIT) to++;
  const c = b[to] as number;
  const isNumber =
    !((CLASS[c] as number) & WORD) || (c === 120 && (CLASS[b[to + 1] as number] as number) & DIGIT);
  return isNumber ? numbers(pass, i) : word(pass, i);
}

/** Five dashes may begin a key in PEM armour; a longer row of dashes is passed over whole. */
function dashes(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  let last = i;
  while (b[last] === 45) last++;
  return (last - i >= 5 && pem(pass, last - 5)) || last;
}

/** A vendor's token whose prefix ends with, or has, the dash or low line at `i`. */
function prefixed(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  const stop = Math.max(floor, i - MAX_PREFIX);
  let from = i;
  while (from > stop && (CLASS[b[from - 1] as number] as number) & WORD) from--;
  return i - from < 2 ? 0 : vendorToken(pass, from);
}
