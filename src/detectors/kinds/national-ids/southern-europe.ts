import {
  base36,
  type DigitCheck,
  digit,
  isDate,
  isIn,
  isRepeated,
  lower,
  luhn,
  number,
  numberAt,
  weighted,
} from '../../checks/check-digits.ts';
import { entry } from '../../text/bytes.ts';
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
    words: 'nif dni documento_nacional identificacion identificacion_fiscal',
    identity: true,
    letters: [
      { check: nif(8), strict: '99999999A|99999999-A' },
      { check: nif(7), strict: '9999999A|9999999-A' },
    ],
  },
  {
    tag: 'ES_NIE',
    words: 'nie extranjero identificacion_extranjero numero_identificacion',
    letters: [{ check: nie, always: 'A9999999A|A9999999-A|A-9999999-A|A-9999999A' }],
  },
  {
    tag: 'IT_FISCAL_CODE',
    words: 'codice_fiscale codicefiscale fiscal_code fiscalcode cf',
    letters: [{ check: isFiscalCode, always: 'AAAAAA99A99A999A' }],
  },
];

/** Portugal: first digit not 0, weights 9 to 2 modulus 11. */
const ptNif: DigitCheck = (d, o) => {
  if (d[o] === 0 || isRepeated(d, o, 9)) return false;
  const rest = weighted(d, o, [9, 8, 7, 6, 5, 4, 3, 2]) % 11;
  return (rest < 2 ? 0 : 11 - rest) === d[o + 8];
};

/** Portugal, citizen card: Luhn over digits and letters (A is 10), the doubled ones counted from the first. */
function ptCitizenCard(b: Uint8Array, o: number): boolean {
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    const value = base36(b, o + i);
    const doubled = 2 * value;
    sum += i % 2 === 1 ? value : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && digit(b, o) <= 9;
}

/** Greece, social security: date of birth, Luhn. */
const grAmka: DigitCheck = (d, o) =>
  isDate(2000 + number(d, o + 4, 2), number(d, o + 2, 2), number(d, o, 2)) && luhn(d, o, 11);

/** Greece, tax number: powers of two modulus 11. */
const grAfm: DigitCheck = (d, o) =>
  !isRepeated(d, o, 9) && (weighted(d, o, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === d[o + 8];

export const iberiaAndGreece: readonly Kind[] = [
  {
    tag: 'PT_NIF',
    words:
      'nif contribuinte numero_contribuinte identificacao_fiscal numero_fiscal nif_pt portuguese portugal nipc',
    digits: [{ check: ptNif, strict: '9|3~3~3' }],
  },
  {
    tag: 'PT_CITIZEN_CARD',
    words: 'cartao_cidadao cartao_de cidadao cc citizen_card numero_documento portuguese bilhete_identidade',
    identity: true,
    letters: [{ check: ptCitizenCard, strict: '99999999 9 XX9|999999999XX9|99999999-9-XX9|999999999 XX9' }],
  },
  {
    tag: 'GR_AMKA',
    words: 'amka αμκα greek greece ελλαδα social_security',
    identity: true,
    digits: [{ check: grAmka, strict: '11' }],
  },
  {
    tag: 'GR_AFM',
    words: 'afm αφμ greek greece tin tax_number vat',
    digits: [{ check: grAfm, strict: '9' }],
  },
];
