import { mayBePlainPassword } from '../labels/plain-words.ts';
import { isSecret } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, byteAt, DIGIT, is, isAt, UNDERSCORE } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { report, secretWord, wordEnd } from './command-flags.ts';

/** Characters of a line, of a name and of a value that are read, and of a list of users. */
const MAX_LINE = 240;
const MAX_NAME = 64;
const MAX_VALUE = 160;
const MAX_LIST = 65_536;
const MAX_LINES = 256;

/**
 * Files of accounts in which only its place tells which field is a password. Each function takes the byte by which the file
 * is known, and returns where the password ends, or 0.
 */

/** Redis: `user bob on >password ~* +@all`, whose first `@` is at `at`. */
export function aclUser(pass: Pass, at: number): number {
  const { bytes: b } = pass.text;
  let start = at;
  while (at - start < MAX_LINE && !isLineEnd(byteAt(b, start - 1))) {
    start--;
    // every @ of a line looking back over all of it would be quadratic
    if (b[start] === Char.AT_SIGN) return 0;
  }
  const acl = isAt(b, start, 'acl setuser ') || isAt(b, start, 'user ');
  if (!acl) return 0;
  for (let i = start; i - start < MAX_LINE && !isLineEnd(byteAt(b, i)); i++)
    // the password stands before the @ mostly: what follows that is still to be read
    if (b[i] === Char.GREATER_THAN && b[i - 1] === Char.BLANK) return secretWord(pass, i + 1, null) && at + 1;
  return 0;
}

const MAIL_PORTS = ['25', '465', '587', '2525'];

/** Postfix: `[smtp.example.net]:587 bob:password` in a line of its own, whose first colon is at `at`. */
export function relayLogin(pass: Pass, at: number): number {
  const { bytes: b } = pass.text;
  if (b[at - 1] !== Char.RIGHT_BRACKET && !is(b, at - 1, ALNUM)) return 0;
  let port = at + 1;
  while (port - at < 6 && is(b, port, DIGIT)) port++;
  if (
    !isSpace(byteAt(b, port)) ||
    !MAIL_PORTS.some((name) => port - at === name.length + 1 && isAt(b, at + 1, name))
  )
    return 0;
  const user = skipSpaces(b, port);
  let colon = user;
  while (
    colon - user < MAX_NAME &&
    byteAt(b, colon) > Char.BLANK &&
    b[colon] !== Char.COLON_SIGN &&
    b[colon] !== Char.SLASH
  )
    colon++;
  if (colon === user || b[colon] !== Char.COLON_SIGN) return 0;
  return endsLine(b, wordEnd(b, colon + 1)) ? secretWord(pass, colon + 1, null) : 0;
}

/** Sendmail: `AuthInfo:smtp.example.net "U:bob" "P:password"`, with the colon behind P at `at`. */
export function authInfo(pass: Pass, at: number): number {
  const { bytes: b } = pass.text;
  let user = at - 3;
  while (
    at - user < MAX_NAME &&
    !isLineEnd(byteAt(b, user)) &&
    !isAt(b, user, '"u:') &&
    !isAt(b, user, '"i:')
  )
    user--;
  if (b[user] !== Char.DOUBLE_QUOTE) return 0;
  let to = at + 1;
  while (to - at < MAX_VALUE && !isLineEnd(byteAt(b, to)) && b[to] !== Char.DOUBLE_QUOTE) to++;
  return report(pass, at + 1, to);
}

/** pppd: the lines `client server password` below `# client server secret`, of which the last word is at `at`. */
export function chapSecrets(pass: Pass, at: number): number {
  const { bytes: b, end } = pass.text;
  let start = at;
  while (at - start < MAX_NAME && !isLineEnd(byteAt(b, start - 1))) start--;
  if (b[start] !== Char.HASH_SIGN || !isAt(b, skipSpaces(b, start + 1), 'client')) return 0;
  let last = 0;
  let line = lineEnd(b, at) + 1;
  for (let count = 0; count < MAX_LINES && line < end && b[line] !== Char.HASH_SIGN; count++) {
    const server = skipSpaces(b, wordEnd(b, line));
    const secret = skipSpaces(b, wordEnd(b, server));
    if (isLineEnd(byteAt(b, secret))) break;
    last = secretWord(pass, secret, null) || last;
    line = lineEnd(b, secret) + 1;
  }
  return last;
}

/** OpenVPN: the second line below `<auth-user-pass>`, which ends at `at`. */
export function loginLines(pass: Pass, at: number): number {
  const { bytes: b } = pass.text;
  const user = lineEnd(b, at) + 1;
  const password = lineEnd(b, user) + 1;
  return user === at + 1 && password - user < MAX_NAME && endsLine(b, wordEnd(b, password))
    ? secretWord(pass, password, null)
    : 0;
}

const USER_LIST = /^(?:"[\w.@-]{1,64}" "[^"\n]{1,256}"[ \r]*(?:\n|$))+$/;
const USERS = /^("[\w.@-]+" ")([^"\n]+)/gm;

/** PgBouncer: a text that is nothing but lines `"bob" "password"`; a plain word counts in two lines or more. */
export function userList(pass: Pass): void {
  const { bytes: b, start, end } = pass.text;
  if (b[start] !== Char.DOUBLE_QUOTE || end - start > MAX_LIST || !USER_LIST.test(pass.slice(start, end)))
    return;
  let line = start;
  for (const [, user = '', password = ''] of pass.slice(start, end).matchAll(USERS)) {
    const from = line + user.length;
    const to = from + password.length;
    const next = nextLine(b, line);
    const isPlain = (line > start || next < end) && mayBePlainPassword(password);
    if (isPlain || isSecret('password', b, from, to, false)) report(pass, from, to);
    line = next;
  }
}

function nextLine(b: Uint8Array, at: number): number {
  let i = at;
  while (!isLineEnd(byteAt(b, i))) i++;
  return i + 1;
}

function isLineEnd(c: number): boolean {
  return c === Char.LINE_FEED || c === 0;
}

function isSpace(c: number): boolean {
  return c === Char.BLANK || c === Char.TAB;
}

function skipSpaces(b: Uint8Array, at: number): number {
  let i = at;
  while (isSpace(byteAt(b, i))) i++;
  return i;
}

function lineEnd(b: Uint8Array, at: number): number {
  let i = at;
  while (!isLineEnd(byteAt(b, i)) && i - at < MAX_LINE) i++;
  return i;
}

/** Whether nothing but white space follows in the line. */
function endsLine(b: Uint8Array, at: number): boolean {
  const i = skipSpaces(b, at);
  return isLineEnd(byteAt(b, b[i] === Char.CARRIAGE_RETURN ? i + 1 : i));
}

/** What a line begins with that names an account, so that the next one may give its password. */
const ACCOUNTS = ['user ', 'username ', 'login ', 'user:', 'username:', 'login:', 'quote user '];
const MAX_ACCOUNT_LINE = 80;

/** Whether the line that ends at `end` begins with the name of an account. */
export function followsAccount(b: Uint8Array, end: number): boolean {
  let start = end;
  while (end - start < MAX_ACCOUNT_LINE && b[start - 1] !== Char.LINE_FEED && byteAt(b, start - 1) !== 0)
    start--;
  while (b[start] === Char.BLANK) start++;
  return ACCOUNTS.some((word) => isAt(b, start, word));
}

/** The password in a line of PostgreSQL's .pgpass, `host:port:database:user:password`, whose port ends at `at`; its end, or 0. */
export function passwordLine(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const user = nameEnd(b, at + 1);
  const end = user === 0 ? 0 : nameEnd(b, user + 1);
  return end === 0 ? 0 : secretWord(pass, end + 1, null);
}

/** Where a name of a database or user ends, at a colon; 0 for anything else. `*` stands for any. */
function nameEnd(b: Uint8Array, from: number): number {
  let i = from;
  while (
    i - from < MAX_NAME &&
    (is(b, i, ALNUM | UNDERSCORE) || b[i] === Char.HYPHEN || b[i] === Char.ASTERISK)
  )
    i++;
  return i > from && byteAt(b, i) === Char.COLON_SIGN ? i : 0;
}
