import { type DigitCheck, isDate, isRepeated, luhn, number, weighted } from '../../checks/digits.ts';
import { base36, digit } from '../../checks/letters.ts';
import { CHECKSUM } from '../../hits.ts';
import type { Kind } from '../kind.ts';

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
    categories: ['PII'],
    words:
      'nif contribuinte numero_contribuinte identificacao_fiscal numero_fiscal nif_pt portuguese portugal nipc',
    digits: [{ check: ptNif, strict: '9|3~3~3' }],
    docs: {
      country: 'Portugal',
      counts: 'kind of taxpayer, weights modulus 11, with a word',
      strength: ['checksum'],
      found: { contribuinte: '245716866' },
      missed: { contribuinte: '245716865' },
    },
  },
  {
    tag: 'PT_CITIZEN_CARD',
    categories: ['PII'],
    words: 'cartao_cidadao cartao_de cidadao cc citizen_card numero_documento portuguese bilhete_identidade',
    identity: true,
    letters: [
      { pattern: '99999999 9 XX9', rank: CHECKSUM, alone: 'strict', check: ptCitizenCard },
      { pattern: '999999999XX9', rank: CHECKSUM, alone: 'strict', check: ptCitizenCard },
      { pattern: '99999999-9-XX9', rank: CHECKSUM, alone: 'strict', check: ptCitizenCard },
      { pattern: '999999999 XX9', rank: CHECKSUM, alone: 'strict', check: ptCitizenCard },
    ],
    docs: {
      country: 'Portugal',
      counts: 'Luhn over digits and letters, with a word',
      strength: ['checksum'],
      found: 'cartão de cidadão 00000000 0 ZZ4',
      missed: 'cartão de cidadão 00000000 0 ZZ5',
    },
  },
  {
    tag: 'GR_AMKA',
    categories: ['PII'],
    words: 'amka αμκα greek greece ελλαδα social_security',
    identity: true,
    digits: [{ check: grAmka, strict: '11' }],
    docs: {
      country: 'Greece',
      counts: 'date of birth, Luhn, with a word',
      strength: ['checksum'],
      found: { amka: '01013099997' },
      missed: { amka: '01013099998' },
    },
  },
  {
    tag: 'GR_AFM',
    categories: ['PII'],
    words: 'afm αφμ greek greece tin tax_number vat',
    digits: [{ check: grAfm, strict: '9' }],
    docs: {
      country: 'Greece',
      counts: 'powers of two modulus 11, with a word',
      strength: ['checksum'],
      found: { afm: '094259216' },
      missed: { afm: '094259217' },
    },
  },
];
