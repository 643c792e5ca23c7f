import { flagSecret, slashFlag, userFlag } from '../commands/command-flags.ts';
import { formSecret } from '../commands/command-forms.ts';
import { ip6, mac } from '../numbers/network-addresses.ts';
import type { Pass } from '../pass.ts';
import { assignment, flag } from '../syntaxes/assignment.ts';
import { DIGIT, endOf, is, isAt, LOWER, SPACE, startOf, UPPER, WORD } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { hashAt } from './password-hash.ts';
import { pem, puttyKey } from './private-keys.ts';
import { looksDrawn } from './randomness.ts';
import { authressKey, terraformToken } from './segmented-tokens.ts';
import { locator } from './urls.ts';
import { endsPrefix, opensVendor, vendorToken } from './vendor-tokens.ts';

/** How far back a vendor's token may begin before its first dash, dot or low line. */
const MAX_BEFORE = 48;

/** Characters before the first dot of tokens that may have no digit there. */
const TERRAFORM = 14;
const AIRTABLE = 17;

/** Ports of relays of mail, before the login of one. */
const MAX_PORT = 5;
const MAIL_PORTS = ['25', '465', '587', '2525'];
/** The port of PostgreSQL in a line of its file of passwords. */
const PORT = ':5432';

/** The name before a digest in lockfiles and web pages (W3C Subresource Integrity). */
const SHA512 = 'sha512';

/** A hardware address in three groups, or a token with a dot in its prefix; returns where it ends, or 0. */
export function dot(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  if (b[i + 1] === Char.LOWER_A && b[i + 2] === Char.LOWER_C && b[i + 3] === Char.LOWER_C)
    return authressKey(pass, i);
  if (b[i + 1] === Char.LOWER_A && b[i + 2] === Char.LOWER_T) return terraformToken(pass, i - TERRAFORM, i);
  const airtable =
    b[i - AIRTABLE] === Char.LOWER_P && opensVendor(b, i - AIRTABLE) ? vendorToken(pass, i - AIRTABLE) : 0;
  return airtable || (b[i + 5] === Char.FULL_STOP && mac(pass, i)) || lowLine(pass, i, floor);
}

/** A token with a low line, or a dot, at `i` in its prefix; returns where it ends, or 0. */
export function lowLine(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  return endsPrefix(b, i) ? prefixed(pass, i, floor) : 0;
}

/** An address with colons, a URL, or a label before its value. */
export function colon(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  if (b[i - 1] === Char.COLON_SIGN) return 0; // the first of several has begun whatever there is
  if (b[i - 1] === Char.LOWER_T && b[i - 2] === Char.LOWER_P)
    return hashAt(pass, i - 6) || assignment(pass, i); // scrypt:
  if (b[i - 1] === Char.LOWER_P && b[i - 2] === Char.SLASH && b[i - 3] === Char.BLANK)
    return slashFlag(pass, i);
  if (b[i - 1] === Char.DIGIT_2 && isAt(b, i - 5, PORT)) return formSecret(pass, ':', i);
  if (b[i + 1] === Char.SLASH) return locator(pass, i);
  if (b[i - 1] === Char.UPPER_P && b[i - 2] === Char.DOUBLE_QUOTE)
    return formSecret(pass, ':', i) || assignment(pass, i);
  if (is(b, i + 1, DIGIT) && isMailPort(b, i + 1)) {
    const login = formSecret(pass, ':', i);
    if (login !== 0) return login;
  }
  const address = (b[i + 3] === Char.COLON_SIGN && mac(pass, i)) || ip6(pass, i);
  return address || assignment(pass, i);
}

function isMailPort(b: Uint8Array, at: number): boolean {
  const to = endOf(b, at, DIGIT, MAX_PORT);
  return is(b, to, SPACE) && MAIL_PORTS.some((port) => to - at === port.length && isAt(b, at, port));
}

/** Key armour, an address with dashes, or a token with a dash in its prefix. */
export function dash(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  if (b[i + 1] === Char.HYPHEN) return (endsPrefix(b, i) && prefixed(pass, i, floor)) || dashes(pass, i);
  if (b[i - 1] === Char.DIGIT_2 && isAt(b, i - 6, SHA512)) {
    const end = pass.decoder === null ? 0 : pass.decoder.digest(pass, i + 1);
    if (end !== 0) return end;
  }
  if (b[i - 1] === Char.UPPER_Y && b[i + 1] === Char.UPPER_U) return puttyKey(pass, i);
  const isFtp = b[i - 1] === Char.BLANK && b[i - 2] === Char.LOWER_P && b[i - 3] === Char.LOWER_T;
  if (b[i - 1] === Char.BLANK && is(b, i + 1, UPPER) && is(b, i + 2, LOWER)) {
    // -StreetAddress '14 Pery Square'
    const value = flagSecret(pass, i) || flag(pass, i + 1);
    if (value !== 0) return value;
  }
  const known =
    (b[i + 3] === Char.HYPHEN && mac(pass, i)) || flagSecret(pass, i) || (isFtp && formSecret(pass, '-', i));
  return known || prefixed(pass, i, floor);
}

/** Five dashes may begin a key in PEM armour; a longer row of dashes is passed over whole. */
function dashes(pass: Pass, i: number): number {
  const b = pass.text.bytes;
  let last = i;
  while (b[last] === Char.HYPHEN) last++;
  if (last - i === 2) return flag(pass, last) || userFlag(pass, last) || last;
  return (last - i >= 5 && pem(pass, last - 5)) || last;
}

/** A vendor's token whose prefix has the dash, dot or low line at `i`, or which has no digit before that dash. */
function prefixed(pass: Pass, i: number, floor: number): number {
  const b = pass.text.bytes;
  const from = startOf(b, i, WORD, Math.min(i - floor, MAX_BEFORE));
  if (i - from < 2) return 0;
  const token = opensVendor(b, from) ? vendorToken(pass, from) : 0;
  return token || (endsPrefix(b, i) ? gluedToken(pass, from, i) : 0);
}

/** Letters of the longest part of a prefix before its first sign: github_pat_. */
const MAX_PREFIX = 6;
/** Characters behind a prefix that is glued to a word: task_list_of_words is none. */
const MIN_GLUED = 24;

/** A token whose prefix has its first sign at `i` and other letters before it: keyghp_…. Returns where it ends, or 0. */
function gluedToken(pass: Pass, from: number, i: number): number {
  const b = pass.text.bytes;
  for (let at = Math.max(from + 1, i - MAX_PREFIX); at < i - 1; at++) {
    if (!opensVendor(b, at) || !isDrawnAhead(b, i + 1)) continue;
    const end = vendorToken(pass, at);
    if (end - i > MIN_GLUED) return end;
  }
  return 0;
}

/** Whether the characters from `at` on are digits and letters as of a token. */
function isDrawnAhead(b: Uint8Array, at: number): boolean {
  return looksDrawn(b, at, at + MIN_GLUED);
}
