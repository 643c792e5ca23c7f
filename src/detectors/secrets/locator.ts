import { CHECKSUM, FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import {
  ASTERISK,
  AT_SIGN,
  BACKTICK,
  COLON_SIGN,
  COMMA,
  DOLLAR,
  DOUBLE_QUOTE,
  EXCLAMATION_MARK,
  FULL_STOP,
  GREATER_THAN,
  HYPHEN,
  LEFT_BRACE,
  LEFT_BRACKET,
  LESS_THAN,
  LOWER_B,
  LOWER_D,
  LOWER_E,
  LOWER_H,
  LOWER_W,
  PERCENT,
  PLUS,
  QUESTION_MARK,
  RIGHT_BRACKET,
  RIGHT_PARENTHESIS,
  SEMICOLON,
  SINGLE_QUOTE,
  SLASH,
} from '../text/ascii.ts';
import { ALPHA, SPACE } from '../text/bytes.ts';
import { byteAt, classOf, isAt } from '../text/read.ts';
import { isFiller } from './plain-words.ts';
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
  if (b[at + 1] !== SLASH || b[at + 2] !== SLASH) return 0;
  let from = at;
  while (at - from < 20 && isScheme(byteAt(b, from - 1))) from--;
  if (at - from < 2) return 0;
  const user = at + 3;
  let colon = 0;
  let host = 0;
  let path = user;
  for (; path - user < MAX_AUTHORITY && !endsAuthority(byteAt(b, path)); path++) {
    if (b[path] === COLON_SIGN && colon === 0) colon = path;
    if (b[path] === AT_SIGN) host = path;
  }
  if (hasPassword(pass, user, colon, host)) {
    const to = urlEnd(b, from, path);
    pass.found(CONNECTION, CHECKSUM, from, to);
    return to;
  }
  const mayHook = b[user] === LOWER_H || b[user] === LOWER_D || opensHook(b, path); // hooks., discord
  if (at < pass.urlEnd || !(mayHook || pass.isOn(URL))) return 0;
  const to = urlEnd(b, from, path);
  pass.urlEnd = to;
  if (mayHook && (webhook(pass, from, user, to) || teamsWebhook(pass, from, path, to))) return to;
  if (hasHost(b, host === 0 ? user : host + 1, path)) pass.found(URL, FORMATTED, from, to);
  return 0;
}

function endsAuthority(c: number): boolean {
  return ends(c) || c === SLASH || c === QUESTION_MARK;
}

/** Whether the authority has a user and a password, with the colon and the @ at these positions, that is no example. */
function hasPassword(pass: Pass, user: number, colon: number, host: number): boolean {
  if (colon === 0 || host <= colon + 1) return false;
  return !isReference(pass.text.bytes, colon + 1) && !isExample(pass, user, colon, host);
}

function urlEnd(b: Uint8Array, from: number, at: number): number {
  let to = at;
  while (to - from < MAX_URL && !ends(byteAt(b, to))) to++;
  while (isTrailing(byteAt(b, to - 1))) to--;
  return to;
}

/** Whether the path from `at` begins as that of a webhook of Teams does. */
function opensHook(b: Uint8Array, at: number): boolean {
  return (
    b[at] === SLASH &&
    b[at + 1] === LOWER_W &&
    b[at + 2] === LOWER_E &&
    b[at + 3] === LOWER_B &&
    b[at + 4] === LOWER_H
  );
}

function isScheme(c: number): boolean {
  return (classOf(c) & ALPHA) !== 0 || c === PLUS || c === HYPHEN || (c >= 48 && c <= 57);
}

function ends(c: number): boolean {
  return (
    c === 0 ||
    (classOf(c) & SPACE) !== 0 ||
    c === DOUBLE_QUOTE ||
    c === SINGLE_QUOTE ||
    c === LESS_THAN ||
    c === GREATER_THAN ||
    c === BACKTICK
  );
}

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
    return isAt(b, host, name) && (next === COLON_SIGN || endsAuthority(next));
  });
}

/** ${PASSWORD}, <password>, {{…}}: a template, not a value. */
export function isReference(b: Uint8Array, at: number): boolean {
  return (
    b[at] === DOLLAR ||
    b[at] === LEFT_BRACE ||
    b[at] === LESS_THAN ||
    b[at] === ASTERISK ||
    (b[at] === PERCENT && b[at + 1] === LEFT_BRACE)
  );
}

function isTrailing(c: number): boolean {
  return (
    c === FULL_STOP ||
    c === COMMA ||
    c === RIGHT_PARENTHESIS ||
    c === SEMICOLON ||
    c === EXCLAMATION_MARK ||
    c === RIGHT_BRACKET
  );
}

/** A host has a dot inside, or is in brackets. */
function hasHost(b: Uint8Array, from: number, to: number): boolean {
  if (b[from] === LEFT_BRACKET) return true;
  for (let i = from + 1; i < to - 1; i++) if (b[i] === FULL_STOP) return true;
  return false;
}
