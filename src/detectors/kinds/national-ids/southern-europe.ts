import { isIn, lower, numberAt } from '../../checks/letters.ts';
import { CHECKSUM } from '../../hits.ts';
import { entry } from '../../text/read.ts';
import type { Kind } from '../kind.ts';

const NIF_LETTERS = 'trwagmyfpdxbnjzsqvhlcke';

/** Spain: the number modulus 23 picks the letter; X, Y and Z stand for 0, 1 and 2. */
const nif =
  (n: number) =>
  (b: Uint8Array, o: number): boolean =>
    lower(b, o + n) === NIF_LETTERS.charCodeAt(numberAt(b, o, n) % 23);
const nie = (b: Uint8Array, o: number): boolean =>
  isIn('xyz', b, o) &&
  lower(b, o + 8) === NIF_LETTERS.charCodeAt(((lower(b, o) - 120) * 1e7 + numberAt(b, o + 1, 7)) % 23);

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Agenzia delle Entrate: month letter, day, and the check character of all fifteen before it. */
export function isFiscalCode(b: Uint8Array, o: number): boolean {
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const c = lower(b, o + i);
    const value = c < 58 ? c - 48 : c - 97;
    if (value < 0 || value > 25) return false;
    sum += i % 2 === 0 ? entry(ODD, value) : value;
  }
  return isIn('abcdehlmprst', b, o + 8) && lower(b, o + 15) === 97 + (sum % 26);
}

export const southernEurope: readonly Kind[] = [
  {
    tag: 'ES_NIF',
    categories: ['PII'],
    words: 'nif dni documento_nacional identificacion identificacion_fiscal',
    identity: true,
    letters: [
      { pattern: '99999999A', rank: CHECKSUM, alone: 'strict', check: nif(8) },
      { pattern: '9999999A', rank: CHECKSUM, alone: 'strict', check: nif(7) },
      { pattern: '99999999-A', rank: CHECKSUM, alone: 'strict', check: nif(8) },
      { pattern: '9999999-A', rank: CHECKSUM, alone: 'strict', check: nif(7) },
    ],
    docs: {
      country: 'Spain',
      counts: 'letter by modulus 23, with a word',
      strength: ['checksum'],
      found: { dni: '12345678Z' },
      missed: { dni: '12345678A' },
    },
  },
  {
    tag: 'ES_NIE',
    categories: ['PII'],
    words: 'nie extranjero identificacion_extranjero numero_identificacion',
    letters: [
      { pattern: 'A9999999A', rank: CHECKSUM, alone: 'always', check: nie },
      { pattern: 'A9999999-A', rank: CHECKSUM, alone: 'always', check: nie },
      { pattern: 'A-9999999-A', rank: CHECKSUM, alone: 'always', check: nie },
      { pattern: 'A-9999999A', rank: CHECKSUM, alone: 'always', check: nie },
    ],
    docs: {
      country: 'Spain',
      counts: 'X, Y or Z and the letter by modulus 23',
      strength: ['checksum'],
      found: 'X9613851N',
      missed: 'X9613851Q',
    },
  },
  {
    tag: 'IT_FISCAL_CODE',
    categories: ['PII'],
    words: 'codice_fiscale codicefiscale fiscal_code fiscalcode cf',
    letters: [{ pattern: 'AAAAAA99A99A999A', rank: CHECKSUM, alone: 'always', check: isFiscalCode }],
    docs: {
      country: 'Italy',
      counts: 'structure and check character',
      strength: ['checksum'],
      found: 'RSSMRA85T10A562S',
      missed: 'RSSMRA85T10A562T',
    },
  },
];
