import { type DigitCheck, isRepeated, number, weighted } from '../../checks/digits.ts';
import { digit, letter, lower, weightedAt } from '../../checks/letters.ts';
import { BARE, CHECKSUM } from '../../hits.ts';
import { LOWER_A, LOWER_K } from '../../text/ascii.ts';
import type { Kind } from '../kind.ts';

/** Receita Federal: two check digits modulus 11. */
const brCpf: DigitCheck = (d, o) => {
  if (isRepeated(d, o, 11)) return false;
  const first = ((weighted(d, o, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  const second = ((weighted(d, o, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  return first === d[o + 9] && second === d[o + 10];
};

const CNPJ_FIRST = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_SECOND = [6, ...CNPJ_FIRST];
const checkOf11 = (sum: number): number => (sum % 11 < 2 ? 0 : 11 - (sum % 11));

/** Receita Federal: two check digits modulus 11. */
const brCnpj: DigitCheck = (d, o) =>
  !isRepeated(d, o, 14) &&
  checkOf11(weighted(d, o, CNPJ_FIRST)) === d[o + 12] &&
  checkOf11(weighted(d, o, CNPJ_SECOND)) === d[o + 13];

/** The same from July 2026 on: letters count as their code less that of 0. */
function newCnpj(b: Uint8Array, o: number): boolean {
  const sum = (weights: readonly number[]): number =>
    weights.reduce((total, weight, i) => total + weight * upperDigit(b, o + i), 0);
  return checkOf11(sum(CNPJ_FIRST)) === digit(b, o + 12) && checkOf11(sum(CNPJ_SECOND)) === digit(b, o + 13);
}
const upperDigit = (b: Uint8Array, i: number): number =>
  lower(b, i) < LOWER_A ? digit(b, i) : letter(b, i) + 17;

/** AFIP: kind of person, weights modulus 11. */
const arCuit: DigitCheck = (d, o) =>
  AR_KINDS.has(number(d, o, 2)) &&
  (11 - (weighted(d, o, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === d[o + 10];
const AR_KINDS = new Set([20, 23, 24, 25, 26, 27, 30, 33, 34, 50, 51, 55]);

/** Registro Civil: weights 2 to 7 from the right, modulus 11. */
function rutCheck(sum: number): number {
  return (11 - (sum % 11)) % 11;
}
const RUT_WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];
const clRut: DigitCheck = (d, o, n) =>
  !isRepeated(d, o, n) &&
  rutCheck(weighted(d, o, n === 9 ? RUT_WEIGHTS : RUT_WEIGHTS.slice(1))) === d[o + n - 1];
function clRutWithK(b: Uint8Array, o: number): boolean {
  const n = digit(b, o + 7) <= 9 && digit(b, o + 7) >= 0 ? 8 : 7;
  return lower(b, o + n) === LOWER_K && rutCheck(weightedAt(b, o, RUT_WEIGHTS.slice(8 - n))) === 10;
}

/** DIAN: weights of prime numbers modulus 11. */
const coNit: DigitCheck = (d, o) => {
  const rest = weighted(d, o, [41, 37, 29, 23, 19, 17, 13, 7, 3]) % 11;
  return !isRepeated(d, o, 9) && (rest < 2 ? rest : 11 - rest) === d[o + 9];
};

export const southAmerica: readonly Kind[] = [
  {
    tag: 'BR_CPF',
    categories: ['PII'],
    words: 'cpf cadastro_de cadastro',
    identity: true,
    digits: [{ check: brCpf, always: '3.3.3-2', strict: '11|3~3~3~2|9-2' }],
    docs: {
      country: 'Brazil',
      counts: 'two check digits modulus 11; bare with a word',
      strength: ['checksum'],
      found: '529.982.247-25',
      missed: '529.982.247-26',
    },
  },
  {
    tag: 'BR_CNPJ',
    categories: ['PII'],
    words: 'cnpj cadastro_nacional cnpj_mf empresa',
    digits: [{ check: brCnpj, always: '2.3.3/4-2', strict: '14|8/4-2' }],
    letters: [{ pattern: 'XX.XXX.XXX/XXXX-99', rank: CHECKSUM, alone: 'always', check: newCnpj }],
    docs: {
      country: 'Brazil',
      counts: 'two check digits modulus 11, with letters too (from July 2026); bare with a word',
      strength: ['checksum'],
      found: '11.222.333/0001-81',
      missed: '11.222.333/0001-82',
    },
  },
  {
    tag: 'AR_CUIT',
    categories: ['PII'],
    words: 'cuit cuil cuit_cuil clave_unica afip',
    digits: [{ check: arCuit, always: '2-8-1', strict: '11|2~8~1' }],
    docs: {
      country: 'Argentina',
      counts: 'kind of taxpayer, weights modulus 11; bare with a word',
      strength: ['checksum'],
      found: '20-05536168-2',
      missed: '20-05536168-3',
    },
  },
  {
    tag: 'AR_DNI',
    categories: ['PII'],
    words: 'dni documento_nacional documento numero_documento nro_documento argentina argentino',
    digits: [{ named: '2.3.3|1.3.3|8|7', rank: BARE }],
    docs: {
      country: 'Argentina',
      counts: '7 or 8 digits with a word',
      strength: ['bare', 'formatted'],
      found: { dni: '20.123.456' },
      missed: { total: '20.123.456' },
    },
  },
  {
    tag: 'CL_RUT',
    categories: ['PII'],
    words: 'rut rol_unico run_numero rut_numero chilean chile rol_nacional',
    digits: [{ check: clRut, always: '2.3.3-1|1.3.3-1', strict: '8-1|7-1|9' }],
    letters: [
      { pattern: '99.999.999-A', rank: CHECKSUM, alone: 'always', check: clRutWithK },
      { pattern: '9.999.999-A', rank: CHECKSUM, alone: 'always', check: clRutWithK },
      { pattern: '99999999-A', rank: CHECKSUM, alone: 'strict', check: clRutWithK },
      { pattern: '9999999-A', rank: CHECKSUM, alone: 'strict', check: clRutWithK },
      { pattern: '99999999A', rank: CHECKSUM, alone: 'strict', check: clRutWithK },
    ],
    docs: {
      country: 'Chile',
      counts: 'weights modulus 11, K for 10; without dots with a word',
      strength: ['checksum'],
      found: '12.531.909-2',
      missed: '12.531.909-3',
    },
  },
  {
    tag: 'CO_NIT',
    categories: ['PII'],
    words: 'nit nit_numero numero_nit identificacion_tributaria colombia',
    digits: [{ check: coNit, always: '3.3.3-1', strict: '9-1|10' }],
    docs: {
      country: 'Colombia',
      counts: 'weights of primes modulus 11; without dots with a word',
      strength: ['checksum'],
      found: '213.123.432-1',
      missed: '213.123.432-2',
    },
  },
  {
    tag: 'CO_CEDULA',
    categories: ['PII'],
    words: 'cedula cedula_ciudadania cedula_de numero_cedula colombia colombiana',
    digits: [{ named: '6|7|8|10|2.3.3|1.3.3.3|3.3', rank: BARE }],
    docs: {
      country: 'Colombia',
      counts: '6 to 10 digits with a word',
      strength: ['bare', 'formatted'],
      found: { cedula: '1.020.345.678' },
      missed: { total: '1.020.345.678' },
    },
  },
];
