import { CHECKSUM, FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { QUOTE } from '../labels/labels.ts';
import type { Pass } from '../pass.ts';
import {
  ALNUM,
  ALPHA,
  byteAt,
  classAt,
  classOf,
  IDEOGRAPH,
  is,
  isAt,
  LETTER,
  loweredAt,
  setOf,
  UNDERSCORE,
  WORD,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { looksRandom } from './randomness.ts';
import { isExample, isReference } from './urls.ts';

const CONNECTION = tagId('CONNECTION_STRING');
/** Characters of user and password, and of all of it. */
const MAX_LOGIN = 128;
const MAX_SOURCE = 512;
const NETWORKS = ['tcp', 'tcp4', 'tcp6', 'unix', 'cloudsql', 'cloudsqlconn'];
const ORACLE = 'jdbc:oracle:';

/**
 * The name of a data source with user and password whose @ is at `at`: of Go's drivers (`app:secret@tcp(db:3306)/shop`, in
 * quotes also `app:secret@/shop`), of Oracle's thin driver (`jdbc:oracle:thin:app/secret@//db:1521/shop`). Returns where
 * it ends, or 0.
 */
function dataSource(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const isNetwork = NETWORKS.some(
    (name) => isAt(b, at + 1, name) && b[at + 1 + name.length] === Char.LEFT_PARENTHESIS,
  );
  if (!isNetwork && !mayBeOther(b, at)) return 0;
  let from = at;
  // not past another @: a text of them would be read once for each
  while (at - from < MAX_LOGIN && b[from - 1] !== Char.AT_SIGN && !ends(byteAt(b, from - 1))) from--;
  const isOracle = !isNetwork && isAt(b, from, ORACLE);
  const user = isOracle ? lastColon(b, from, at) + 1 : from;
  const separator = isOracle ? Char.SLASH : Char.COLON_SIGN;
  let colon = user;
  while (colon < at && b[colon] !== separator) colon++;
  // of a URL, locator() has judged user and password
  if (isAt(b, colon, '://')) return 0;
  if (colon === user || at - colon < 2 || isReference(b, colon + 1) || isExample(pass, user, colon, at))
    return 0;
  if (!isNetwork && !isOracle && QUOTE[byteAt(b, from - 1)] !== 1) return 0;
  let to = at;
  while (to - from < MAX_SOURCE && !ends(byteAt(b, to))) to++;
  if (!isNetwork && !isOracle && QUOTE[byteAt(b, to)] !== 1) return 0;
  return pass.found(CONNECTION, CHECKSUM, from, to);
}

/** Whether the name of a database follows, or an address of Oracle. */
function mayBeOther(b: Uint8Array, at: number): boolean {
  return b[at + 1] === Char.SLASH && (b[at + 2] === Char.SLASH || is(b, at + 2, ALNUM));
}

function lastColon(b: Uint8Array, from: number, at: number): number {
  let i = at;
  while (i > from && b[i] !== Char.COLON_SIGN) i--;
  return i;
}

function ends(c: number): boolean {
  return c <= Char.BLANK || QUOTE[c] === 1;
}

const EMAIL = tagId('EMAIL_ADDRESS');
const API_KEY = tagId('API_KEY');
/** Characters of the shortest token that is the user of a URL. */
const MIN_TOKEN = 20;
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** Bytes of a local part besides word characters: of those RFC 5321 allows, the ones that are no syntax around it. */
const LOCAL = setOf(".+-%'");
for (let c = 0; c < 256; c++) if (classOf(c) & WORD) LOCAL[c] = 2;
/** Signs among these that begin no address here, because text writes them before one. */
const OPENING = setOf("'%.-");

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
  if (from === at || b[at - 1] === Char.FULL_STOP) return at + 1;
  const to = domainEnd(b, at + 1, pass.text.end);
  if (to === 0) return at + 1;
  if (
    b[from - 1] === Char.SLASH &&
    b[from - 2] === Char.SLASH &&
    b[from - 3] === Char.COLON_SIGN &&
    !pass.strict
  ) {
    // the user of a URL: https://acme@dev.azure.com/acme/_git/shop, or a token in its place
    if (at - from >= MIN_TOKEN && looksRandom(b, from, at)) pass.found(API_KEY, FORMATTED, from, at);
    return to;
  }
  const isRemote =
    b[to] === Char.COLON_SIGN && at - from === 3 && b[from] === Char.LOWER_G && b[from + 1] === Char.LOWER_I; // git@host:path
  return !isRemote || pass.strict ? pass.found(EMAIL, FORMATTED, from, to) : to;
}

/** Whether this byte may begin the network or database of a data source: tcp(, unix(, cloudsql(, /. */
function mayBeSource(c: number): boolean {
  return c === Char.SLASH || c === Char.LOWER_T || c === Char.LOWER_U || c === Char.LOWER_C;
}

/** Where a local part begins that is quoted or written without letters; `at` when there is none. */
function otherLocal(b: Uint8Array, at: number, stop: number): number {
  let from = at - 1;
  if (b[from] === Char.DOUBLE_QUOTE) {
    while (from > stop && b[from - 1] !== Char.DOUBLE_QUOTE && b[from - 1] !== Char.LINE_FEED) from--;
    return from > stop && from < at - 1 && b[from - 1] === Char.DOUBLE_QUOTE ? from - 1 : at;
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
    if (classOf(c) & (ALNUM | LETTER) || (c === Char.HYPHEN && i > label) || c === Char.LOW_LINE_SIGN) {
      i++;
      continue;
    }
    const top = i > label && b[i - 1] !== Char.HYPHEN;
    if (top && label > at && isTop(b, label, i)) last = i;
    if (c !== Char.FULL_STOP || !top) return last;
    label = ++i;
  }
}

function isTop(b: Uint8Array, from: number, to: number): boolean {
  const n = to - from;
  if (n < 2 || n > 24) return false;
  if (b[from] === Char.LOWER_X && b[from + 1] === Char.LOWER_N && b[from + 2] === Char.HYPHEN) return true;
  let packed = 0;
  for (let i = from; i < to; i++) {
    if (!(classAt(b, i) & (ALPHA | LETTER))) return false;
    packed = (packed << 8) | loweredAt(b, i);
  }
  return n > 4 ? !UNITS.has(nameOf(b, from, to)) : !FILES.has(packed);
}

const MAX_LABELS = 6;
const MIN_TOP = 2;
/** Bytes of `(at)`. */
const AT_SIZE = 4;
/** The ways to write a dot. */
const DOTS = [' (dot) ', '(dot)', ' [dot] ', '[dot]', '{dot}', ' dot ', '.'];

/**
 * An address written for people, whose `(at)` or `[at]` begins at `at`: jane (at) example (dot) com, jane[at]example.com.
 * Returns where it ends, or 0.
 */
export function spelledEmail(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const end = b[at - 1] === Char.BLANK ? at - 1 : at;
  let from = end;
  while (end - from < MAX_LOCAL && isLocal(b, from - 1)) from--;
  if (from === end) return 0;
  const after = at + AT_SIZE;
  const to = spelledDomainEnd(b, b[after] === Char.BLANK ? after + 1 : after);
  return to > 0 ? pass.found(EMAIL, FORMATTED, from, to) : to;
}

/** Text around ` at ` that is an address and no sentence about a place: it has a sign or a digit, or a word for mail comes before it. */
const ADDRESS = /[\d._]|mail[^\n]{0,40}\s\S*$|(?:write|contact|reach|address)[^\n]{0,24}\s\S*$/i;
const AT = ' at ';
const REACH = 64;

/** An address in words whose first ` dot ` is at `dot`: jane.doe at example dot com. Returns where it ends, or 0. */
export function dottedEmail(pass: Pass, dot: number): number {
  const b = pass.text.bytes;
  let domain = dot;
  while (dot - domain < MAX_LOCAL && (is(b, domain - 1, ALNUM) || b[domain - 1] === Char.HYPHEN)) domain--;
  const end = domain - AT.length;
  if (domain === dot || !isAt(b, end, AT)) return 0;
  let from = end;
  while (end - from < MAX_LOCAL && isLocal(b, from - 1)) from--;
  const local = pass.slice(from, end);
  const isAddress =
    ADDRESS.test(local) || ADDRESS.test(pass.slice(Math.max(pass.text.start, from - REACH), from));
  const to = spelledDomainEnd(b, domain);
  return from < end && to > dot && isAddress ? pass.found(EMAIL, FORMATTED, from, to) : 0;
}

/** End of a domain of two labels or more, whose last one is of letters; 0 when there is none. */
function spelledDomainEnd(b: Uint8Array, at: number): number {
  let label = at;
  let to = at;
  for (let labels = 1; labels <= MAX_LABELS; labels++) {
    label = to;
    while (is(b, to, ALNUM) || (b[to] === Char.HYPHEN && to > label)) to++;
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
  return is(b, i, ALNUM | UNDERSCORE) || b[i] === Char.FULL_STOP || b[i] === Char.HYPHEN;
}
