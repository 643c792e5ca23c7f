import { type DigitCheck, isDate, number, weighted } from '../../checks/digits.ts';
import { FORMATTED } from '../../hits.ts';
import type { Kind } from '../kind.ts';

/** Estonia and Lithuania: century and sex, date of birth, weights modulus 11, with a second row of weights for 10. */
const balticCode: DigitCheck = (d, o) => {
  const century = 1800 + 100 * Math.floor((number(d, o, 1) - 1) / 2);
  if (d[o] === 0 || d[o] === 9) return false;
  if (!isDate(century + number(d, o + 1, 2), number(d, o + 3, 2), number(d, o + 5, 2))) return false;
  const first = weighted(d, o, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11;
  const check = first < 10 ? first : (weighted(d, o, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11) % 10;
  return check === d[o + 10];
};

/** Latvia, until July 2017: date of birth and century, weights modulus 11. */
const latvianCode: DigitCheck = (d, o) => {
  const century = 1800 + 100 * number(d, o + 6, 1);
  if (!isDate(century + number(d, o + 4, 2), number(d, o + 2, 2), number(d, o, 2))) return false;
  return ((1101 - weighted(d, o, [1, 6, 3, 7, 9, 10, 5, 8, 4, 2])) % 11) % 10 === number(d, o + 10, 1);
};

/** Latvia, since then: 32 and nothing else that could be checked. */
const newLatvianCode: DigitCheck = (d, o) => number(d, o, 2) === 32;

export const baltics: readonly Kind[] = [
  {
    tag: 'EE_ISIKUKOOD',
    categories: ['PII'],
    words: 'isikukood isikukoodi isikukoodiga ik estonian estonia eesti personal_code',
    identity: true,
    digits: [{ check: balticCode, strict: '11' }],
    docs: {
      country: 'Estonia',
      counts: 'century and sex, date of birth, two rows of weights modulus 11, with a word',
      strength: ['checksum'],
      found: { isikukood: '37605030299' },
      missed: { isikukood: '37605030298' },
    },
  },
  {
    tag: 'LT_ASMENS_KODAS',
    categories: ['PII'],
    words: 'asmens_kodas asmenskodas asmens lithuanian lithuania lietuva lietuvos personal_code',
    identity: true,
    digits: [{ check: balticCode, strict: '11' }],
    docs: {
      country: 'Lithuania',
      counts: 'century and sex, date of birth, two rows of weights modulus 11, with a word',
      strength: ['checksum'],
      found: 'asmens kodas 38703181745',
      missed: 'asmens kodas 38703181746',
    },
  },
  {
    tag: 'LV_PERSONAS_KODS',
    categories: ['PII'],
    words: 'personas_kods personaskods personas_koda personas latvian latvia latvijas personal_code',
    identity: true,
    digits: [
      { check: latvianCode, always: '6-5', strict: '11' },
      { check: newLatvianCode, named: '6-5|11', rank: FORMATTED },
    ],
    docs: {
      country: 'Latvia',
      counts: 'date of birth, weights modulus 11; or 32 first, with a word; bare with a word',
      strength: ['checksum', 'formatted'],
      found: '161175-19997',
      missed: '161175-19998',
    },
  },
];
