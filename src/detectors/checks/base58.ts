import { byteAt } from '../text/read.ts';
import { sha256 } from './sha256.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VALUE = new Uint8Array(256).fill(255);
for (let i = 0; i < 58; i++) VALUE[ALPHABET.charCodeAt(i)] = i;

const decoded = new Uint8Array(25);
const first = new Uint8Array(32);
const second = new Uint8Array(32);

export function isBase58(b: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (VALUE[byteAt(b, i)] === 255) return false;
  return true;
}

/**
 * Whether a text is 25 bytes in base58 that end with the first four of their own double SHA-256, as Bitcoin writes
 * addresses, and the first is the version.
 */
export function isBase58Check(b: Uint8Array, from: number, to: number, version: number): boolean {
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
