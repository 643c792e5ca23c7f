import { keccak256, sha256 } from '../checks/hashes.ts';
import { BARE, CHECKSUM } from '../kinds/kind.ts';
import { tagId } from '../kinds/taxonomy.ts';
import type { Pass } from '../pass.ts';
import { byteAt, classOf, entry, HEX, hexAt, LOWERED, loweredAt, UPPER } from '../text/bytes.ts';
import * as Char from '../text/chars.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUE = new Uint8Array(256).fill(255);
for (let i = 0; i < 58; i++) VALUE[ALPHABET.charCodeAt(i)] = i;

const decoded = new Uint8Array(25);
const first = new Uint8Array(32);
const second = new Uint8Array(32);

function isBase58(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (VALUE[byteAt(b, i)] === 255) return false;
  return true;
}

/**
 * Whether a text is 25 bytes in base58 that end with the first four of their own double SHA-256, as Bitcoin writes
 * addresses, and the first is the version.
 */
function isBase58Check(b: Uint8Array, from: number, to: number, version: number): boolean {
  decoded.fill(0);
  for (let i = from; i < to; i++) {
    let carry = byteAt(VALUE, byteAt(b, i));
    for (let k = 24; k >= 0; k--) {
      carry += byteAt(decoded, k) * 58;
      decoded[k] = carry & 255;
      carry >>= 8;
    }
    if (carry !== 0) return false;
  }
  if (decoded[0] !== version) return false;
  sha256(decoded, 21, first);
  sha256(first, 32, second);
  for (let i = 0; i < 4; i++) if (second[i] !== decoded[21 + i]) return false;
  return true;
}

const BECH32_VALUE = new Uint8Array(256).fill(255);
'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.split('').forEach((c, i) => {
  BECH32_VALUE[c.charCodeAt(0)] = i;
});
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function step(sum: number, value: number): number {
  const top = sum >>> 25;
  let next = ((sum & 0x1ffffff) << 5) ^ value;
  for (let i = 0; i < 5; i++) if ((top >>> i) & 1) next ^= entry(GENERATOR, i);
  return next;
}

/** Whether a text is bech32 (BIP 173) or bech32m (BIP 350); its prefix ends before `separator`. */
export function isBech32(b: Uint8Array, from: number, separator: number, to: number): boolean {
  let sum = 1;
  for (let i = from; i < separator; i++) sum = step(sum, loweredAt(b, i) >> 5);
  sum = step(sum, 0);
  for (let i = from; i < separator; i++) sum = step(sum, loweredAt(b, i) & 31);
  for (let i = separator + 1; i < to; i++) {
    const value = byteAt(BECH32_VALUE, loweredAt(b, i));
    if (value === 255) return false;
    sum = step(sum, value);
  }
  return sum === 1 || sum === 0x2bc830a3;
}

const CRYPTO = tagId('CRYPTO');
/** Version byte of addresses by their first character: Bitcoin, Litecoin, Dogecoin, Tron; 255 for others. */
const VERSION = new Uint8Array(256).fill(255);
for (const [head, version] of [
  ['1', 0x00],
  ['3', 0x05],
  ['L', 0x30],
  ['M', 0x32],
  ['D', 0x1e],
  ['T', 0x41],
] as const) {
  VERSION[head.charCodeAt(0)] = version;
}
const ETHER = 42;

/** An address of a currency that is the word from `from` to `to`. */
export function cryptoAddress(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  const n = to - from;
  const head = byteAt(b, from);
  if (head === Char.DIGIT_0 && n === ETHER && b[from + 1] === Char.LOWER_X) return ether(pass, from, to);
  const version = byteAt(VERSION, head);
  if (
    n >= 26 &&
    n <= 35 &&
    version !== 255 &&
    isBase58(b, from, to) &&
    !isHexadecimal(b, from, to) &&
    (pass.setting.effort-- <= 0 || isBase58Check(b, from, to, version))
  )
    return report(pass, from, to);
  const separator = bech32Separator(b, from);
  return separator !== 0 && isBech32(b, from, separator, to) && report(pass, from, to);
}

/** Whether a word is a digest or an id, which would use up the hashes of the document: one of 10^14 addresses has no other letters. */
function isHexadecimal(b: Uint8Array, from: number, to: number): boolean {
  let i = from;
  while (i < to && hexAt(b, i) < 16) i++;
  return i === to;
}

function report(pass: Pass, from: number, to: number): boolean {
  pass.found(CRYPTO, CHECKSUM, from, to);
  return true;
}

/** Where the prefix of bitcoin (`bc1`, `tb1`) or litecoin (`ltc1`) ends; 0 for other words. */
function bech32Separator(b: Uint8Array, from: number): number {
  const p = LOWERED[byteAt(b, from)];
  const q = LOWERED[byteAt(b, from + 1)];
  const r = LOWERED[byteAt(b, from + 2)];
  if (
    (p === Char.LOWER_B || p === Char.LOWER_T) &&
    (q === Char.LOWER_C || q === Char.LOWER_B) &&
    r === Char.DIGIT_1
  )
    return from + 2;
  return p === Char.LOWER_L && q === Char.LOWER_T && r === Char.LOWER_C && b[from + 3] === Char.DIGIT_1
    ? from + 3
    : 0;
}

const digits = new Uint8Array(40);
const hash = new Uint8Array(32);

/** 0x and 40 hexadecimal digits: with the mixed case of ERC-55 it proves itself, without it needs a word near it. */
function ether(pass: Pass, from: number, to: number): boolean {
  const b = pass.text.bytes;
  let upper = false;
  let lower = false;
  for (let i = 0; i < 40; i++) {
    const c = byteAt(b, from + 2 + i);
    if (byteAt(HEX, c) > 15) return false;
    digits[i] = byteAt(LOWERED, c);
    if (classOf(c) & UPPER) upper = true;
    else if (c > 57) lower = true;
  }
  if (!upper || !lower) return named(pass, from, to);
  if (pass.setting.effort-- <= 0) return report(pass, from, to);
  keccak256(digits, 40, hash);
  for (let i = 0; i < 40; i++) {
    const nibble = (byteAt(hash, i >> 1) >> (i & 1 ? 0 : 4)) & 15;
    const c = byteAt(b, from + 2 + i);
    if (c > 57 && ((classOf(c) & UPPER) !== 0) !== nibble > 7) return named(pass, from, to);
  }
  return report(pass, from, to);
}

function named(pass: Pass, from: number, to: number): boolean {
  if (!pass.strict && !pass.around(CRYPTO, from, to)) return false;
  pass.found(CRYPTO, BARE, from, to);
  return true;
}
