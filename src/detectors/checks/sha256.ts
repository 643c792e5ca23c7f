import { byteAt, entry, intAt } from '../text/read.ts';

/** SHA-256 (FIPS 180-4) of a message shorter than 56 bytes: one block, all that addresses need. */
const K = new Int32Array(64);
const INITIAL = new Int32Array(8);

/** The first 32 bits of the fractional part of a root. */
function fraction(x: number): number {
  return ((x - Math.floor(x)) * 4294967296) | 0;
}

for (let n = 2, count = 0; count < 64; n++) {
  let isPrime = true;
  for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
  if (!isPrime) continue;
  if (count < 8) INITIAL[count] = fraction(Math.sqrt(n));
  K[count++] = fraction(Math.cbrt(n));
}

const w = new Int32Array(64);

const rotate = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

/** Writes the hash of the first `length` bytes of `message` to `out`, 32 bytes. */
export function sha256(message: Uint8Array, length: number, out: Uint8Array): void {
  w.fill(0);
  for (let i = 0; i < length; i++) w[i >> 2] = intAt(w, i >> 2) | (byteAt(message, i) << (24 - 8 * (i & 3)));
  w[length >> 2] = intAt(w, length >> 2) | (0x80 << (24 - 8 * (length & 3)));
  w[15] = length * 8;
  for (let t = 16; t < 64; t++) {
    const [x, y] = [intAt(w, t - 15), intAt(w, t - 2)];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    w[t] = (intAt(w, t - 16) + s0 + intAt(w, t - 7) + s1) | 0;
  }
  const h0 = (i: number): number => intAt(INITIAL, i);
  let [a, b, c, d, e, f, g, h] = [h0(0), h0(1), h0(2), h0(3), h0(4), h0(5), h0(6), h0(7)];
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + intAt(K, t) + intAt(w, t)) | 0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  const state = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 32; i++) {
    const word = (entry(state, i >> 2) + intAt(INITIAL, i >> 2)) | 0;
    out[i] = (word >>> (24 - 8 * (i & 3))) & 255;
  }
}
