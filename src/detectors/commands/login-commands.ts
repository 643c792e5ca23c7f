import { mayBePlainPassword } from '../labels/plain-words.ts';
import { isSecret } from '../labels/value-gates.ts';
import type { Pass } from '../pass.ts';
import { afterBlanks, byteAt, is, isAt, LOWER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { followsAccount } from './account-files.ts';
import { echoed, isNameByte, report, secretWord, skipBlanks, wordEnd } from './command-flags.ts';

/** How far behind the name of the client its commands are read. */
const MAX_SCRIPT = 400;
const MAX_NAME = 80;

/** FTP and POP3: `PASS v` below the line that names the user, `quote PASS v` in a script; PASS is at `at`. Returns its end, or 0. */
export function passLine(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (b[at + 4] !== Char.BLANK) return 0;
  const start = isAt(b, at - 6, 'quote ') ? at - 6 : at;
  if (b[at] !== Char.UPPER_P && start === at) return 0;
  const value = skipBlanks(b, at + 4);
  if (!endsLine(b, wordEnd(b, value)) || !(start < at || followsAccount(b, start - 1))) return 0;
  return secretWord(pass, value, null);
}

/** How far behind a prompt its answer may stand. */
const MAX_ANSWER = 40;

/** Expect: `expect "assword:"; send "v\\r"`, whose prompt ends at `at`. Returns where the password ends, or 0. */
export function answer(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (let i = at; i - at < MAX_ANSWER; i++) {
    if (!isAt(b, i, 'send ')) continue;
    const from = isAt(b, i + 5, '-- ') ? i + 8 : i + 5;
    if (b[from] !== Char.DOUBLE_QUOTE) return 0;
    let to = from + 1;
    while (
      to - from < MAX_NAME &&
      byteAt(b, to) >= Char.BLANK &&
      b[to] !== Char.DOUBLE_QUOTE &&
      b[to] !== Char.BACKSLASH
    )
      to++;
    return report(pass, from + 1, to);
  }
  return 0;
}

/** `user NAME v` in the script of an FTP client, whose first flag is at `at`. Returns the byte behind the flag, or 0. */
export function ftpScript(pass: Pass, at: number): number {
  const { bytes: b, end } = pass.text;
  if (!isAt(b, at - 4, 'ftp ')) return 0;
  for (let i = at; i - at < MAX_SCRIPT && i < end; i++) {
    if (b[i] !== Char.LINE_FEED) continue;
    const line = skipBlanks(b, i + 1);
    if (!isAt(b, line, 'user ')) continue;
    const value = skipBlanks(b, wordEnd(b, skipBlanks(b, line + 5)));
    if (
      byteAt(b, value) > Char.BLANK &&
      endsLine(b, wordEnd(b, value)) &&
      secretWord(pass, value, null) !== 0
    )
      return at + 1;
  }
  return 0;
}

/**
 * debconf: `d-i passwd/root-password password v`, whose type ends at `to`: the last part of the question before it names a
 * password. Returns where the value ends, or 0.
 */
export function presetAnswer(pass: Pass, at: number, to: number): number {
  const b = pass.text.bytes;
  if (to - at !== 8 || !isSpace(byteAt(b, at - 1)) || !isSpace(byteAt(b, to))) return 0;
  let question = at - 1;
  while (at - question < MAX_NAME && isSpace(byteAt(b, question - 1))) question--;
  let part = question;
  while (at - part < MAX_NAME && byteAt(b, part - 1) > Char.BLANK && b[part - 1] !== Char.SLASH) part--;
  if (b[part - 1] !== Char.SLASH) return 0;
  for (let i = part; i < question; i++)
    if (isAt(b, i, 'pass')) {
      let value = to;
      while (isSpace(byteAt(b, value))) value++;
      return secretWord(pass, value, null);
    }
  return 0;
}

function isSpace(c: number): boolean {
  return c === Char.BLANK || c === Char.TAB;
}

function endsLine(b: Uint8Array, at: number): boolean {
  const i = skipBlanks(b, at);
  return byteAt(b, i) === 0 || b[i] === Char.LINE_FEED || b[i] === Char.CARRIAGE_RETURN;
}

const AUTH = 'AUTH ';
const MAX_COMMAND_NAME = 24;
/** HAProxy: `stats auth bob:v`. */
const STATS = 'stats ';
const SERVERS = ['redis', 'valkey', 'keydb'];

/**
 * The password of Redis' command AUTH at `at`, with a user before it or none, or what follows the mechanism of SMTP: alone
 * in a line, behind a prompt or the name of the client. Returns where it ends, or 0.
 */
export function authCommand(pass: Pass, at: number): number {
  const { bytes: b, start, end } = pass.text;
  if (isAt(b, at - STATS.length, STATS)) return secretWord(pass, at + AUTH.length, ':');
  if (b[at] !== Char.UPPER_A || is(b, at + 3, LOWER) || !(at === start || opensCommand(b, at))) return 0;
  let from = skipBlanks(b, at + AUTH.length);
  let to = wordEnd(b, from);
  const second = skipBlanks(b, to);
  if (second > to && byteAt(b, second) > Char.BLANK) {
    from = second;
    to = wordEnd(b, from);
  }
  const last = skipBlanks(b, to);
  if (last < end && b[last] !== Char.LINE_FEED && b[last] !== Char.CARRIAGE_RETURN) return 0;
  const isPlain = isSecret('password', b, from, to, false) || mayBePlainPassword(pass.slice(from, to));
  return isPlain ? report(pass, from, to) : 0;
}

/** Whether a command begins at `at`: in a line of its own, after a prompt, after the name of a client. */
function opensCommand(b: Uint8Array, at: number): boolean {
  let i = at;
  while (b[i - 1] === Char.BLANK) i--;
  if (b[i - 1] === Char.LINE_FEED || b[i - 1] === Char.GREATER_THAN) return true;
  let from = i;
  while (i - from < MAX_COMMAND_NAME && isNameByte(byteAt(b, from - 1))) from--;
  return SERVERS.some((name) => isAt(b, from, name));
}

/** `user:password` that is given to chpasswd: by a pipe, a here-string or a here-document. */
export function changedPasswords(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  let i = afterBlanks(b, to);
  if (b[i] === 60 && b[i + 1] === 60 && b[i + 2] === 60) {
    i += 3;
    while (b[i] === Char.BLANK) i++;
    return secretWord(pass, i, ':');
  }
  if (b[i] === 60 && b[i + 1] === 60) {
    while (b[i] !== Char.LINE_FEED && b[i] !== 0) i++;
    return secretWord(pass, i + 1, ':');
  }
  if (b[i] === Char.COLON_SIGN) return listedPasswords(pass, i + 1);
  let bar = from - 1;
  while (from - bar < 30 && b[bar] !== Char.VERTICAL_BAR && b[bar] !== Char.LINE_FEED) bar--;
  return b[bar] === Char.VERTICAL_BAR && echoed(pass, bar, ':') ? to : 0;
}

const LIST = 'list:';
const MAX_LISTED = 32;

/** cloud-init: the lines `user:password` of `chpasswd:` and `list: |`, which begins behind `at`. Returns `at`, or 0. */
function listedPasswords(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let line = at;
  while (line - at < MAX_LISTED && byteAt(b, line) <= Char.BLANK && b[line] !== 0) line++;
  if (!isAt(b, line, LIST)) return 0;
  let found = 0;
  for (let count = 0; count < MAX_LISTED; count++) {
    while (byteAt(b, line) >= Char.BLANK) line++;
    if (b[line] !== Char.LINE_FEED) break;
    line = skipBlanks(b, line + 1);
    if (b[line] === Char.HYPHEN) line = skipBlanks(b, line + 1);
    if (secretWord(pass, line, ':') !== 0) found = at;
  }
  return found;
}
