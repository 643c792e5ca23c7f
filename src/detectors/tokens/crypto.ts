import { isBase58, isBase58Check } from '../checks/base58.ts';
import { isBech32 } from '../checks/bech32.ts';
import { keccak256 } from '../checks/keccak.ts';
import { BARE, CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { DIGIT_0, DIGIT_1, LOWER_B, LOWER_C, LOWER_L, LOWER_T, LOWER_X } from '../text/ascii.ts';
import { HEX, LOWERED, UPPER } from '../text/bytes.ts';
import { byteAt, classOf } from '../text/read.ts';

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
  if (head === DIGIT_0 && n === ETHER && b[from + 1] === LOWER_X) return ether(pass, from, to);
  const version = byteAt(VERSION, head);
  if (
    n >= 26 &&
    n <= 35 &&
    version !== 255 &&
    isBase58(b, from, to) &&
    (pass.setting.effort-- <= 0 || isBase58Check(b, from, to, version))
  )
    return report(pass, from, to);
  const separator = bech32Separator(b, from);
  return separator !== 0 && isBech32(b, from, separator, to) && report(pass, from, to);
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
  if ((p === LOWER_B || p === LOWER_T) && (q === LOWER_C || q === LOWER_B) && r === DIGIT_1) return from + 2;
  return p === LOWER_L && q === LOWER_T && r === LOWER_C && b[from + 3] === DIGIT_1 ? from + 3 : 0;
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
