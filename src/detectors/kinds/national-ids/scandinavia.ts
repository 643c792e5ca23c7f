import { type DigitCheck, isDate, number, weighted } from '../../checks/digits.ts';
import { FORMATTED } from '../../hits.ts';
import type { Kind } from '../kind.ts';

/** Denmark: date of birth; numbers given since October 2007 have no check digit. */
const dkCpr: DigitCheck = (d, o) => isDate(2000, number(d, o + 2, 2), number(d, o, 2) % 60);

/** Norway: date of birth (day plus 40 for a D number), two check digits modulus 11. */
const noBirthNumber: DigitCheck = (d, o) => {
  if (!isDate(2000, number(d, o + 2, 2) % 40, number(d, o, 2) % 40)) return false;
  return (
    weighted(d, o, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weighted(d, o, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
};

export const scandinavia: readonly Kind[] = [
  {
    tag: 'DK_CPR',
    categories: ['PII'],
    words: 'cpr cpr_nummer cprnr cprnummer personnummer danish denmark dansk danmark cpr_number',
    identity: true,
    digits: [{ check: dkCpr, named: '6-4|6 4|10', rank: FORMATTED }],
    docs: {
      country: 'Denmark',
      counts: 'date of birth, with a word; numbers since 2007 have no check digit',
      strength: ['formatted'],
      found: 'CPR 010180-1234',
      missed: 'CPR 310280-1234',
    },
  },
  {
    tag: 'NO_FODSELSNUMMER',
    categories: ['PII'],
    words:
      'fodselsnummer fodselsnr fnr personnummer norwegian norway norsk norge d_nummer dnummer birth_number',
    identity: true,
    digits: [{ check: noBirthNumber, strict: '11|6~5' }],
    docs: {
      country: 'Norway',
      counts: 'date of birth, two check digits modulus 11, with a word',
      strength: ['checksum'],
      found: { fodselsnummer: '01010050053' },
      missed: { fodselsnummer: '01010050054' },
    },
  },
];
