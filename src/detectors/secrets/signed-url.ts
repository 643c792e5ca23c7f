import { FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { AMPERSAND, HYPHEN, LOWER_S, PERCENT, QUESTION_MARK, SEMICOLON } from '../text/ascii.ts';
import { LOWERED } from '../text/bytes.ts';
import { byteAt, hexAt, unitAt } from '../text/read.ts';
import { ALPHABET, BASE64, BASE64_URL } from './alphabet.ts';

const SIGNED = tagId('SIGNED_URL');
const TILDE = 126;
/** Characters of the shortest signature in hexadecimal, of any other, and of a shared access signature of Azure. */
const MIN_HEX = 64;
const MIN_SIGNATURE = 27;
const MIN_SHARED = 43;
const MAX_SIGNATURE = 1100;

/**
 * The signature in a URL, with which anyone may read what it names, whose equals sign is at `at`: `X-Amz-Signature` and
 * `X-Goog-Signature` (hexadecimal), `Signature` (CloudFront, older ones of AWS and others), `sig` (Azure). Returns where it
 * ends, or 0.
 */
export function signature(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  const last = LOWERED[byteAt(b, at - 1)];
  if (last === 103)
    return b[at - 3] === LOWER_S && opensName(b, at - 4) ? drawn(pass, at + 1, MIN_SHARED) : 0;
  if (last !== 101 || !endsWith(b, at, 'signature')) return 0;
  const before = byteAt(b, at - 10);
  if (before === HYPHEN) return hexadecimal(pass, at + 1);
  return opensName(b, at - 10) ? drawn(pass, at + 1, MIN_SIGNATURE) : 0;
}

/** Whether the name of a parameter begins after this byte; `&amp;` ends with a semicolon. */
function opensName(b: Uint8Array, at: number): boolean {
  return b[at] === AMPERSAND || b[at] === QUESTION_MARK || b[at] === SEMICOLON;
}

function endsWith(b: Uint8Array, to: number, word: string): boolean {
  for (let i = 1; i <= word.length; i++)
    if (LOWERED[byteAt(b, to - i)] !== word.charCodeAt(word.length - i)) return false;
  return true;
}

function hexadecimal(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  let to = from;
  while (to - from < MAX_SIGNATURE && hexAt(b, to) < 16) to++;
  return report(pass, from, to, MIN_HEX) || drawn(pass, from, MIN_SIGNATURE);
}

/** A signature in base64 of any alphabet, percent-encoded or not. */
function drawn(pass: Pass, from: number, min: number): number {
  const b = pass.text.bytes;
  let to = from;
  while (to - from < MAX_SIGNATURE && isSignature(byteAt(b, to))) to++;
  return report(pass, from, to, min);
}

function isSignature(c: number): boolean {
  return (unitAt(ALPHABET, c) & (BASE64 | BASE64_URL)) !== 0 || c === PERCENT || c === TILDE;
}

function report(pass: Pass, from: number, to: number, min: number): number {
  const b = pass.text.bytes;
  if (to - from < min) return 0;
  let variety = 0;
  for (let i = from, seen = 0; i < to && variety < 8; i++) {
    const bit = 1 << (byteAt(b, i) & 31);
    if ((seen & bit) === 0) variety++;
    seen |= bit;
  }
  if (variety < 8) return 0;
  pass.found(SIGNED, FORMATTED, from, to);
  return to;
}
