import type { Pass } from '../pass.ts';
import { ALPHABET, BASE64, BASE64_URL } from '../secrets/alphabet.ts';
import { BLANK, CARRIAGE_RETURN, LINE_FEED } from '../text/ascii.ts';
import { ALNUM, DIGIT, WORD } from '../text/bytes.ts';
import { byteAt, classAt, classOf, isAt, loweredAt, unitAt } from '../text/read.ts';

/** Encoded content up to this length is not worth a tag: identifiers and short hashes are everywhere. */
export const MAX_UNTAGGED = 64;
/** Characters of the shortest line that an encoder breaks. */
export const MIN_ENCODED_LINE = 60;
/** The longest digests, of 64 bytes: in hexadecimal, and in base64 with its padding. */
const MAX_HEX_DIGEST = 128;
const MAX_BASE64_DIGEST = 88;
/** How far before a digest its name may begin, and how much else may stand in a field that it has to itself. */
const DIGEST_REACH = 32;
/** What stands before a digest in lockfiles and web pages (W3C Subresource Integrity). */
const INTEGRITY = ['sha512-', 'sha384-', 'sha256-', 'sha1-'];
const DIGEST_NAME = /sha-?\d|md5|hash|digest|checksum|integrity|fingerprint|etag|blake|sum\b/;

/** The class of each character that base64 has, 8 for those that are neither digit nor letter; 0 for all others. */
const ENCODED_KIND = new Uint8Array(256);
for (let c = 0; c < 256; c++) if (isEncoded(c)) ENCODED_KIND[c] = classOf(c) & ALNUM || 8;

/** Characters that are looked at together to tell encoded content from names and numbers with slashes between them. */
const STRETCH = 64;
/**
 * How many of them are of another class than the one before: 41 ± 4 in random content, at most half in names and numbers.
 * In random content of one case, such as hexadecimal or base32, there are 19 to 30.
 */
const MIN_CHANGES = 32;
const MIN_CHANGES_ONE_CASE = 12;

export function isEncoded(c: number): boolean {
  return (unitAt(ALPHABET, c) & (BASE64 | BASE64_URL)) !== 0;
}

/**
 * End of the stretches from `from` on that are base64 of binary data: digits and letters of both cases change as in
 * nothing that is written or counted. Line breaks count for nothing.
 */
export function randomEnd(b: Uint8Array, from: number, to: number): number {
  let start = from;
  for (;;) {
    const end = stretchEnd(b, start, to);
    if (end === 0) return start;
    start = end;
  }
}

/** Where a random stretch from `from` ends; 0 when it is none. */
function stretchEnd(b: Uint8Array, from: number, to: number): number {
  let last = 0;
  let seen = 0;
  let changes = 0;
  let read = 0;
  let i = from;
  for (; i < to && read < STRETCH; i++) {
    const kind = byteAt(ENCODED_KIND, byteAt(b, i));
    if (kind === 0) continue;
    changes += ((kind ^ last) + 15) >> 4; // 1 for a change: a branch here would be mispredicted every other time
    last = kind;
    seen |= kind;
    read++;
  }
  return read === STRETCH && changes >= MIN_CHANGES && (seen & ALNUM) === ALNUM ? i : 0;
}

/** Whether a long word of digits and letters of one case is encoded data: hexadecimal, base32 or base36. */
export function isRandomWord(b: Uint8Array, from: number, to: number): boolean {
  if (to - from <= MAX_UNTAGGED) return false;
  let changes = 0;
  let letters = 0;
  let was = 0;
  for (let i = from; i < from + STRETCH; i++) {
    const c = byteAt(b, i);
    const is = classOf(c) & DIGIT;
    if (is !== was) changes++;
    if (is === 0) letters |= 1 << (c & 31);
    was = is;
  }
  let variety = 0;
  for (let left = letters; left !== 0; left &= left - 1) variety++;
  return changes >= MIN_CHANGES_ONE_CASE && variety > 4;
}

/**
 * End of the run of base64 that goes on at `from`: line breaks inside are part of it where lines are as long as encoders
 * make them.
 */
export function runEnd(b: Uint8Array, from: number): number {
  let i = from;
  let line = from;
  for (;;) {
    while (isEncoded(byteAt(b, i))) i++;
    const next = i - line >= MIN_ENCODED_LINE ? nextLine(b, i) : 0;
    if (next === 0) return i;
    i = line = next;
  }
}

/** Where the next line begins when it goes on with base64; 0 when it does not. */
function nextLine(b: Uint8Array, at: number): number {
  let i = b[at] === CARRIAGE_RETURN ? at + 1 : at;
  if (b[i] !== LINE_FEED) return 0;
  i++;
  while (b[i] === BLANK && i - at < 10) i++;
  return unitAt(ALPHABET, byteAt(b, i)) & BASE64 && isEncoded(byteAt(b, i + 1)) ? i : 0;
}

/**
 * Whether encoded bytes are a digest: 16 to 64 bytes that stand alone in their field or line, or whose name stands before
 * them.
 */
export function isDigest(pass: Pass, from: number, to: number, isHexadecimal: boolean): boolean {
  if (to - from > (isHexadecimal ? MAX_HEX_DIGEST : MAX_BASE64_DIGEST)) return false;
  const { bytes: b, start, end } = pass.text;
  if (INTEGRITY.some((name) => isAt(b, from - name.length, name))) return true;
  let others = 0;
  for (let i = Math.max(start, from - DIGEST_REACH); i < from; i++) if (classAt(b, i) & WORD) others++;
  if (others === 0 && from - start < DIGEST_REACH && end - to < 4) return true;
  let before = '';
  for (let i = Math.max(start, from - DIGEST_REACH); i < from; i++)
    before = b[i] === LINE_FEED ? '' : before + String.fromCharCode(loweredAt(b, i));
  if (DIGEST_NAME.test(before)) return true;
  // the lines of sha512sum: the digest, two spaces, a file
  return isHexadecimal && before === '' && b[to] === BLANK && b[to + 1] === BLANK;
}
