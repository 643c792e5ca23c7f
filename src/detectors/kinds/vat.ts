import { begins, type DigitCheck, digit, luhn, mod11x10, number, weighted } from '../checks/check-digits.ts';
import type { Kind, LetterForm } from './kind.ts';
import { CHECKSUM } from './kind.ts';

/** Digits of a VAT number behind the letters of its country (European Commission, VIES), `n` of them. */
type Vat = readonly [country: string, lengths: string, check: DigitCheck];

const last = (d: Uint8Array, o: number, n: number): number => number(d, o + n - 1, 1);
const ending =
  (weights: readonly number[], check: (sum: number) => number): DigitCheck =>
  (d, o, n) =>
    check(weighted(d, o, weights)) === last(d, o, n);
const eleven = (sum: number): number => (11 - (sum % 11)) % 11;
const elevenOrZero = (sum: number): number => ((11 - (sum % 11)) % 11) % 10;
const ten = (sum: number): number => (10 - (sum % 10)) % 10;

const frenchVat: DigitCheck = (d, o) =>
  luhn(d, o + 2, 9) && (12 + 3 * (number(d, o + 2, 9) % 97)) % 97 === number(d, o, 2);
const britishVat: DigitCheck = (d, o) => {
  const rest = (weighted(d, o, [8, 7, 6, 5, 4, 3, 2]) + number(d, o + 7, 2)) % 97;
  return rest === 0 || rest === 42;
};
const austrianVat: DigitCheck = (d, o) => {
  let sum = 4;
  for (let i = 0; i < 7; i++) {
    const value = number(d, o + i, 1) * (i % 2 === 0 ? 1 : 2);
    sum += Math.floor(value / 10) + (value % 10);
  }
  return ten(sum) === last(d, o, 8);
};

const VATS: readonly Vat[] = [
  ['be', '10', (d, o) => 97 - (number(d, o, 8) % 97) === number(d, o + 8, 2)],
  ['bg', '10', ending([4, 3, 2, 7, 6, 5, 4, 3, 2], elevenOrZero)],
  ['cz', '8', ending([8, 7, 6, 5, 4, 3, 2], (sum) => (11 - (sum % 11)) % 10)],
  ['de', '9', (d, o) => d[o] !== 0 && mod11x10(d, o, 8) === d[o + 8]],
  ['dk', '8', (d, o) => weighted(d, o, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  ['ee', '9', ending([3, 7, 1, 3, 7, 1, 3, 7], ten)],
  ['el', '9', ending([256, 128, 64, 32, 16, 8, 4, 2], (sum) => (sum % 11) % 10)],
  ['fi', '8', ending([7, 9, 10, 5, 8, 4, 2], eleven)],
  ['fr', '11', frenchVat],
  ['gb', '9', britishVat],
  ['hr', '11', (d, o) => mod11x10(d, o, 10) === d[o + 10]],
  ['hu', '8', ending([9, 7, 3, 1, 9, 7, 3], ten)],
  ['it', '11', (d, o) => luhn(d, o, 11)],
  ['lt', '9', ending([1, 2, 3, 4, 5, 6, 7, 8], (sum) => (sum % 11) % 10)],
  ['lu', '8', (d, o) => number(d, o, 6) % 89 === number(d, o + 6, 2)],
  ['lv', '11', (d, o) => weighted(d, o, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3],
  ['mt', '8', (d, o) => 37 - (weighted(d, o, [3, 4, 6, 7, 8, 9]) % 37) === number(d, o + 6, 2)],
  ['pl', '10', ending([6, 5, 7, 2, 3, 4, 5, 6, 7], (sum) => sum % 11)],
  ['pt', '9', ending([9, 8, 7, 6, 5, 4, 3, 2], (sum) => (sum % 11 < 2 ? 0 : 11 - (sum % 11)))],
  [
    'ro',
    '8',
    ending(
      [3, 2, 1, 7, 5, 3, 2].map((w) => 10 * w),
      (sum) => (sum % 11) % 10,
    ),
  ],
  ['se', '12', (d, o) => luhn(d, o, 10) && number(d, o + 10, 2) > 0],
  ['si', '8', ending([8, 7, 6, 5, 4, 3, 2], elevenOrZero)],
  ['sk', '10', (d, o) => number(d, o, 10) % 11 === 0],
  ['xi', '9', britishVat],
];

const digits = new Uint8Array(16);

/** The check of the countries whose numbers have this many digits, behind `letters` letters. */
const vatOf =
  (n: number) =>
  (b: Uint8Array, o: number): boolean => {
    for (let i = 0; i < n; i++) digits[i] = digit(b, o + 2 + i);
    return VATS.some(
      ([country, length, check]) => length === String(n) && begins(country, b, o) && check(digits, 0, n),
    );
  };
function vatOfAustria(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 8; i++) digits[i] = digit(b, o + 3 + i);
  return begins('atu', b, o) && austrianVat(digits, 0, 8);
}
function vatOfNetherlands(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 9; i++) digits[i] = digit(b, o + 2 + i);
  const isOld = weighted(digits, 0, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
  const whole = BigInt(
    `2321${String(number(digits, 0, 9)).padStart(9, '0')}11${digit(b, o + 12)}${digit(b, o + 13)}`,
  );
  return (
    begins('nl', b, o) && b[o + 11] !== undefined && begins('b', b, o + 11) && (isOld || whole % 97n === 1n)
  );
}
/** Switzerland, UID: weights modulus 11. */
function uidOfSwitzerland(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 9; i++) digits[i] = digit(b, o + 3 + i);
  return begins('che', b, o) && eleven(weighted(digits, 0, [5, 4, 3, 2, 7, 6, 5, 4])) === digits[8];
}

const form = (pattern: string, check: LetterForm['check']): LetterForm => ({
  pattern,
  rank: CHECKSUM,
  alone: 'upper',
  check: check as NonNullable<LetterForm['check']>,
});
const plain = [8, 9, 10, 11, 12].flatMap((n) => [
  form(`AA${'9'.repeat(n)}`, vatOf(n)),
  form(`AA ${'9'.repeat(n)}`, vatOf(n)),
]);

export const vat: readonly Kind[] = [
  {
    tag: 'EU_VAT_NUMBER',
    words:
      'vat vat_number vat_id vatid vatin vat_no ust ust_id ustid ust_idnr ustidnr umsatzsteuer tva numero_tva btw btw_nummer ' +
      'iva partita_iva moms dph pdv uid mwst kmkr pvn afm vat_reg',
    letters: [
      ...plain,
      ...['AA 999 999 999', 'AA 999 9999 99', 'AA999 9999 99'].map((pattern) => form(pattern, vatOf(9))),
      ...['AA 9999.999.999', 'AA9999.999.999', 'AA 9999 999 999', 'AA 999-999-99-99'].map((pattern) =>
        form(pattern, vatOf(10)),
      ),
      ...['AA 99 999999999', 'AA 99 999 999 999', 'AA99 999999999', 'AA99 999 999 999'].map((pattern) =>
        form(pattern, vatOf(11)),
      ),
      form('AAA99999999', vatOfAustria),
      form('AAA 99999999', vatOfAustria),
      form('AA999999999A99', vatOfNetherlands),
      form('AA 999999999 A99', vatOfNetherlands),
      form('AA 999999999A99', vatOfNetherlands),
      form('AAA-999.999.999', uidOfSwitzerland),
      form('AAA999999999', uidOfSwitzerland),
    ],
  },
  {
    tag: 'IT_VAT_CODE',
    words: 'partita_iva partitaiva piva p_iva vat_italy codice_iva',
    digits: [{ check: luhn, strict: '11' }],
  },
];
