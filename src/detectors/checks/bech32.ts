import { byteAt, entry, loweredAt } from '../text/read.ts';

const VALUE = new Uint8Array(256).fill(255);
'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.split('').forEach((c, i) => {
  VALUE[c.charCodeAt(0)] = i;
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
    const value = byteAt(VALUE, loweredAt(b, i));
    if (value === 255) return false;
    sum = step(sum, value);
  }
  return sum === 1 || sum === 0x2bc830a3;
}
