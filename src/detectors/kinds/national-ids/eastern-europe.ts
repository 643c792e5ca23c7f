import { type DigitCheck, isDayOfMonth, number, weighted } from '../../checks/digits.ts';
import type { Kind } from '../kind.ts';

/** PESEL: the month carries the century in steps of 20. */
const plPesel: DigitCheck = (d, o) =>
  isDayOfMonth(number(d, o + 2, 2) % 20, number(d, o + 4, 2)) &&
  weighted(d, o, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;

export const easternEurope: readonly Kind[] = [
  {
    tag: 'PL_PESEL',
    categories: ['PII'],
    words: 'pesel',
    identity: true,
    digits: [{ check: plPesel, strict: '11' }],
    docs: {
      country: 'Poland',
      counts: 'date of birth, weights modulus 10, with a word',
      strength: ['checksum'],
      found: { pesel: '44051401458' },
      missed: { pesel: '44051401459' },
    },
  },
];
