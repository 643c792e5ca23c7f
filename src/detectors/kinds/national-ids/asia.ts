import {
  type DigitCheck,
  digit,
  isDate,
  isIn,
  isRepeated,
  letter,
  lower,
  mod11x2,
  number,
  numberAt,
  verhoeff,
  weighted,
} from '../../checks/check-digits.ts';
import { byteAt, entry, HEX } from '../../text/bytes.ts';
import * as Char from '../../text/chars.ts';
import type { Kind } from '../kind.ts';
import { FORMATTED } from '../kind.ts';

/** Singapore: weights 2 7 6 5 4 3 2, an offset by the first letter, a row of check letters for each series. */
function nric(b: Uint8Array, o: number): boolean {
  if (!isIn('stfgm', b, o)) return false;
  const first = String.fromCharCode(lower(b, o));
  let sum = first === 't' || first === 'g' ? 4 : first === 'm' ? 3 : 0;
  for (let i = 0; i < 7; i++) sum += digit(b, o + 1 + i) * (([2, 7, 6, 5, 4, 3, 2] as const)[i] as number);
  const rest = sum % 11;
  if (first === 'm') return 'kljnpqrtuwx'.charCodeAt(10 - rest) === lower(b, o + 8);
  return (
    (first === 's' || first === 't' ? 'jzihgfedcba' : 'xwutrqpnmlk').charCodeAt(rest) === lower(b, o + 8)
  );
}

/** UIDAI: first digit 2 to 9, Verhoeff. */
const inAadhaar: DigitCheck = (d, o, n) => byteAt(d, o) >= 2 && verhoeff(d, o, n) && !isRepeated(d, o, n);

/** Income Tax Department: the fourth letter is the kind of holder. */
/** Whether the letters of a number are hexadecimal digits too: those of the queue of a mail server are written so. */
function isHexadecimal(b: Uint8Array, o: number): boolean {
  for (let i = 0; i < 10; i++) if (byteAt(HEX, byteAt(b, o + i)) > 15) return false;
  return true;
}

const pan = (b: Uint8Array, o: number): boolean =>
  isIn('abcfghljpt', b, o + 3) && numberAt(b, o + 5, 4) !== 0;

/** Korea: date of birth and century; numbers given since October 2020 have no check digit. */
const krRrn: DigitCheck = (d, o) => {
  const century = byteAt(d, o + 6);
  return (
    century >= 1 &&
    century <= 4 &&
    isDate((century < 3 ? 1900 : 2000) + number(d, o, 2), number(d, o + 2, 2), number(d, o + 4, 2))
  );
};

/** The highest number of a province of Thailand that begins with each digit, 0 to 9 (ISO 3166-2:TH). */
const THAI_PROVINCES: readonly number[] = [-1, 19, 27, 39, 49, 58, 67, 77, 86, 96];

/** Thailand: modulus 11; the kind of citizen, 1 to 8, then the province. */
const thTnin: DigitCheck = (d, o) => {
  const sum = weighted(d, o, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  if (d[o] === 0 || d[o] === 9 || number(d, o + 1, 2) > entry(THAI_PROVINCES, byteAt(d, o + 1))) return false;
  return (11 - (sum % 11)) % 10 === d[o + 12] && !isRepeated(d, o, 13);
};

/** Indonesia: province 11 to 97, date of birth with 40 added to the day for women, serial from 1. */
const idNik: DigitCheck = (d, o) => {
  const province = number(d, o, 2);
  if (province < 11 || province > 97 || number(d, o + 12, 4) === 0) return false;
  return isDate(2000, number(d, o + 8, 2), number(d, o + 6, 2) % 40);
};

/** Malaysia: date of birth, then a place that is in use. */
const myNric: DigitCheck = (d, o) => {
  const place = number(d, o + 6, 2);
  if (place === 0 || (place > 16 && place < 21) || place === 69 || place === 70) return false;
  return isDate(2000, number(d, o + 2, 2), number(d, o + 4, 2));
};

export const asia: readonly Kind[] = [
  {
    tag: 'SG_NRIC_FIN',
    words: 'nric fin singapore identity_card',
    letters: [{ check: nric, always: 'A9999999A' }],
  },
  {
    tag: 'IN_AADHAAR',
    words: 'aadhaar aadhar adhaar uidai uid_number आधार आधार_नंबर आधार_संख्या आधार_कार्ड आधार_क्रमांक',
    identity: true,
    digits: [{ check: inAadhaar, always: '4 4 4|4-4-4', strict: '12|4:4:4|4~4~4' }],
  },
  {
    tag: 'IN_PAN',
    words: 'pan permanent_account pancard pan_card income_tax',
    letters: [
      { check: (b, o) => pan(b, o) && !isHexadecimal(b, o), upper: 'AAAAA9999A', rank: FORMATTED },
      { check: pan, named: 'AAAAA9999A', rank: FORMATTED },
    ],
  },
  {
    tag: 'KR_RRN',
    words:
      'rrn resident_registration jumin jumin_number jumin_no jumin_num jumin_bunho juminbeonho korean 주민등록번호 주민번호',
    identity: true,
    digits: [{ check: krRrn, always: '6-7', strict: '13', rank: FORMATTED }],
  },
  {
    tag: 'TH_TNIN',
    words: 'tnin thai thailand เลขประจำตัวประชาชน เลขบัตรประชาชน',
    identity: true,
    digits: [{ check: thTnin, always: '1-4-5-2-1|1 4 5 2 1', strict: '13' }],
  },
  {
    tag: 'ID_NIK',
    words: 'nik nomor_induk ktp e_ktp ektp kependudukan indonesian indonesia no_ktp',
    identity: true,
    digits: [{ check: idNik, named: '16|6~6~4|2~2~2~6~4', rank: FORMATTED }],
  },
  {
    tag: 'MY_NRIC',
    words: 'mykad my_kad ic_number nric kad_pengenalan no_kp nombor_kad malaysian malaysia no_ic ic_no',
    identity: true,
    digits: [{ check: myNric, always: '6-2-4', named: '12|6 2 4', rank: FORMATTED }],
  },
];

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
  return lower(b, o + 17) === Char.LOWER_X && cnBody(digits, 0, 17) && mod11x2(digits, 0, 17) === 10;
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
  const check = lower(b, at) === Char.LOWER_A ? 10 : digit(b, at);
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
    words:
      '身份证 身份证号 身份证号码 居民身份证 公民身份号码 证件号 证件号码 resident_identity shenfenzheng chinese china',
    identity: true,
    digits: [{ check: cnResidentId, always: '18' }],
    letters: [{ check: cnResidentIdWithX, always: '99999999999999999A' }],
  },
  {
    tag: 'JP_MY_NUMBER',
    words: 'my_number mynumber マイナンバー 個人番号 個人識別番号 kojin_bango japanese japan',
    identity: true,
    digits: [{ check: jpMyNumber, strict: '12|4~4~4' }],
  },
  {
    tag: 'HK_HKID',
    words: 'hkid hk_id hong_kong hongkong identity_card 香港身份證 身份證號碼 身份證',
    identity: true,
    letters: [
      { check: hkidOfOne, always: 'A999999(X)', named: 'A999999X' },
      { check: hkidOfTwo, always: 'AA999999(X)', named: 'AA999999X' },
    ],
  },
  {
    tag: 'TW_NATIONAL_ID',
    words: '身分證 身分證字號 身分證號碼 身份證字號 統一編號 taiwan taiwanese',
    identity: true,
    letters: [{ check: twNationalId, strict: 'A999999999' }],
  },
];
