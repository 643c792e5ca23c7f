import { type DigitCheck, isDate, isRepeated, mod11x2, number, weighted } from '../../checks/digits.ts';
import { digit, letter, lower, numberAt } from '../../checks/letters.ts';
import { CHECKSUM } from '../../hits.ts';
import { LOWER_A, LOWER_X } from '../../text/ascii.ts';
import type { Kind } from '../kind.ts';

/** GB 11643: province, date of birth, ISO 7064 mod 11,2. */
const cnBody: DigitCheck = (d, o) => {
  const year = number(d, o + 6, 4);
  const first = number(d, o, 1);
  return (
    first > 0 &&
    first < 9 &&
    year > 1880 &&
    year < 2100 &&
    isDate(year, number(d, o + 10, 2), number(d, o + 12, 2))
  );
};
const cnResidentId: DigitCheck = (d, o) => cnBody(d, o, 17) && mod11x2(d, o, 17) === d[o + 17];
const digits = new Uint8Array(17);
function cnResidentIdWithX(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 17; i++) digits[i] = digit(b, o + i);
  return lower(b, o + 17) === LOWER_X && cnBody(digits, 0, 17) && mod11x2(digits, 0, 17) === 10;
}

/** Japan, ministerial ordinance 85 of 2014: weights 6 to 2 and 7 to 2, modulus 11. */
const jpMyNumber: DigitCheck = (d, o) => {
  const rest = weighted(d, o, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return !isRepeated(d, o, 12) && (rest < 2 ? 0 : 11 - rest) === d[o + 11];
};

/** Hong Kong: letters from A as 10, a missing one as 36, weights 9 to 1, modulus 11; A for a check digit of 10. */
function hkid(b: Uint8Array, o: number, letters: number): boolean {
  let sum = letters === 2 ? 9 * (letter(b, o) + 10) : 9 * 36;
  sum += 8 * (letter(b, o + letters - 1) + 10);
  for (let i = 0; i < 6; i++) sum += (7 - i) * digit(b, o + letters + i);
  const at = o + letters + 6;
  const check = lower(b, at) === LOWER_A ? 10 : digit(b, at);
  return check >= 0 && check <= 10 && (sum + check) % 11 === 0;
}
const hkidOfOne = (b: Uint8Array, o: number): boolean => hkid(b, o, 1);
const hkidOfTwo = (b: Uint8Array, o: number): boolean => hkid(b, o, 2);

/** Taiwan: two digits for the place, sex, weights 1, 9 to 1, 1, modulus 10. */
const TW_PLACES = [
  10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21, 22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33,
];
function twNationalId(b: Uint8Array, o: number): boolean {
  const place = TW_PLACES[letter(b, o)] ?? 0;
  const sex = numberAt(b, o + 1, 1);
  if (!(sex === 1 || sex === 2 || sex === 8 || sex === 9)) return false;
  let sum = Math.floor(place / 10) + 9 * (place % 10) + digit(b, o + 9);
  for (let i = 0; i < 8; i++) sum += (8 - i) * digit(b, o + 1 + i);
  return sum % 10 === 0;
}

export const eastAsia: readonly Kind[] = [
  {
    tag: 'CN_RESIDENT_ID',
    categories: ['PII'],
    words:
      '身份证 身份证号 身份证号码 居民身份证 公民身份号码 证件号 证件号码 resident_identity shenfenzheng chinese china',
    identity: true,
    digits: [{ check: cnResidentId, always: '18' }],
    letters: [{ pattern: '99999999999999999A', rank: CHECKSUM, alone: 'always', check: cnResidentIdWithX }],
    docs: {
      country: 'China',
      counts: 'province, date of birth, ISO 7064 mod 11,2',
      strength: ['checksum'],
      found: '11010519491231002X',
      missed: '110105194912310021',
    },
  },
  {
    tag: 'JP_MY_NUMBER',
    categories: ['PII'],
    words: 'my_number mynumber マイナンバー 個人番号 個人識別番号 kojin_bango japanese japan',
    identity: true,
    digits: [{ check: jpMyNumber, strict: '12|4~4~4' }],
    docs: {
      country: 'Japan',
      counts: 'weights modulus 11, with a word',
      strength: ['checksum'],
      found: { my_number: '1234 5678 9018' },
      missed: { my_number: '1234 5678 9019' },
    },
  },
  {
    tag: 'HK_HKID',
    categories: ['PII'],
    words: 'hkid hk_id hong_kong hongkong identity_card 香港身份證 身份證號碼 身份證',
    identity: true,
    letters: [
      { pattern: 'A999999(X)', rank: CHECKSUM, alone: 'always', check: hkidOfOne },
      { pattern: 'AA999999(X)', rank: CHECKSUM, alone: 'always', check: hkidOfTwo },
      { pattern: 'A999999X', rank: CHECKSUM, alone: 'named', check: hkidOfOne },
      { pattern: 'AA999999X', rank: CHECKSUM, alone: 'named', check: hkidOfTwo },
    ],
    docs: {
      country: 'Hong Kong',
      counts: 'weights modulus 11; without parentheses with a word',
      strength: ['checksum'],
      found: 'A123456(3)',
      missed: 'A123456(4)',
    },
  },
  {
    tag: 'TW_NATIONAL_ID',
    categories: ['PII'],
    words: '身分證 身分證字號 身分證號碼 身份證字號 統一編號 taiwan taiwanese',
    identity: true,
    letters: [{ pattern: 'A999999999', rank: CHECKSUM, alone: 'strict', check: twNationalId }],
    docs: {
      country: 'Taiwan',
      counts: 'place, sex, weights modulus 10, with a word',
      strength: ['checksum'],
      found: '身分證字號 A123456789',
      missed: '身分證字號 A123456788',
    },
  },
];
