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

/** Names in camel case, and single words, that name a thing, so that the number is that of the thing: traceId, ref. */
const CAMEL =
  /(?:[a-z](?:Ids?|ID|IDs|Uid|UID|Ref|Seq)|^(?:id|ids|ID|Id|uid|sid|ref|gid|rid|pid|seq|ts|guid|uuid|hash|etag))$/;

/** Whether a name says that its value names or counts something: no digits under it are a card or a telephone number. */
export function isIdName(name: string): boolean {
  return (
    CAMEL.test(name) ||
    /[_.-](?:ids?|uid|uuid|guid|sid|gid|pid|refs?|reference|rid|etag|hash|seq|ts|str)$/i.test(name)
  );
}

/** Whether the key or label right before `at` names a thing: `"id": 8288774`, `order_id=8288774`. */
export function hasIdKey(b: Uint8Array, at: number): boolean {
  let to = skipBack(b, at);
  const operator = byteAt(b, to - 1);
  if (operator !== COLON_SIGN && operator !== EQUALS_SIGN) return false;
  to = skipBack(b, to - 1);
  let name = '';
  for (let i = to; to - i < MAX_KEY && isKey(b, i - 1); i--)
    name = String.fromCharCode(byteAt(b, i - 1)) + name;
  return isIdName(name);
}

function skipBack(b: Uint8Array, at: number): number {
  let i = at;
  while (at - i < MAX_GAP && (b[i - 1] === BLANK || b[i - 1] === DOUBLE_QUOTE || b[i - 1] === BACKSLASH)) i--;
  return i;
}

function isKey(b: Uint8Array, i: number): boolean {
  return is(b, i, ALNUM | UNDERSCORE) || b[i] === HYPHEN || b[i] === FULL_STOP;
}
