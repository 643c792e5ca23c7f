import { type DigitCheck, isDate, isDayOfMonth, isRepeated, luhn, number, weighted } from './digits.ts';

/** Social Security Administration: area not 000, 666 or 9xx, group not 00, serial not 0000; two numbers voided. */
export const usSsn: DigitCheck = (d, o) => {
  const area = number(d, o, 3);
  const rest = number(d, o, 9);
  return (
    area !== 0 &&
    area !== 666 &&
    area < 900 &&
    number(d, o + 3, 2) !== 0 &&
    number(d, o + 5, 4) !== 0 &&
    rest !== 78051120 &&
    rest !== 219099999 &&
    !isRepeated(d, o, 9)
  );
};

/** IRS: 9xx with the group 50 to 65, 70 to 88, 90 to 92 or 94 to 99. */
export const usItin: DigitCheck = (d, o) => {
  const group = number(d, o + 3, 2);
  return (
    d[o] === 9 &&
    number(d, o + 5, 4) !== 0 &&
    ((group >= 50 && group <= 65) ||
      (group >= 70 && group <= 88) ||
      (group >= 90 && group <= 92) ||
      group >= 94)
  );
};

/** American Bankers Association: weights 3 7 1, first two digits of a Federal Reserve district. */
export const abaRouting: DigitCheck = (d, o) => {
  const head = number(d, o, 2);
  if (!(head <= 12 || (head >= 21 && head <= 32) || (head >= 61 && head <= 72) || head === 80)) return false;
  return !isRepeated(d, o, 9) && weighted(d, o, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0;
};

/** NHS data dictionary: modulus 11. */
export const ukNhs: DigitCheck = (d, o) => {
  const check = (11 - (weighted(d, o, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return check === d[o + 9] && !isRepeated(d, o, 10);
};

/** Canada: Luhn; no number begins with 0 or 8. */
export const caSin: DigitCheck = (d, o, n) =>
  d[o] !== 0 && d[o] !== 8 && luhn(d, o, n) && !isRepeated(d, o, n);

/** Australian Taxation Office: weighted sum divisible by 11. */
export const auTfn: DigitCheck = (d, o) =>
  weighted(d, o, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 && !isRepeated(d, o, 9);

/** Australian Business Register: first digit less one, weighted sum divisible by 89. */
export const auAbn: DigitCheck = (d, o) =>
  d[o] !== 0 && (weighted(d, o, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;

/** PESEL: the month carries the century in steps of 20. */
export const plPesel: DigitCheck = (d, o) =>
  isDayOfMonth(number(d, o + 2, 2) % 20, number(d, o + 4, 2)) &&
  weighted(d, o, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;

/** Bundeszentralamt für Steuern: ISO 7064 mod 11,10; one digit of the first ten appears two or three times. */
export const deTaxId: DigitCheck = (d, o) => {
  if (d[o] === 0) return false;
  let distinct = 0;
  let most = 0;
  for (let v = 0; v < 10; v++) {
    let times = 0;
    for (let i = 0; i < 10; i++) if (d[o + i] === v) times++;
    if (times > 0) distinct++;
    most = Math.max(most, times);
  }
  return distinct >= 7 && most <= 3 && mod11x10(d, o, 10) === d[o + 10];
};

function mod11x10(d: Uint8Array, o: number, n: number): number {
  let product = 10;
  for (let i = 0; i < n; i++) {
    const sum = ((d[o + i] as number) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10;
}

/** Türkiye: two check digits, no leading zero. */
export const trNationalId: DigitCheck = (d, o) => {
  if (d[o] === 0) return false;
  const odd = weighted(d, o, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(d, o, [0, 1, 0, 1, 0, 1, 0, 1]);
  return (odd * 7 - even + 100) % 10 === d[o + 9] && (odd + even + (d[o + 9] as number)) % 10 === d[o + 10];
};

/** Thailand: modulus 11; the kind of citizen, 1 to 8, then the province (ISO 3166-2:TH). */
export const thTnin: DigitCheck = (d, o) => {
  const sum = weighted(d, o, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  const last = [9, 7, 9, 9, 8, 7, 7, 6, 6][(d[o + 1] as number) - 1] ?? -1;
  if (d[o] === 0 || d[o] === 9 || (d[o + 2] as number) > last) return false;
  return (11 - (sum % 11)) % 10 === d[o + 12] && !isRepeated(d, o, 13);
};

/** South Africa: date of birth, citizenship 0 to 2, Luhn. */
export const zaIdNumber: DigitCheck = (d, o) =>
  isDate(2000 + number(d, o, 2), number(d, o + 2, 2), number(d, o + 4, 2)) &&
  (d[o + 10] as number) <= 2 &&
  (d[o + 11] as number) >= 8 &&
  luhn(d, o, 13);

/** Korea: date of birth and century; numbers given since October 2020 have no check digit. */
export const krRrn: DigitCheck = (d, o) => {
  const century = d[o + 6] as number;
  return (
    century >= 1 &&
    century <= 4 &&
    isDate((century < 3 ? 1900 : 2000) + number(d, o, 2), number(d, o + 2, 2), number(d, o + 4, 2))
  );
};

/** Receita Federal: two check digits modulus 11. */
export const brCpf: DigitCheck = (d, o) => {
  if (isRepeated(d, o, 11)) return false;
  const first = ((weighted(d, o, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  const second = ((weighted(d, o, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  return first === d[o + 9] && second === d[o + 10];
};

/** INSEE: sex, month (or the values for an unknown one), 97 less the number modulus 97. */
export const frNir: DigitCheck = (d, o) => {
  const month = number(d, o + 3, 2);
  if (!((d[o] as number) >= 1 && (d[o] as number) <= 8) || d[o] === 5 || d[o] === 6) return false;
  if (!((month >= 1 && month <= 12) || (month >= 20 && month <= 42) || month >= 50)) return false;
  return 97 - (number(d, o, 13) % 97) === number(d, o + 13, 2);
};

/** Netherlands: the eleven test. */
export const nlBsn: DigitCheck = (d, o) =>
  weighted(d, o, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 &&
  !isRepeated(d, o, 9) &&
  !(d[o] === 0 && d[o + 1] === 0);

/** Skatteverket: date of birth (day plus 60 for a coordination number), Luhn over the last ten digits. */
export const sePersonnummer: DigitCheck = (d, o, n) => {
  const year = n === 12 ? number(d, o, 4) : 2000 + number(d, o, 2);
  const at = o + n - 10;
  if (n === 12 && (year < 1840 || year > 2099)) return false;
  return isDate(year, number(d, at + 2, 2), number(d, at + 4, 2) % 60) && luhn(d, at, 10);
};

/** Eight permutations of the digits, one after the other. */
const VERHOEFF_PERMUTATION = Uint8Array.from(
  '01234567891576283094580379614289160435279453126870428657390127938064157046913258',
  Number,
);

/** Multiplication in the dihedral group of order ten. */
function dihedral(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5);
  return b < 5 ? 5 + ((a - b + 5) % 5) : (a - b + 5) % 5;
}

/** Verhoeff's check over all digits. */
export function verhoeff(d: Uint8Array, o: number, n: number): boolean {
  let c = 0;
  for (let i = 0; i < n; i++)
    c = dihedral(c, VERHOEFF_PERMUTATION[10 * (i % 8) + (d[o + n - 1 - i] as number)] as number);
  return c === 0;
}

/** UIDAI: first digit 2 to 9, Verhoeff. */
export const inAadhaar: DigitCheck = (d, o, n) =>
  (d[o] as number) >= 2 && verhoeff(d, o, n) && !isRepeated(d, o, n);

/** CMS: Luhn over the number behind the prefix 80840, which adds 24 to the sum. */
export const usNpi: DigitCheck = (d, o) => {
  if ((d[o] !== 1 && d[o] !== 2) || isRepeated(d, o, 9)) return false;
  let sum = 24 + (d[o + 9] as number);
  for (let i = 0; i < 9; i++) {
    const x = d[o + i] as number;
    sum += i % 2 === 0 ? (x > 4 ? 2 * x - 9 : 2 * x) : x;
  }
  return sum % 10 === 0;
};
