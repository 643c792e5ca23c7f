import { type DigitCheck, isDate, isRepeated, luhn, number, weighted } from '../../checks/digits.ts';
import { byteAt } from '../../text/read.ts';
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
    categories: ['PII'],
    words:
      'south_african rsa_id sa_id rsa permanent_resident refugee_id south_africa za_id said id_number idnumber id_no',
    identity: true,
    digits: [{ check: zaIdNumber, always: '6 4 3|6 4 2 1', strict: '13|6~4~3' }],
    docs: {
      country: 'South Africa',
      counts: 'date of birth, citizenship, Luhn, with a word',
      strength: ['checksum'],
      found: { rsa_id: '8001015009087' },
      missed: { rsa_id: '8001015009086' },
    },
  },
  {
    tag: 'TR_NATIONAL_ID',
    categories: ['PII'],
    words: 'tckn kimlik tc_kimlik tckimlik tckimlikno kimlik_no turkish turk vatandaslik tcno tc',
    identity: true,
    digits: [{ check: trNationalId, strict: '11|3~3~3~2' }],
    docs: {
      country: 'Türkiye',
      counts: 'two check digits, with a word',
      strength: ['checksum'],
      found: { tckn: '10000000146' },
      missed: { tckn: '10000000145' },
    },
  },
  {
    tag: 'IL_NATIONAL_ID',
    categories: ['PII'],
    words: 'teudat_zehut teudat zehut תעודת_זהות זהות תז israeli israel id_israel mispar_zehut',
    identity: true,
    digits: [{ check: ilId, strict: '9|8-1|1-7-1' }],
    docs: {
      country: 'Israel',
      counts: 'Luhn, with a word',
      strength: ['checksum'],
      found: 'teudat zehut 039337423',
      missed: 'teudat zehut 039337424',
    },
  },
];
