import { BLANK, LINE_FEED } from '../text/ascii.ts';
import { byteAt, isAt } from '../text/read.ts';

/** What a line begins with that names an account, so that the next one may give its password. */
const ACCOUNTS = ['user ', 'username ', 'login ', 'user:', 'username:', 'login:', 'quote user '];
const MAX_LINE = 80;

/** Whether the line that ends at `end` begins with the name of an account. */
export function followsAccount(b: Uint8Array, end: number): boolean {
  let start = end;
  while (end - start < MAX_LINE && b[start - 1] !== LINE_FEED && byteAt(b, start - 1) !== 0) start--;
  while (b[start] === BLANK) start++;
  return ACCOUNTS.some((word) => isAt(b, start, word));
}
