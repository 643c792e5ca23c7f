import { BARE } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import {
  BLANK,
  COMMA,
  HYPHEN,
  LINE_FEED,
  LOWER_E,
  PERCENT,
  SEMICOLON,
  SLASH,
  VERTICAL_BAR,
} from '../text/ascii.ts';
import { ALNUM, SPACE } from '../text/bytes.ts';
import { byteAt, classOf, isAt } from '../text/read.ts';
import { isLabelled } from './label-value.ts';
import { QUOTE } from './labels.ts';
import { isFiller } from './plain-words.ts';
import { opensVendor, vendorToken } from './vendor-match.ts';

const PASSWORD = tagId('PASSWORD');
const CONNECTION_USERS = ':';

/** How far before a flag its command may begin. */
export const REACH = 240;

/** How a flag gives a password: as its argument, attached to it, or after the user and a separator. */
export type Form = 'argument' | 'attached' | 'either' | typeof CONNECTION_USERS | ',' | '%';

/** Ports, addresses and sizes. */
const NUMBERS = /^[\d.:/,]+$/;

export function isNameByte(c: number): boolean {
  return (classOf(c) & ALNUM) !== 0 || c === HYPHEN;
}

/** `echo secret | sudo -S …`: what is piped into the command before `at`. */
export function pipedSecret(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  let bar = at;
  while (at - bar < 60 && b[bar] !== VERTICAL_BAR && b[bar] !== LINE_FEED) bar--;
  return b[bar] === VERTICAL_BAR && echoed(pass, bar, null) ? at + 2 : 0;
}

/** Whether the argument of the echo or printf that ends before the bar is a password; behind the user and a colon with `separator`. */
export function echoed(pass: Pass, bar: number, separator: Form | null): boolean {
  const b = pass.text.bytes;
  for (let i = bar; bar - i < 120 && b[i] !== LINE_FEED && i >= pass.text.start; i--) {
    if (!isAt(b, i, 'echo ') && !isAt(b, i, 'printf ')) continue;
    let from = i + (b[i] === LOWER_E ? 5 : 7);
    while (b[from] === HYPHEN && from < bar) from = nextWord(b, from);
    return secretWord(pass, from, separator) !== 0;
  }
  return false;
}

export function skipBlanks(b: Uint8Array, at: number): number {
  let i = at;
  while (b[i] === BLANK) i++;
  return i;
}

function nextWord(b: Uint8Array, at: number): number {
  return skipBlanks(b, wordEnd(b, at));
}

export function wordEnd(b: Uint8Array, at: number): number {
  const quote = QUOTE[byteAt(b, at)] === 1 ? byteAt(b, at) : 0;
  let i = quote === 0 ? at : at + 1;
  while (b[i] !== 0 && b[i] !== LINE_FEED && (quote === 0 ? byteAt(b, i) > BLANK : b[i] !== quote)) i++;
  return quote !== 0 && b[i] === quote ? i + 1 : i;
}

/** A word of a command line as a password, in quotes or not; with `separator`, what stands behind it. */
export function secretWord(pass: Pass, at: number, separator: Form | null): number {
  const b = pass.text.bytes;
  const quote = QUOTE[byteAt(b, at)] === 1 ? byteAt(b, at) : 0;
  let from = quote === 0 ? at : at + 1;
  let to = from;
  const begin = from;
  for (; to - begin < 160 && to < pass.text.end; to++) {
    const c = byteAt(b, to);
    if (
      c === LINE_FEED ||
      (quote === 0
        ? classOf(c) & SPACE || QUOTE[c] === 1 || c === SEMICOLON || c === VERTICAL_BAR
        : c === quote)
    )
      break;
    const isSeparator = separator !== null && c === separator.charCodeAt(0);
    if (isSeparator && from === begin && to > begin) from = to + 1;
  }
  if (separator !== null && (from === begin || b[from] === SLASH)) return 0;
  return report(pass, from, to);
}

export function report(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (to - from < 4 || b[from] === HYPHEN || b[from] === PERCENT || b[from] === COMMA || !pass.isOn(PASSWORD))
    return 0;
  const token = opensVendor(b, from) ? vendorToken(pass, from) : 0;
  if (token !== 0) return token;
  const text = pass.slice(from, to);
  if (!isLabelled('password', text, false) || isFiller(text) || NUMBERS.test(text)) return 0;
  pass.found(PASSWORD, BARE, from, to);
  return to;
}
