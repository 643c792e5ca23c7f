import { BACKSLASH, BLANK, COLON_SIGN, DOUBLE_QUOTE, EQUALS_SIGN, FULL_STOP, HYPHEN } from '../text/ascii.ts';
import { ALNUM, UNDERSCORE } from '../text/bytes.ts';
import { byteAt, is, loweredAt } from '../text/read.ts';

const MAX_KEY = 40;
const MAX_GAP = 4;
/** Keys that do not say what they hold: {"type": "passport", "number": "X1234567"}. */
const PLAIN = new Set('number num no nr value val v id text content data code identifier answer'.split(' '));

/**
 * Where the key of a member begins whose value begins at `at`, as text has it: `"snapshot-index": 8288774`,
 * `index=8288774`. 0 when there is none, or one that does not say what it holds: only then do words before it.
 */
export function ownKey(b: Uint8Array, at: number): number {
  let to = skipBack(b, at);
  const operator = byteAt(b, to - 1);
  if (operator !== COLON_SIGN && operator !== EQUALS_SIGN) return 0;
  to = skipBack(b, to - 1);
  if (operator === COLON_SIGN && b[to] !== DOUBLE_QUOTE && b[to] !== BACKSLASH) return 0;
  let from = to;
  let name = '';
  while (to - from < MAX_KEY && isKey(b, from - 1)) name = String.fromCharCode(loweredAt(b, --from)) + name;
  return to - from < 2 || PLAIN.has(name) ? 0 : from;
}

function skipBack(b: Uint8Array, at: number): number {
  let i = at;
  while (at - i < MAX_GAP && (b[i - 1] === BLANK || b[i - 1] === DOUBLE_QUOTE || b[i - 1] === BACKSLASH)) i--;
  return i;
}

function isKey(b: Uint8Array, i: number): boolean {
  return is(b, i, ALNUM | UNDERSCORE) || b[i] === HYPHEN || b[i] === FULL_STOP;
}
