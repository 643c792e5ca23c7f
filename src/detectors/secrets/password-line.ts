import type { Pass } from '../pass.ts';
import { ASTERISK, COLON_SIGN, HYPHEN } from '../text/ascii.ts';
import { ALNUM, UNDERSCORE } from '../text/bytes.ts';
import { byteAt, is } from '../text/read.ts';
import { secretWord } from './command-words.ts';

const MAX_NAME = 64;

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
  while (i - from < MAX_NAME && (is(b, i, ALNUM | UNDERSCORE) || b[i] === HYPHEN || b[i] === ASTERISK)) i++;
  return i > from && byteAt(b, i) === COLON_SIGN ? i : 0;
}
