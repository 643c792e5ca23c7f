import { BLANK, CARRIAGE_RETURN, DIGIT_0, LINE_FEED } from '../text/ascii.ts';
import { byteAt, isAt } from '../text/read.ts';
import { followsAccount } from './account-line.ts';
import { isSnake } from './label-case.ts';
import { isNoun } from './offered-value.ts';

/** Words of routers before a password. */
export const ENABLES = 'enable ';
const MAX_TOKEN = 128;

/**
 * Whether the label begins a line of a configuration with nothing but one value behind it, and can be nothing else there: its
 * name is of several words (`requirepass v`, `ldap_bindpw v`), or the line before names the user. Or a router's command.
 */
export function isConfigured(b: Uint8Array, from: number, to: number, at: number): boolean {
  if (afterLevel(b, at) > at || isEnabled(b, from, at)) return true;
  let start = from;
  while (b[start - 1] === BLANK) start--;
  if (b[start - 1] !== LINE_FEED && b[start - 1] !== 0) return false;
  let end = at;
  while (end - at < MAX_TOKEN && byteAt(b, end) > BLANK) end++;
  if (b[end] !== LINE_FEED && b[end] !== 0 && b[end] !== CARRIAGE_RETURN) return false;
  return isCompound(b, from, to) || followsAccount(b, start - 1);
}

/** Whether a router's command `enable password v` begins the line, or follows a prompt; not a sentence. */
function isEnabled(b: Uint8Array, from: number, at: number): boolean {
  const start = from - ENABLES.length;
  return isAt(b, start, ENABLES) && byteAt(b, start - 1) !== BLANK && !isNoun(b, at);
}

/** Where the value begins behind the digit that says how a router keeps it: `password 0 v`. */
export function afterLevel(b: Uint8Array, at: number): number {
  return (b[at] === DIGIT_0 || b[at] === DIGIT_0 + 7) && b[at + 1] === BLANK ? at + 2 : at;
}

const COMPOUNDS = ['requirepass', 'masterauth', 'bindpw', 'rootpw'];

function isCompound(b: Uint8Array, from: number, to: number): boolean {
  return isSnake(b, from, to) || COMPOUNDS.some((name) => to - from === name.length && isAt(b, from, name));
}
