import { type DigitCheck, ean13, isDate, isDayOfMonth, number, weighted } from '../../checks/digits.ts';
import type { Kind } from '../kind.ts';

/** Belgium: date of birth (months of 20 or 40 more in the bis register), 97 less the first nine digits modulus 97. */
const beNationalNumber: DigitCheck = (d, o) => {
  const month = number(d, o + 2, 2) % 20;
  const day = number(d, o + 4, 2);
  if (month !== 0 && day !== 0 && !isDayOfMonth(month, day)) return false;
  const check = number(d, o + 9, 2);
  const body = number(d, o, 9);
  return number(d, o, 6) !== 0 && (97 - (body % 97) === check || 97 - ((2e9 + body) % 97) === check);
};

/** Switzerland: 756 and the check digit of EAN-13. */
const chAhv: DigitCheck = (d, o) => number(d, o, 3) === 756 && ean13(d, o);

/** Austria: serial from 100, weights modulus 11 in the fourth place, date of birth. */
const atSvnr: DigitCheck = (d, o) =>
  d[o] !== 0 &&
  weighted(d, o, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === number(d, o + 3, 1) &&
  (number(d, o + 6, 2) > 12 || isDate(2000, number(d, o + 6, 2), number(d, o + 4, 2)));

export const alpineAndBenelux: readonly Kind[] = [
  {
    tag: 'BE_NATIONAL_NUMBER',
    categories: ['PII'],
    words:
      'rijksregisternummer rijksregister insz nrn registre_national numero_national nationaal_nummer niss national_register belgian belgium belge belgique belgie nationalregisternummer national_number',
    identity: true,
    digits: [{ check: beNationalNumber, always: '2.2.2-3.2', strict: '11|6~3~2|6-3-2|6-5|2~2~2~3~2' }],
    docs: {
      country: 'Belgium',
      counts: 'date of birth, 97 less the number modulus 97; bare with a word',
      strength: ['checksum'],
      found: '85.07.30-033.28',
      missed: '85.07.30-033.29',
    },
  },
  {
    tag: 'CH_AHV',
    categories: ['PII'],
    words:
      'ahv avs ahv_nummer ahvnummer ahvn13 navs13 navs sozialversicherungsnummer oasi numero_avs swiss switzerland schweiz suisse',
    identity: true,
    digits: [{ check: chAhv, always: '3.4.4.2|13|3~4~4~2' }],
    docs: {
      country: 'Switzerland',
      counts: '756 and the check digit of EAN-13',
      strength: ['checksum'],
      found: '756.9217.0769.85',
      missed: '756.9217.0769.84',
    },
  },
  {
    tag: 'AT_SVNR',
    categories: ['PII'],
    words:
      'svnr sv_nummer svnummer sozialversicherungsnummer sozialversicherung versicherungsnummer sv_nr austrian austria osterreich oesterreich vsnr',
    identity: true,
    digits: [{ check: atSvnr, strict: '10|4~6|4 2 2 2|4~2~2~2' }],
    docs: {
      country: 'Austria',
      counts: 'serial, weights modulus 11 in the fourth place, date of birth, with a word',
      strength: ['checksum'],
      found: { svnr: '1237 010180' },
      missed: { svnr: '2237 010180' },
    },
  },
];
