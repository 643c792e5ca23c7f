import type { Pass } from '../pass.ts';
import { BLANK, CARRIAGE_RETURN, GREATER_THAN, LINE_FEED, UPPER_A } from '../text/ascii.ts';
import { LOWER } from '../text/bytes.ts';
import { byteAt, is, isAt } from '../text/read.ts';
import { isNameByte, report, secretWord, skipBlanks, wordEnd } from './command-words.ts';
import { isSecret } from './label-value.ts';
import { mayBePlainPassword } from './plain-words.ts';

const AUTH = 'AUTH ';
const MAX_NAME = 24;
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
  if (b[at] !== UPPER_A || is(b, at + 3, LOWER) || !(at === start || opensCommand(b, at))) return 0;
  let from = skipBlanks(b, at + AUTH.length);
  let to = wordEnd(b, from);
  const second = skipBlanks(b, to);
  if (second > to && byteAt(b, second) > BLANK) {
    from = second;
    to = wordEnd(b, from);
  }
  const last = skipBlanks(b, to);
  if (last < end && b[last] !== LINE_FEED && b[last] !== CARRIAGE_RETURN) return 0;
  const isPlain = isSecret('password', b, from, to, false) || mayBePlainPassword(pass.slice(from, to));
  return isPlain ? report(pass, from, to) : 0;
}

/** Whether a command begins at `at`: in a line of its own, after a prompt, after the name of a client. */
function opensCommand(b: Uint8Array, at: number): boolean {
  let i = at;
  while (b[i - 1] === BLANK) i--;
  if (b[i - 1] === LINE_FEED || b[i - 1] === GREATER_THAN) return true;
  let from = i;
  while (i - from < MAX_NAME && isNameByte(byteAt(b, from - 1))) from--;
  return SERVERS.some((name) => isAt(b, from, name));
}
