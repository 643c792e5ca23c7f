import {
  type DigitCheck,
  isDate,
  isIn,
  lower,
  luhn,
  number,
  numberAt,
  weighted,
} from '../../checks/check-digits.ts';
import type { Kind } from '../kind.ts';
import { FORMATTED } from '../kind.ts';

const HETU_CHARACTERS = '0123456789abcdefhjklmnprstuvwxy';

/** Digital and Population Data Services Agency: the birth date, its century, a serial from 2, 31 check characters. */
const isHetu = (b: Uint8Array, o: number, serial: number, century: number): boolean =>
  isDate(century + numberAt(b, o + 4, 2), numberAt(b, o + 2, 2), numberAt(b, o, 2)) &&
  numberAt(b, serial, 3) >= 2 &&
  lower(b, serial + 3) ===
    HETU_CHARACTERS.charCodeAt((numberAt(b, o, 6) * 1000 + numberAt(b, serial, 3)) % 31);

const hetu = (b: Uint8Array, o: number): boolean =>
  isIn('abcdefuvwxy', b, o + 6) && isHetu(b, o, o + 7, isIn('abcdef', b, o + 6) ? 2000 : 1900);
const hetuOf =
  (century: number) =>
  (b: Uint8Array, o: number): boolean =>
    isHetu(b, o, o + 6, century);

/** Skatteverket: date of birth (day plus 60 for a coordination number), Luhn over the last ten digits. */
const sePersonnummer: DigitCheck = (d, o, n) => {
  const year = n === 12 ? number(d, o, 4) : 2000 + number(d, o, 2);
  const at = o + n - 10;
  if (n === 12 && (year < 1840 || year > 2099)) return false;
  return isDate(year, number(d, at + 2, 2), number(d, at + 4, 2) % 60) && luhn(d, at, 10);
};

export const northernEurope: readonly Kind[] = [
  {
    tag: 'FI_PERSONAL_IDENTITY_CODE',
    words: 'hetu henkilotunnus personal_identity personbeteckning finnish',
    letters: [
      { check: hetu, always: '999999A999X' },
      { check: hetuOf(1900), always: '999999-999X' },
      { check: hetuOf(1800), always: '999999+999X' },
    ],
  },
  {
    tag: 'SE_PERSONNUMMER',
    words: 'personnummer pnr personal_identity swedish samordningsnummer personnr',
    identity: true,
    digits: [{ check: sePersonnummer, always: '8-4|6-4', strict: '12|10|8~4|6~4' }],
  },
];

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
    words: 'cpr cpr_nummer cprnr cprnummer personnummer danish denmark dansk danmark cpr_number',
    identity: true,
    digits: [{ check: dkCpr, named: '6-4|6 4|10', rank: FORMATTED }],
  },
  {
    tag: 'NO_FODSELSNUMMER',
    words:
      'fodselsnummer fodselsnr fnr personnummer norwegian norway norsk norge d_nummer dnummer birth_number',
    identity: true,
    digits: [{ check: noBirthNumber, strict: '11|6~5' }],
  },
];

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
    words: 'isikukood isikukoodi isikukoodiga ik estonian estonia eesti personal_code',
    identity: true,
    digits: [{ check: balticCode, strict: '11' }],
  },
  {
    tag: 'LT_ASMENS_KODAS',
    words: 'asmens_kodas asmenskodas asmens lithuanian lithuania lietuva lietuvos personal_code',
    identity: true,
    digits: [{ check: balticCode, strict: '11' }],
  },
  {
    tag: 'LV_PERSONAS_KODS',
    words: 'personas_kods personaskods personas_koda personas latvian latvia latvijas personal_code',
    identity: true,
    digits: [
      { check: latvianCode, always: '6-5', strict: '11' },
      { check: newLatvianCode, named: '6-5|11', rank: FORMATTED },
    ],
  },
];
