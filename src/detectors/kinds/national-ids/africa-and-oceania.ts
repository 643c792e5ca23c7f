import { type DigitCheck, isDate, isRepeated, luhn, number, weighted } from '../../checks/check-digits.ts';
import { byteAt } from '../../text/bytes.ts';
import type { Kind } from '../kind.ts';

/** South Africa: date of birth, citizenship 0 to 2, Luhn. */
const zaIdNumber: DigitCheck = (d, o) =>
  isDate(2000 + number(d, o, 2), number(d, o + 2, 2), number(d, o + 4, 2)) &&
  byteAt(d, o + 10) <= 2 &&
  byteAt(d, o + 11) >= 8 &&
  luhn(d, o, 13);

/** Türkiye: two check digits, no leading zero. */
const trNationalId: DigitCheck = (d, o) => {
  if (d[o] === 0) return false;
  const odd = weighted(d, o, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighted(d, o, [0, 1, 0, 1, 0, 1, 0, 1]);
  return (odd * 7 - even + 100) % 10 === d[o + 9] && (odd + even + byteAt(d, o + 9)) % 10 === d[o + 10];
};

/** Israel: Luhn over nine digits. */
const ilId: DigitCheck = (d, o) => luhn(d, o, 9) && !isRepeated(d, o, 9);

export const africaAndMiddleEast: readonly Kind[] = [
  {
    tag: 'ZA_ID_NUMBER',
    words:
      'south_african rsa_id sa_id rsa permanent_resident refugee_id south_africa za_id said id_number idnumber id_no',
    identity: true,
    digits: [{ check: zaIdNumber, always: '6 4 3|6 4 2 1', strict: '13|6~4~3' }],
  },
  {
    tag: 'TR_NATIONAL_ID',
    words: 'tckn kimlik tc_kimlik tckimlik tckimlikno kimlik_no turkish turk vatandaslik tcno tc',
    identity: true,
    digits: [{ check: trNationalId, strict: '11|3~3~3~2' }],
  },
  {
    tag: 'IL_NATIONAL_ID',
    words: 'teudat_zehut teudat zehut תעודת_זהות זהות תז israeli israel id_israel mispar_zehut',
    identity: true,
    digits: [{ check: ilId, strict: '9|8-1|1-7-1' }],
  },
];

/** Australian Taxation Office: weighted sum divisible by 11. */
const auTfn: DigitCheck = (d, o) =>
  weighted(d, o, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 && !isRepeated(d, o, 9);

/** Australian Business Register: first digit less one, weighted sum divisible by 89. */
const auAbn: DigitCheck = (d, o) =>
  d[o] !== 0 && (weighted(d, o, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0;

/** Services Australia: first digit 2 to 6, weights 1 3 7 9 modulus 10. */
const auMedicare: DigitCheck = (d, o) =>
  number(d, o, 1) >= 2 && number(d, o, 1) <= 6 && weighted(d, o, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === d[o + 8];

/** ASIC: weights 8 to 1, ten less the sum modulus 10. */
const auAcn: DigitCheck = (d, o) =>
  !isRepeated(d, o, 9) && (10 - (weighted(d, o, [8, 7, 6, 5, 4, 3, 2, 1]) % 10)) % 10 === d[o + 8];

export const oceania: readonly Kind[] = [
  {
    tag: 'AU_TFN',
    words: 'tfn tax_file taxfile taxfilenumber',
    digits: [{ check: auTfn, strict: '9|3~3~3' }],
  },
  {
    tag: 'AU_ABN',
    words: 'abn australian_business business_number',
    digits: [{ check: auAbn, always: '2 3 3 3', strict: '11|2~3~3~3' }],
  },
  {
    tag: 'AU_MEDICARE',
    categories: ['PHI', 'PII'],
    words: 'medicare medicare_number medicare_card medicarenumber',
    digits: [{ check: auMedicare, strict: '10|4~5~1|11|4~5~1~1' }],
  },
  {
    tag: 'AU_ACN',
    words: 'acn company_number australian_company',
    digits: [{ check: auAcn, strict: '9|3~3~3' }],
  },
];
