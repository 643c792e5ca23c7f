import type { Pass } from '../pass.ts';
import {
  BACKSLASH,
  BLANK,
  CARRIAGE_RETURN,
  DOUBLE_QUOTE,
  LINE_FEED,
  SLASH,
  TAB,
  UPPER_P,
} from '../text/ascii.ts';
import { byteAt, isAt } from '../text/read.ts';
import { followsAccount } from './account-line.ts';
import { report, secretWord, skipBlanks, wordEnd } from './command-words.ts';

/** How far behind the name of the client its commands are read. */
const MAX_SCRIPT = 400;
const MAX_NAME = 80;

/** FTP and POP3: `PASS v` below the line that names the user, `quote PASS v` in a script; PASS is at `at`. Returns its end, or 0. */
export function passLine(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (b[at + 4] !== BLANK) return 0;
  const start = isAt(b, at - 6, 'quote ') ? at - 6 : at;
  if (b[at] !== UPPER_P && start === at) return 0;
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
    if (b[from] !== DOUBLE_QUOTE) return 0;
    let to = from + 1;
    while (to - from < MAX_NAME && byteAt(b, to) >= BLANK && b[to] !== DOUBLE_QUOTE && b[to] !== BACKSLASH)
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
    if (b[i] !== LINE_FEED) continue;
    const line = skipBlanks(b, i + 1);
    if (!isAt(b, line, 'user ')) continue;
    const value = skipBlanks(b, wordEnd(b, skipBlanks(b, line + 5)));
    if (byteAt(b, value) > BLANK && endsLine(b, wordEnd(b, value)) && secretWord(pass, value, null) !== 0)
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
  while (at - part < MAX_NAME && byteAt(b, part - 1) > BLANK && b[part - 1] !== SLASH) part--;
  if (b[part - 1] !== SLASH) return 0;
  for (let i = part; i < question; i++)
    if (isAt(b, i, 'pass')) {
      let value = to;
      while (isSpace(byteAt(b, value))) value++;
      return secretWord(pass, value, null);
    }
  return 0;
}

function isSpace(c: number): boolean {
  return c === BLANK || c === TAB;
}

function endsLine(b: Uint8Array, at: number): boolean {
  const i = skipBlanks(b, at);
  return byteAt(b, i) === 0 || b[i] === LINE_FEED || b[i] === CARRIAGE_RETURN;
}
