import type { Pass } from '../pass.ts';
import { ALNUM, afterBlanks, byteAt, classAt, is, isAt, LOWER, LOWERED } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { chapSecrets, loginLines } from './account-files.ts';
import { isNameByte, pipedSecret, REACH, report, secretWord, skipBlanks, wordEnd } from './command-flags.ts';
import { changedPasswords, passLine, presetAnswer } from './login-commands.ts';

/** Commands that take a password as a plain argument, noticed by their name between `from` and `to`. */
export function namedCommand(pass: Pass, word: number, to: number): number {
  const b = pass.text.bytes;
  switch (LOWERED[byteAt(b, word)]) {
    case Char.LOWER_P:
      return isAt(b, word, 'pass') ? passwordCommand(pass, word, to) : 0;
    case Char.LOWER_C:
      return secondArgument(pass, to);
    case Char.LOWER_I:
      return isAt(b, word, 'identified ') ? identifiedBy(pass, word + 10) : 0;
    case Char.LOWER_R:
      return isAt(b, word, 'rabbitmqctl ') ? rabbit(pass, word + 12) : 0;
    case Char.LOWER_N:
      return isAt(b, word, 'net use') ? netUse(pass, word) : 0;
    case Char.LOWER_S:
      if (isAt(b, word, 'snmp')) return community(pass, word);
      if (isAt(b, word, 'secret') && isSpaced(b, word)) {
        const last = chapSecrets(pass, word);
        if (last !== 0) return last;
      }
      if (isAt(b, word, 'secret set ')) return givenBody(pass, word + 11);
      return isAt(b, word, 'sqlplus ') ? slashed(pass, word + 8) : 0;
    default:
      return 0;
  }
}

/** Whether the word is a head of a column, with white space before it. */
function isSpaced(b: Uint8Array, word: number): boolean {
  return b[word - 1] === Char.BLANK || b[word - 1] === Char.TAB;
}

/** Commands with the letters "pass" in their names. */
function passwordCommand(pass: Pass, word: number, to: number): number {
  const b = pass.text.bytes;
  let from = word;
  while (word - from < 16 && isNameByte(byteAt(b, from - 1))) from--;
  if (isAt(b, from, 'htpasswd ')) return isBatch(b, to) ? lastArgument(pass, to) : 0;
  if (isAt(b, from, 'wpa_passphrase ') || isAt(b, word - 4, 'wpa_passphrase ')) return lastArgument(pass, to);
  if (isAt(b, from, 'auth-user-pass>'))
    return b[from - 1] === Char.LESS_THAN ? loginLines(pass, from + 15) : 0;
  if (isAt(b, from, 'chpasswd')) return changedPasswords(pass, from, to);
  if (isAt(b, from, 'passwd ') && (b[from - 2] === Char.VERTICAL_BAR || isAt(b, from - 7, '| sudo ')))
    return pipedSecret(pass, from);
  if (isAt(b, from, 'passwd --stdin') || isAt(b, from, '--password-stdin')) return pipedSecret(pass, from);
  return passLine(pass, word) || presetAnswer(pass, word, to);
}

/** Classes whose constructor takes a user and a password. */
const LOGINS = ['networkcredential', 'usernamepasswordcredential', 'usernamepasswordcredentials'];

/** `new NetworkCredential("bob", "secret")`, whose name ends at `to`. */
function secondArgument(pass: Pass, to: number): number {
  const b = pass.text.bytes;
  if (b[to] !== Char.LEFT_PARENTHESIS || b[to + 1] !== Char.DOUBLE_QUOTE) return 0;
  if (!LOGINS.some((login) => isAt(b, to - login.length, login))) return 0;
  const user = wordEnd(b, to + 1);
  const second = skipBlanks(b, user + 1);
  return b[user] === Char.COMMA && b[second] === Char.DOUBLE_QUOTE ? secretWord(pass, second, null) : 0;
}

/** Whether the first flags of htpasswd say that the password is on the command line. */
function isBatch(b: Uint8Array, at: number): boolean {
  for (let i = at; i - at < 40 && b[i] !== Char.LINE_FEED; i++)
    if (b[i] === Char.HYPHEN && b[i - 1] === Char.BLANK)
      for (let k = i + 1; byteAt(b, k) > Char.BLANK; k++) if (b[k] === 98) return true;
  return false;
}

/** The last argument of the command. */
function lastArgument(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let last = 0;
  let words = 0;
  for (let i = at; i - at < REACH; ) {
    i = skipBlanks(b, i);
    const c = byteAt(b, i);
    if (
      c < Char.BLANK ||
      c === Char.LINE_FEED ||
      c === Char.VERTICAL_BAR ||
      c === Char.SEMICOLON ||
      c === Char.AMPERSAND ||
      c === 62
    )
      break;
    if (c !== Char.HYPHEN) {
      last = i;
      words++;
    }
    i = wordEnd(b, i);
  }
  return words < 2 ? 0 : secretWord(pass, last, null);
}

/** SQL: `IDENTIFIED BY 'secret'`, with a plugin between the words too; not prose: a problem identified by "bob". */
function identifiedBy(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (let i = at; i - at < 60 && b[i] !== Char.LINE_FEED; i++) {
    if (!isAt(b, i, ' by ') && !isAt(b, i, ' as ')) continue;
    const isLiteral = b[i + 4] === Char.SINGLE_QUOTE || b[i + 4] === Char.DOUBLE_QUOTE;
    if (isLiteral) return is(b, at - 2, LOWER) && !follows(b, at, GRANTS) ? 0 : secretWord(pass, i + 4, null);
    const isWord = !KEYWORDS.some((word) => isAt(b, i + 4, word)) && follows(b, at, STATEMENTS);
    return isWord ? secretWord(pass, i + 4, null) : 0;
  }
  return 0;
}

/** What statements about a user or its rights begin with, for a password in quotes and without. */
const GRANTS = ['user ', 'grant ', 'role '];
const STATEMENTS = ['create user ', 'alter user ', 'grant ', 'create database link '];
/** What may follow BY that is no password. */
const KEYWORDS = ['values ', 'password ', 'random ', 'globally ', 'externally '];

/** Whether one of these words begins before `at` in the same line. */
function follows(b: Uint8Array, at: number, words: readonly string[]): boolean {
  for (let i = at; at - i < 120 && b[i] !== Char.LINE_FEED; i--) {
    if (b[i - 1] !== Char.BLANK && b[i - 1] !== Char.LINE_FEED && b[i - 1] !== 0) continue;
    if (words.some((word) => isAt(b, i, word))) return true;
  }
  return false;
}

/** `rabbitmqctl add_user bob secret` and `change_password`. */
function rabbit(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (!isAt(b, at, 'add_user ') && !isAt(b, at, 'change_password ') && !isAt(b, at, 'authenticate_user '))
    return 0;
  let i = afterBlanks(b, wordEnd(b, at));
  i = wordEnd(b, i);
  while (b[i] === Char.BLANK) i++;
  return secretWord(pass, i, null);
}

/** `net use \\server\share password /user:bob` and `net user bob password /add`. */
function netUse(pass: Pass, word: number): number {
  const b = pass.text.bytes;
  if (classAt(b, word - 1) & ALNUM) return 0;
  const isUser = isAt(b, word, 'net user ');
  let sawShare = isUser;
  let names = 0;
  let i = word + (isUser ? 9 : 8);
  for (let words = 0; words < 6; words++) {
    while (b[i] === Char.BLANK) i++;
    const end = wordEnd(b, i);
    if (end === i) return 0;
    if (b[i] === Char.BACKSLASH) sawShare = true;
    else if (b[i] !== Char.SLASH && b[end - 1] !== Char.COLON_SIGN) {
      names++;
      if (sawShare && (!isUser || names === 2)) return secretWord(pass, i, null);
    }
    i = end;
  }
  return 0;
}

/** Routers: `snmp-server community v RO`, `set snmp community v`. */
function community(pass: Pass, word: number): number {
  const b = pass.text.bytes;
  const at = isAt(b, word, 'snmp-server ') ? word + 12 : word + 5;
  return isAt(b, at, COMMUNITY) ? secretWord(pass, at + COMMUNITY.length, null) : 0;
}

const COMMUNITY = 'community ';

/** `gh secret set NAME --body secret`. */
function givenBody(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  for (let i = at; i - at < 80 && byteAt(b, i) >= Char.BLANK; i++) {
    if (b[i] !== Char.HYPHEN || b[i - 1] !== Char.BLANK) continue;
    const size = isAt(b, i, '--body') ? 6 : isAt(b, i, '-b ') ? 2 : 0;
    if (size > 0) return secretWord(pass, i + size + 1, null);
  }
  return 0;
}

/** `sqlplus user/password@database`. */
function slashed(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let i = at;
  while (
    b[i] === Char.BLANK ||
    b[i] === Char.HYPHEN ||
    (b[i - 1] === Char.HYPHEN && byteAt(b, i) > Char.BLANK)
  )
    i++;
  const from = i;
  while (classAt(b, i) & ALNUM) i++;
  if (i === from || b[i] !== Char.SLASH) return 0;
  let to = i + 1;
  while (byteAt(b, to) > Char.BLANK && b[to] !== 64) to++;
  return report(pass, i + 1, to);
}
