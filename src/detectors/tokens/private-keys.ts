import { isDer } from '../encoded/opaque.ts';
import { CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, bitCount, byteAt, classOf, DIGIT, is, isExactly, UPPER, unitAt } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';
import { ALPHABET, BASE64_URL } from './randomness.ts';

const PRIVATE_KEY = tagId('PRIVATE_KEY');
const MAX_LABEL = 48;
/** Characters of the longest certificate that is told from other content. */
const MAX_BODY = 65_000;

/**
 * A private key in PEM armour (RFC 7468) or a PGP block whose `-----BEGIN` is at `at`: to the end of its END line, or
 * of the text when that is cut off. Returns where it ends, or 0.
 */
export function pem(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (!isExactly(b, at, '-----BEGIN ')) return 0;
  let i = at + 11;
  const stop = Math.min(i + MAX_LABEL, pass.text.end);
  let isPrivate = false;
  for (; i < stop && isLabel(byteAt(b, i)); i++)
    if (b[i] === Char.UPPER_P && isExactly(b, i, 'PRIVATE KEY')) isPrivate = true;
  if (!isExactly(b, i, '-----')) return 0;
  if (!isPrivate) return publicEnd(pass, i + 5);
  if (isLiteral(pass, i + 5)) return 0;
  let end = i + 5;
  while (end < pass.text.end && !isExactly(b, end, '-----END ')) end++;
  if (end < pass.text.end) {
    end += 9;
    while (end < pass.text.end && b[end] !== Char.HYPHEN) end++;
    while (end < pass.text.end && b[end] === Char.HYPHEN) end++;
  }
  if (!hasBody(b, i + 5, end)) return end;
  return pass.found(PRIVATE_KEY, CHECKSUM, at, end);
}

/** The literal of the first line ends, and no other one goes on with the key: text.includes('-----BEGIN PRIVATE KEY-----'). */
const ENDS_LITERAL = /^(?:\\?[rn])*["'`](?![\s+.,&\\\]<"'`]*(?:\\?[rn])*(?:[A-Za-z\d+/]{16}|Proc-Type|$))/;
const MAX_JOINT = 64;

/** Whether code names the armour only: a literal has nothing but its first line. */
function isLiteral(pass: Pass, at: number): boolean {
  return ENDS_LITERAL.test(pass.slice(at, Math.min(at + MAX_JOINT, pass.text.end)));
}

/** Where the armour of a certificate or a public key ends whose body begins at `from`; 0 when it holds something else. */
function publicEnd({ text: { bytes: b, end } }: Pass, from: number): number {
  const stop = Math.min(end, from + MAX_BODY);
  let body = from;
  // line breaks, also as escapes
  while (body < stop && !(b[body] === Char.UPPER_M && b[body + 1] === Char.UPPER_I)) {
    if (!(byteAt(b, body) <= Char.BLANK || b[body] === Char.BACKSLASH || b[body - 1] === Char.BACKSLASH))
      return 0;
    body++;
  }
  let to = body;
  while (to < stop && b[to] !== Char.HYPHEN) to++;
  return to < stop && isDer(withoutEscapes(b, body, to), 0, size) ? to : 0;
}

let size = 0;
const body = new Uint8Array(65_536);

/** The letters of base64 between two places, without escapes of line breaks; `size` is how many. */
function withoutEscapes(b: Uint8Array, from: number, to: number): Uint8Array {
  size = 0;
  for (let i = from; i < to; i++) {
    if (b[i] === Char.BACKSLASH) i++;
    else if (byteAt(b, i) > Char.BLANK) body[size++] = byteAt(b, i);
  }
  body.fill(0, size, size + 4);
  return body;
}

/** Whether the armour holds a key, or may hold one that is cut off: not three dots, XXXX or a word in brackets. */
function hasBody(b: Uint8Array, from: number, to: number): boolean {
  let seen = 0;
  let dots = 0;
  let read = 0;
  for (let i = from; i < to && b[i] !== Char.HYPHEN; i++) {
    const c = byteAt(b, i);
    if (c === Char.FULL_STOP || c === Char.LESS_THAN || c === Char.ASTERISK) dots++;
    if (classOf(c) & ALNUM && b[i - 1] !== Char.BACKSLASH) {
      seen |= 1 << (c & 31);
      read++;
    }
  }
  if (dots >= 3 && read <= 40) return false;
  return read < 4 || bitCount(seen) > 1;
}

function isLabel(c: number): boolean {
  return (classOf(c) & (UPPER | DIGIT)) !== 0 || c === Char.BLANK;
}

const HEAD = 'PuTTY-User-Key-File-';
const BODY = 'Private-Lines: ';
const MAC = 'Private-MAC: ';
const MAX_FILE = 16_384;

/** A key file of PuTTY, whose first dash is at `dash`, from its first line to its checksum; returns where it ends, or 0. */
export function puttyKey(pass: Pass, dash: number): number {
  const b = pass.text.bytes;
  const at = dash - 5;
  if (!isExactly(b, at, HEAD)) return 0;
  const stop = Math.min(at + MAX_FILE, pass.text.end);
  let hasBody = false;
  let i = at;
  for (; i < stop; i++) {
    if (b[i - 1] !== Char.LINE_FEED) continue;
    if (isExactly(b, i, BODY)) hasBody ||= is(b, i + BODY.length, DIGIT);
    else if (isExactly(b, i, MAC)) break;
  }
  if (!hasBody) return 0;
  while (i < stop && b[i] !== Char.LINE_FEED) i++;
  return pass.found(PRIVATE_KEY, CHECKSUM, at, i);
}

const JWT = tagId('JWT');

/**
 * A JSON Web Token (RFC 7519) whose header begins at `from` with `eyJ`, which is base64url of `{"`: a header, a
 * payload that is an object too, and a signature that may be empty. Returns where it ends, or 0.
 */
export function jwt(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (b[from] !== Char.LOWER_E || b[from + 1] !== Char.LOWER_Y || b[from + 2] !== Char.UPPER_J) return 0;
  const header = segmentEnd(b, from);
  if (header - from < 16 || b[header] !== Char.FULL_STOP) return 0;
  const payload = segmentEnd(b, header + 1);
  if (
    payload - header < 8 ||
    b[payload] !== Char.FULL_STOP ||
    b[header + 1] !== Char.LOWER_E ||
    b[header + 2] !== Char.LOWER_Y
  )
    return 0;
  const end = segmentEnd(b, payload + 1);
  return pass.found(JWT, CHECKSUM, from, end);
}

function segmentEnd(b: Uint8Array, at: number): number {
  let i = at;
  while (unitAt(ALPHABET, byteAt(b, i)) & BASE64_URL) i++;
  return i;
}
