import { CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { ALNUM, byteAt, classOf, isAt, setOf } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const HASH = tagId('PASSWORD_HASH');
const DOLLAR = 36;
const LEFT_BRACE = 123;
const RIGHT_BRACE = 125;
/** How far before a word of a hash the hash begins, and how long one is. */
const REACH = 40;
const MAX_HASH = 400;
/** Characters of the last part, the hash itself, of the shortest one. */
const MIN_HASH = 22;
/** Colons inside a hash that are tried as its end. */
const MAX_TRIES = 6;

/** Names of methods between the first two dollar signs (crypt(5), passlib's modular format, PHC strings), and at the start. */
const METHODS = new Set(
  (
    '1 2 2a 2b 2x 2y 3 5 6 7 8 9 y gy md5 apr1 P H S sha1 argon2i argon2d argon2id scrypt pbkdf2 pbkdf2-sha1 pbkdf2-sha256 ' +
    'pbkdf2-sha512 bcrypt-sha256 sm3'
  ).split(' '),
);
const NAMED =
  /^(?:SCRAM-SHA-256(?=\$)|pbkdf2[_:](?:sm3|sha(?:1|256|512))|bcrypt(?:_sha256)?|argon2|scrypt|sha1|md5)(?::[\d:]+)?\$+/;
const SCHEMES =
  /^\{(?:S?SHA(?:256|384|512)?|SMD5|MD5|CRYPT|ARGON2(?:I|ID)?|PBKDF2(?:[-_]SHA\d+)?|BLF-CRYPT)\}/i;
const CRYPT = /^\$([a-z0-9-]{1,14}|[PHS])\$/i;

/** The characters of hashes besides letters and digits. */
const BODY = setOf('./$=+,-_:');

/** The hash of a password of which a word begins at `from`, behind a dollar sign or a brace; returns where it ends, or 0. */
export function hashAround(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  if (from < pass.hashRead) return 0;
  let at = from - 1;
  const isScheme = b[at] === RIGHT_BRACE;
  for (let i = at; i > pass.text.start && from - i < REACH; i--) {
    if (b[i - 1] === (isScheme ? LEFT_BRACE : DOLLAR)) at = i - 1;
    if (isScheme ? at < from - 1 : !isBody(byteAt(b, i - 1))) break;
  }
  return hashAt(pass, isAt(b, at - 13, 'scram-sha-256') ? at - 13 : at);
}

/** The hash of a password that begins at `at`; returns where it ends, or 0. */
export function hashAt(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (at < pass.hashRead) return 0;
  let end = b[at] === LEFT_BRACE ? at + 1 : at;
  while (end - at < MAX_HASH && (isBody(byteAt(b, end)) || (b[at] === LEFT_BRACE && b[end] === RIGHT_BRACE)))
    end++;
  pass.hashRead = end;
  if (end - at < MIN_HASH || !pass.isOn(HASH) || !isHash(pass.slice(at, end))) return 0;
  const to = fieldEnd(pass, at, end);
  return pass.found(HASH, CHECKSUM, at, to);
}

/** The end of a hash in a field of a file of passwords, which a colon ends; else of all of it. */
function fieldEnd(pass: Pass, at: number, end: number): number {
  if (isAt(pass.text.bytes, at, 'scram')) return end;
  let tries = 0;
  for (let i = at + MIN_HASH; i < end && tries < MAX_TRIES; i++) {
    if (pass.text.bytes[i] !== Char.COLON_SIGN) continue;
    if (isHash(pass.slice(at, i))) return i;
    tries++;
  }
  return end;
}

function isBody(c: number): boolean {
  return (classOf(c) & ALNUM) !== 0 || BODY[c] === 1;
}

/** Whether the text names a method, and ends with a hash. */
function isHash(text: string): boolean {
  const scheme = SCHEMES.exec(text);
  if (scheme !== null) return isDrawn(text.slice(scheme[0].length));
  const method = CRYPT.exec(text)?.[1];
  const named = NAMED.exec(text)?.[0].length ?? 0;
  if (named === 0 && (method === undefined || !METHODS.has(method))) return false;
  return isDrawn(text.slice(text.lastIndexOf('$') + 1).replace(/:.*/s, ''));
}

function isDrawn(hash: string): boolean {
  return hash.length >= MIN_HASH && /\d/.test(hash) && new Set(hash).size > 7;
}
