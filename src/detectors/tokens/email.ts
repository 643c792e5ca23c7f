import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { dataSource } from '../secrets/data-source.ts';
import { looksRandom } from '../secrets/randomness.ts';
import { tagId } from '../taxonomy.ts';
import {
  COLON_SIGN,
  DOUBLE_QUOTE,
  FULL_STOP,
  HYPHEN,
  LINE_FEED,
  LOW_LINE_SIGN,
  LOWER_C,
  LOWER_G,
  LOWER_I,
  LOWER_N,
  LOWER_T,
  LOWER_U,
  LOWER_X,
  SLASH,
} from '../text/ascii.ts';
import { ALNUM, ALPHA, IDEOGRAPH, LETTER, WORD } from '../text/bytes.ts';
import { byteAt, classAt, classOf, loweredAt } from '../text/read.ts';

const EMAIL = tagId('EMAIL_ADDRESS');
const API_KEY = tagId('API_KEY');
/** Characters of the shortest token that is the user of a URL. */
const MIN_TOKEN = 20;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** Bytes of a local part besides word characters: of those RFC 5321 allows, the ones that are no syntax around it. */
const LOCAL = new Uint8Array(256);
for (const c of ".+-%'") LOCAL[c.charCodeAt(0)] = 1;
for (let c = 0; c < 256; c++) if (classOf(c) & WORD) LOCAL[c] = 2;
/** Of these, what no address begins with here, because text writes it before one. */
const OPENING = new Uint8Array(256);
for (const c of "'%.-") OPENING[c.charCodeAt(0)] = 1;

/**
 * File endings that follow an @ in asset names (icon@2x.png) and module paths, but for those that are countries; up to four
 * letters, each in a byte.
 */
const FILES = new Set(
  'png jpg jpeg gif svg webp ico js mjs cjs ts tsx jsx css scss map json html rb go java yml yaml lock'
    .split(' ')
    .map((ending) => [...ending].reduce((packed, c) => (packed << 8) | c.charCodeAt(0), 0)),
);

/** Endings of systemd's units, whose names have an @ before the instance: getty@tty1.service; and what no domain ends with (RFC 2606). */
const UNITS = new Set('service socket target mount timer device slice scope automount invalid'.split(' '));

function nameOf(b: Uint8Array, from: number, to: number): string {
  let name = '';
  for (let i = from; i < to; i++) name += String.fromCharCode(loweredAt(b, i));
  return name;
}

/** An address around the @ at `at`; returns where to go on. */
export function email(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const source = mayBeSource(byteAt(b, at + 1)) ? dataSource(pass, at) : 0;
  if (source !== 0) return source;
  let from = at;
  const stop = Math.max(pass.text.start, at - MAX_LOCAL);
  while (from > stop && byteAt(LOCAL, byteAt(b, from - 1)) !== 0) from--;
  if (from === at) from = otherLocal(b, at, stop);
  while (from < at && OPENING[byteAt(b, from)] === 1) from++;
  if (from === at || b[at - 1] === FULL_STOP) return at + 1;
  const to = domainEnd(b, at + 1, pass.text.end);
  if (to === 0) return at + 1;
  if (b[from - 1] === SLASH && b[from - 2] === SLASH && b[from - 3] === COLON_SIGN && !pass.strict) {
    // the user of a URL: https://acme@dev.azure.com/acme/_git/shop, or a token in its place
    if (at - from >= MIN_TOKEN && looksRandom(b, from, at)) pass.found(API_KEY, FORMATTED, from, at);
    return to;
  }
  const isRemote = b[to] === COLON_SIGN && at - from === 3 && b[from] === LOWER_G && b[from + 1] === LOWER_I; // git@host:path
  if (!isRemote || pass.strict) pass.found(EMAIL, FORMATTED, from, to);
  return to;
}

/** Whether this byte may begin the network or database of a data source: tcp(, unix(, cloudsql(, /. */
function mayBeSource(c: number): boolean {
  return c === SLASH || c === LOWER_T || c === LOWER_U || c === LOWER_C;
}

/** Where a local part begins that is quoted or written without letters; `at` when there is none. */
function otherLocal(b: Uint8Array, at: number, stop: number): number {
  let from = at - 1;
  if (b[from] === DOUBLE_QUOTE) {
    while (from > stop && b[from - 1] !== DOUBLE_QUOTE && b[from - 1] !== LINE_FEED) from--;
    return from > stop && from < at - 1 && b[from - 1] === DOUBLE_QUOTE ? from - 1 : at;
  }
  while (from >= stop && classAt(b, from) & IDEOGRAPH) from--;
  return from + 1;
}

/** End of a domain with at least two labels and a top one that may exist; 0 when there is none. */
function domainEnd(b: Uint8Array, at: number, end: number): number {
  const limit = Math.min(end, at + MAX_DOMAIN);
  let label = at;
  let last = 0;
  let i = at;
  for (;;) {
    const c = i < limit ? byteAt(b, i) : 0;
    if (classOf(c) & (ALNUM | LETTER) || (c === HYPHEN && i > label) || c === LOW_LINE_SIGN) {
      i++;
      continue;
    }
    const top = i > label && b[i - 1] !== HYPHEN;
    if (top && label > at && isTop(b, label, i)) last = i;
    if (c !== FULL_STOP || !top) return last;
    label = ++i;
  }
}

function isTop(b: Uint8Array, from: number, to: number): boolean {
  const n = to - from;
  if (n < 2 || n > 24) return false;
  if (b[from] === LOWER_X && b[from + 1] === LOWER_N && b[from + 2] === HYPHEN) return true;
  let packed = 0;
  for (let i = from; i < to; i++) {
    if (!(classAt(b, i) & (ALPHA | LETTER))) return false;
    packed = (packed << 8) | loweredAt(b, i);
  }
  return n > 4 ? !UNITS.has(nameOf(b, from, to)) : !FILES.has(packed);
}
