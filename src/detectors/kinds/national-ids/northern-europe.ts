import { type DigitCheck, isDate, luhn, number } from '../../checks/digits.ts';
import { isIn, lower, numberAt } from '../../checks/letters.ts';
import { CHECKSUM } from '../../hits.ts';
import type { Kind } from '../kind.ts';

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
    categories: ['PII'],
    words: 'hetu henkilotunnus personal_identity personbeteckning finnish',
    letters: [
      { pattern: '999999A999X', rank: CHECKSUM, alone: 'always', check: hetu },
      { pattern: '999999-999X', rank: CHECKSUM, alone: 'always', check: hetuOf(1900) },
      { pattern: '999999+999X', rank: CHECKSUM, alone: 'always', check: hetuOf(1800) },
    ],
    docs: {
      country: 'Finland',
      counts: 'date of birth, century sign, 31 check characters',
      strength: ['checksum'],
      found: '131052-308T',
      missed: '131052-308U',
    },
  },
  {
    tag: 'SE_PERSONNUMMER',
    categories: ['PII'],
    words: 'personnummer pnr personal_identity swedish samordningsnummer personnr',
    identity: true,
    digits: [{ check: sePersonnummer, always: '8-4|6-4', strict: '12|10|8~4|6~4' }],
    docs: {
      country: 'Sweden',
      counts: 'date of birth, Luhn; without a dash with a word',
      strength: ['checksum'],
      found: '871220-2384',
      missed: '871220-2385',
    },
  },
];
