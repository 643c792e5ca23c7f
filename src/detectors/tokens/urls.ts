import { CHECKSUM, FORMATTED } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import { isFiller } from '../labels/plain-words.ts';
import type { Pass } from '../pass.ts';
import {
  ALPHA,
  byteAt,
  classOf,
  endsWith,
  hexAt,
  isAt,
  isExactly,
  LOWERED,
  SPACE,
  setOf,
  unitAt,
} from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { ALPHABET, BASE64, BASE64_URL } from './randomness.ts';
import { teamsWebhook, webhook } from './segmented-tokens.ts';

const CONNECTION = tagId('CONNECTION_STRING');
const URL = tagId('URL');
const MAX_URL = 2048;
const MAX_AUTHORITY = 300;

/**
 * A URL whose `://` begins at `at`: a connection string when its authority has a user and a password (RFC 3986
 * userinfo), else, where that is wanted, a URL. Returns where to go on, or 0.
 */
export function locator(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (b[at + 1] !== Char.SLASH || b[at + 2] !== Char.SLASH) return 0;
  let from = at;
  while (at - from < 20 && isScheme(byteAt(b, from - 1))) from--;
  if (at - from < 2) return 0;
  const user = at + 3;
  let colon = 0;
  let host = 0;
  let path = user;
  for (; path - user < MAX_AUTHORITY && !endsAuthority(byteAt(b, path)); path++) {
    if (b[path] === Char.COLON_SIGN && colon === 0) colon = path;
    if (b[path] === Char.AT_SIGN) host = path;
  }
  if (hasPassword(pass, user, colon, host)) {
    const to = urlEnd(b, from, path);
    return pass.found(CONNECTION, CHECKSUM, from, to);
  }
  const mayHook = b[user] === Char.LOWER_H || b[user] === Char.LOWER_D || opensHook(b, path); // hooks., discord
  if (at < pass.urlEnd || !(mayHook || pass.isOn(URL))) return 0;
  const to = urlEnd(b, from, path);
  pass.urlEnd = to;
  if (mayHook && (webhook(pass, from, user, to) || teamsWebhook(pass, from, path, to))) return to;
  if (hasHost(b, host === 0 ? user : host + 1, path)) pass.found(URL, FORMATTED, from, to);
  return 0;
}

function endsAuthority(c: number): boolean {
  return ends(c) || c === Char.SLASH || c === Char.QUESTION_MARK;
}

/** Whether the authority has a user and a password, with the colon and the @ at these positions, that is no example. */
function hasPassword(pass: Pass, user: number, colon: number, host: number): boolean {
  if (colon === 0 || host <= colon + 1) return false;
  return !isReference(pass.text.bytes, colon + 1) && !isExample(pass, user, colon, host);
}

function urlEnd(b: Uint8Array, from: number, at: number): number {
  let to = at;
  while (to - from < MAX_URL && !ends(byteAt(b, to))) to++;
  while (TRAILING[byteAt(b, to - 1)] === 1) to--;
  return to;
}

/** Whether the path from `at` begins as that of a webhook of Teams does. */
function opensHook(b: Uint8Array, at: number): boolean {
  return isExactly(b, at, '/webh');
}

function isScheme(c: number): boolean {
  return (classOf(c) & ALPHA) !== 0 || c === Char.PLUS || c === Char.HYPHEN || (c >= 48 && c <= 57);
}

function ends(c: number): boolean {
  return c === 0 || (classOf(c) & SPACE) !== 0 || ENDS[c] === 1;
}
const ENDS = setOf('"\'<>`');

const EXAMPLE_USERS = new Set(['guest', 'foo', 'user', 'username']);

/** Hosts that only the program's own machine reaches. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether user and password only stand for some: user:pass, foo:bar, guest:guest, and :password at the own machine. */
export function isExample(pass: Pass, user: number, colon: number, host: number): boolean {
  const password = pass.slice(colon + 1, host).toLowerCase();
  if (password.length > 24) return false;
  const b = pass.text.bytes;
  if (isAt(b, user, 'your')) return true;
  const name = pass.slice(user, colon).toLowerCase();
  if ((name.length === 1 && password.length === 1) || (name === '' && password === 'pass')) return true; // a:b
  if (password === name && EXAMPLE_USERS.has(name)) return true;
  if (!isFiller(name) || !isFiller(password)) return false;
  return name !== '' || isLoopback(b, host + 1);
}

function isLoopback(b: Uint8Array, host: number): boolean {
  return LOOPBACK.some((name) => {
    const next = byteAt(b, host + name.length);
    return isAt(b, host, name) && (next === Char.COLON_SIGN || endsAuthority(next));
  });
}

/** ${PASSWORD}, <password>, {{…}}: a template, not a value. */
export function isReference(b: Uint8Array, at: number): boolean {
  return REFERENCE[byteAt(b, at)] === 1 || (b[at] === Char.PERCENT && b[at + 1] === Char.LEFT_BRACE);
}
const REFERENCE = setOf('${<*');

/** Signs of a sentence behind a URL. */
const TRAILING = setOf('.,);!]');

/** A host has a dot inside, or is in brackets. */
function hasHost(b: Uint8Array, from: number, to: number): boolean {
  if (b[from] === Char.LEFT_BRACKET) return true;
  for (let i = from + 1; i < to - 1; i++) if (b[i] === Char.FULL_STOP) return true;
  return false;
}

const SIGNED = tagId('SIGNED_URL');
const TILDE = 126;
/** Characters of the shortest signature in hexadecimal, of any other, and of a shared access signature of Azure. */
const MIN_HEX = 64;
const MIN_SIGNATURE = 27;
const MIN_SHARED = 43;
const MAX_SIGNATURE = 1100;

/**
 * The signature in a URL, with which anyone may read what it names, whose equals sign is at `at`: `X-Amz-Signature` and
 * `X-Goog-Signature` (hexadecimal), `Signature` (CloudFront, older ones of AWS and others), `sig` (Azure). Returns where it
 * ends, or 0.
 */
export function signature(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const last = LOWERED[byteAt(b, at - 1)];
  if (last === 103)
    return b[at - 3] === Char.LOWER_S && opensName(b, at - 4) ? drawn(pass, at + 1, MIN_SHARED) : 0;
  if (last !== 101 || !endsWith(b, at, 'signature')) return 0;
  const before = byteAt(b, at - 10);
  if (before === Char.HYPHEN) return hexadecimal(pass, at + 1);
  return opensName(b, at - 10) ? drawn(pass, at + 1, MIN_SIGNATURE) : 0;
}

/** Whether the name of a parameter begins after this byte; `&amp;` ends with a semicolon. */
function opensName(b: Uint8Array, at: number): boolean {
  return b[at] === Char.AMPERSAND || b[at] === Char.QUESTION_MARK || b[at] === Char.SEMICOLON;
}

function hexadecimal(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  let to = from;
  while (to - from < MAX_SIGNATURE && hexAt(b, to) < 16) to++;
  return report(pass, from, to, MIN_HEX) || drawn(pass, from, MIN_SIGNATURE);
}

/** A signature in base64 of any alphabet, percent-encoded or not. */
function drawn(pass: Pass, from: number, min: number): number {
  const b = pass.text.bytes;
  let to = from;
  while (to - from < MAX_SIGNATURE && isSignature(byteAt(b, to))) to++;
  return report(pass, from, to, min);
}

function isSignature(c: number): boolean {
  return (unitAt(ALPHABET, c) & (BASE64 | BASE64_URL)) !== 0 || c === Char.PERCENT || c === TILDE;
}

function report(pass: Pass, from: number, to: number, min: number): number {
  const b = pass.text.bytes;
  if (to - from < min) return 0;
  let variety = 0;
  for (let i = from, seen = 0; i < to && variety < 8; i++) {
    const bit = 1 << (byteAt(b, i) & 31);
    if ((seen & bit) === 0) variety++;
    seen |= bit;
  }
  if (variety < 8) return 0;
  return pass.found(SIGNED, FORMATTED, from, to);
}
