import {
  type DigitCheck,
  isDate,
  isDayOfMonth,
  mod11x10,
  number,
  weighted,
} from '../../checks/check-digits.ts';
import type { Kind } from '../kind.ts';

/** PESEL: the month carries the century in steps of 20. */
const plPesel: DigitCheck = (d, o) =>
  isDayOfMonth(number(d, o + 2, 2) % 20, number(d, o + 4, 2)) &&
  weighted(d, o, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;

export const easternEurope: readonly Kind[] = [
  { tag: 'PL_PESEL', words: 'pesel', identity: true, digits: [{ check: plPesel, strict: '11' }] },
];

/** Czechia and Slovakia: date of birth (months of women plus 50, of some plus 20); ten digits are divisible by 11. */
const birthNumber: DigitCheck = (d, o, n) => {
  const month = (number(d, o + 2, 2) % 50) % 20;
  if (!isDayOfMonth(month, number(d, o + 4, 2))) return false;
  if (n === 9) return number(d, o, 2) < 54 && number(d, o + 6, 3) !== 0;
  const body = number(d, o, 9);
  return number(d, o, 10) % 11 === 0 || (body % 11 === 10 && d[o + 9] === 0);
};

/** Hungary: sex and century, date of birth, weights modulus 11, whose order was turned in 1997. */
const huPersonalId: DigitCheck = (d, o) => {
  if (d[o] === 0 || d[o] === 9 || !isDate(2000, number(d, o + 3, 2), number(d, o + 5, 2))) return false;
  const old = weighted(d, o, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) % 11;
  const since = weighted(d, o, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11;
  return old === d[o + 10] || since === d[o + 10];
};

/** Hungary, social security: weights 3 and 7 modulus 10. */
const huTaj: DigitCheck = (d, o) =>
  weighted(d, o, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === d[o + 8] && number(d, o, 9) !== 0;

/** Hungary, tax: 8 first, places as weights modulus 11. */
const huTaxId: DigitCheck = (d, o) =>
  d[o] === 8 && weighted(d, o, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11 === d[o + 9];

/** Poland, tax: weights modulus 11. */
const plNip: DigitCheck = (d, o) =>
  number(d, o, 3) >= 100 && weighted(d, o, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === d[o + 9];

export const centralEurope: readonly Kind[] = [
  {
    tag: 'CZ_SK_BIRTH_NUMBER',
    words:
      'rodne_cislo rodnecislo rodneho_cisla r_c rc birth_number czech czechia slovak slovakia ceske slovenske',
    identity: true,
    digits: [{ check: birthNumber, always: '6/4', strict: '6/3|10|9|6~4|6~3' }],
  },
  {
    tag: 'HU_PERSONAL_ID',
    words: 'szemelyi_azonosito szemelyi_szam szemelyi hungarian hungary magyar',
    identity: true,
    digits: [{ check: huPersonalId, strict: '11|1-6-4' }],
  },
  {
    tag: 'HU_TAJ',
    words: 'taj taj_szam tajszam tarsadalombiztositasi hungarian hungary',
    digits: [{ check: huTaj, strict: '9|3~3~3' }],
  },
  {
    tag: 'HU_TAX_ID',
    words: 'adoazonosito adoazonosito_jel adojel hungarian tax_id',
    digits: [{ check: huTaxId, strict: '10' }],
  },
  {
    tag: 'PL_NIP',
    words: 'nip numer_nip nip_number identyfikacji_podatkowej polish',
    digits: [{ check: plNip, strict: '10|3-3-2-2|3-2-2-3|3~3~2~2' }],
  },
];

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
    words: 'cnp cod_numeric numeric_personal romanian romania',
    identity: true,
    digits: [{ check: roCnp, strict: '13' }],
  },
  {
    tag: 'BG_EGN',
    words: 'egn егн bulgarian bulgaria единен_граждански гражданскы_номер граждански_номер',
    identity: true,
    digits: [{ check: bgEgn, strict: '10' }],
  },
  {
    tag: 'HR_OIB',
    words: 'oib osobni_identifikacijski croatian croatia hrvatska',
    identity: true,
    digits: [{ check: hrOib, strict: '11' }],
  },
  {
    tag: 'JMBG',
    words: 'jmbg emso embg maticni_broj jedinstveni_maticni serbian slovenian bosnian',
    identity: true,
    digits: [{ check: jmbg, strict: '13' }],
  },
];
