import { byteAt, entry, intAt } from '../text/bytes.ts';

/** Keccak-f[1600] with the rate of Keccak-256, for one block: the hash Ethereum uses, before SHA-3 changed its padding. */
const ROUNDS = 24;
const RC_LOW = new Int32Array(ROUNDS);
const RC_HIGH = new Int32Array(ROUNDS);
const ROTATION = new Int32Array(25);

// round constants from the linear feedback shift register of the specification
for (let round = 0, lfsr = 1; round < ROUNDS; round++) {
  for (let j = 0; j < 7; j++) {
    const bit = (1 << j) - 1;
    if (lfsr & 1) {
      if (bit < 32) RC_LOW[round] = intAt(RC_LOW, round) ^ (1 << bit);
      else RC_HIGH[round] = intAt(RC_HIGH, round) ^ (1 << (bit - 32));
    }
    lfsr = lfsr & 0x80 ? ((lfsr << 1) ^ 0x171) & 255 : lfsr << 1;
  }
}
for (let t = 0, x = 1, y = 0; t < 24; t++) {
  ROTATION[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
  [x, y] = [y, (2 * x + 3 * y) % 5];
}

const low = new Int32Array(25);
const high = new Int32Array(25);
const lowB = new Int32Array(25);
const highB = new Int32Array(25);
const lowC = new Int32Array(5);
const highC = new Int32Array(5);

const at = (a: Int32Array, i: number): number => intAt(a, i);

function theta(): void {
  for (let x = 0; x < 5; x++) {
    lowC[x] = at(low, x) ^ at(low, x + 5) ^ at(low, x + 10) ^ at(low, x + 15) ^ at(low, x + 20);
    highC[x] = at(high, x) ^ at(high, x + 5) ^ at(high, x + 10) ^ at(high, x + 15) ^ at(high, x + 20);
  }
  for (let x = 0; x < 5; x++) {
    const [p, n] = [(x + 4) % 5, (x + 1) % 5];
    const l = at(lowC, p) ^ ((at(lowC, n) << 1) | (at(highC, n) >>> 31));
    const h = at(highC, p) ^ ((at(highC, n) << 1) | (at(lowC, n) >>> 31));
    for (let i = x; i < 25; i += 5) {
      low[i] = at(low, i) ^ l;
      high[i] = at(high, i) ^ h;
    }
  }
}

function rhoPi(): void {
  for (let x = 0; x < 5; x++) {
    for (let y = 0; y < 5; y++) {
      const i = x + 5 * y;
      const to = y + 5 * ((2 * x + 3 * y) % 5);
      const r = at(ROTATION, i);
      const [l, h] = r >= 32 ? [at(high, i), at(low, i)] : [at(low, i), at(high, i)];
      const s = r & 31;
      lowB[to] = s === 0 ? l : (l << s) | (h >>> (32 - s));
      highB[to] = s === 0 ? h : (h << s) | (l >>> (32 - s));
    }
  }
}

function chi(): void {
  for (let i = 0; i < 25; i++) {
    const row = i - (i % 5);
    const [p, q] = [row + ((i + 1) % 5), row + ((i + 2) % 5)];
    low[i] = at(lowB, i) ^ (~at(lowB, p) & at(lowB, q));
    high[i] = at(highB, i) ^ (~at(highB, p) & at(highB, q));
  }
}

/** Writes Keccak-256 of the first `length` bytes (at most 135) of `message` to `out`, 32 bytes. */
export function keccak256(message: Uint8Array, length: number, out: Uint8Array): void {
  low.fill(0);
  high.fill(0);
  const put = (i: number, byte: number): void => {
    const half = i & 4 ? high : low;
    half[i >> 3] = at(half, i >> 3) ^ (byte << (8 * (i & 3)));
  };
  for (let i = 0; i < length; i++) put(i, byteAt(message, i));
  put(length, 0x01);
  put(135, 0x80);
  for (let round = 0; round < ROUNDS; round++) {
    theta();
    rhoPi();
    chi();
    low[0] = at(low, 0) ^ at(RC_LOW, round);
    high[0] = at(high, 0) ^ at(RC_HIGH, round);
  }
  for (let i = 0; i < 32; i++) out[i] = (at(i & 4 ? high : low, i >> 3) >>> (8 * (i & 3))) & 255;
}

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
