import { type DigitCheck, isDate, mod11x10, number, weighted } from '../../checks/digits.ts';
import type { Kind } from '../kind.ts';

/** Romania: sex and century, date of birth, weights modulus 11. */
const roCnp: DigitCheck = (d, o) => {
  if (d[o] === 0 || !isDate(2000, number(d, o + 3, 2), number(d, o + 5, 2))) return false;
  const rest = weighted(d, o, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (rest === 10 ? 1 : rest) === d[o + 12];
};

/** Bulgaria: date of birth (months plus 20 before 1900, plus 40 from 2000), weights modulus 11. */
const bgEgn: DigitCheck = (d, o) =>
  isDate(2000, number(d, o + 2, 2) % 20, number(d, o + 4, 2)) &&
  (weighted(d, o, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === d[o + 9];

/** Croatia: ISO 7064 mod 11,10. */
const hrOib: DigitCheck = (d, o) => mod11x10(d, o, 10) === d[o + 10];

/** Serbia, Slovenia, Bosnia, Montenegro, North Macedonia: date of birth, weights modulus 11. */
const jmbg: DigitCheck = (d, o) => {
  if (!isDate(2000, number(d, o + 2, 2), number(d, o, 2)) || !(d[o + 4] === 9 || d[o + 4] === 0))
    return false;
  const rest = weighted(d, o, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return rest !== 1 && (rest === 0 ? 0 : 11 - rest) === d[o + 12];
};

export const balkans: readonly Kind[] = [
  {
    tag: 'RO_CNP',
    categories: ['PII'],
    words: 'cnp cod_numeric numeric_personal romanian romania',
    identity: true,
    digits: [{ check: roCnp, strict: '13' }],
    docs: {
      country: 'Romania',
      counts: 'sex and century, date of birth, weights modulus 11, with a word',
      strength: ['checksum'],
      found: { cnp: '1800101221144' },
      missed: { cnp: '1800101221145' },
    },
  },
  {
    tag: 'BG_EGN',
    categories: ['PII'],
    words: 'egn егн bulgarian bulgaria единен_граждански гражданскы_номер граждански_номер',
    identity: true,
    digits: [{ check: bgEgn, strict: '10' }],
    docs: {
      country: 'Bulgaria',
      counts: 'date of birth, weights modulus 11, with a word',
      strength: ['checksum'],
      found: { egn: '7523169263' },
      missed: { egn: '7523169264' },
    },
  },
  {
    tag: 'HR_OIB',
    categories: ['PII'],
    words: 'oib osobni_identifikacijski croatian croatia hrvatska',
    identity: true,
    digits: [{ check: hrOib, strict: '11' }],
    docs: {
      country: 'Croatia',
      counts: 'ISO 7064 mod 11,10, with a word',
      strength: ['checksum'],
      found: { oib: '33392005961' },
      missed: { oib: '33392005962' },
    },
  },
  {
    tag: 'JMBG',
    categories: ['PII'],
    words: 'jmbg emso embg maticni_broj jedinstveni_maticni serbian slovenian bosnian',
    identity: true,
    digits: [{ check: jmbg, strict: '13' }],
    docs: {
      country: 'Serbia, Slovenia, Bosnia and Herzegovina, Montenegro, North Macedonia',
      counts: 'date of birth, weights modulus 11, with a word',
      strength: ['checksum'],
      found: { jmbg: '0101006500006' },
      missed: { jmbg: '0101006500007' },
    },
  },
];
