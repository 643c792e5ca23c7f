import { byteAt } from '../text/read.ts';

/** Country calling codes of ITU-T E.164, assigned. */
const CODES = new Uint8Array(1000);
const ASSIGNED =
  '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 ' +
  '90 91 92 93 94 95 98 211 212 213 216 218 220-269 290 291 297 298 299 350-359 370-383 385-387 389 420 421 423 ' +
  '500-509 590-599 670 672-683 685-692 800 808 850 852 853 855 856 870 878 880-883 886 888 960-968 970-977 979 992-996 998';
for (const range of ASSIGNED.split(' ')) {
  const [from = '', to = from] = range.split('-');
  for (let code = Number(from); code <= Number(to); code++) CODES[code] = 1;
}

/** Digits of the country code at `o`; 0 when none is assigned. */
export function countrySize(digits: Uint8Array, o: number): number {
  let code = 0;
  for (let i = 0; i < 3; i++) {
    code = code * 10 + byteAt(digits, o + i);
    if (CODES[code] === 1) return i + 1;
  }
  return 0;
}

/** Whether `n` digits from `o` on are a country code and a number; those of North America and Russia have eleven. */
export function isCountry(digits: Uint8Array, o: number, n: number): boolean {
  if (n < 8 || n > 15) return false;
  if (digits[o] === 1 || digits[o] === 7) return n === 11;
  return countrySize(digits, o) > 0;
}
