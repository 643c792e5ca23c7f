import {
  base36,
  type DigitCheck,
  digit,
  isDate,
  isIn,
  isRepeated,
  letter,
  lower,
  luhn,
  number,
  numberAt,
  weighted,
  weightedAt,
} from '../../checks/check-digits.ts';
import * as Char from '../../text/chars.ts';
import type { Kind } from '../kind.ts';
import { BARE } from '../kind.ts';

/** Social Security Administration: area not 000, 666 or 9xx, group not 00, serial not 0000; two numbers voided. */
const usSsn: DigitCheck = (d, o) => {
  const area = number(d, o, 3);
  const rest = number(d, o, 9);
  return (
    area !== 0 &&
    area !== 666 &&
    area < 900 &&
    number(d, o + 3, 2) !== 0 &&
    number(d, o + 5, 4) !== 0 &&
    rest !== 78051120 &&
    rest !== 219099999 &&
    !isRepeated(d, o, 9)
  );
};

/** IRS: 9xx with the group 50 to 65, 70 to 88, 90 to 92 or 94 to 99. */
const usItin: DigitCheck = (d, o) => {
  const group = number(d, o + 3, 2);
  return (
    d[o] === 9 &&
    number(d, o + 5, 4) !== 0 &&
    ((group >= 50 && group <= 65) ||
      (group >= 70 && group <= 88) ||
      (group >= 90 && group <= 92) ||
      group >= 94)
  );
};

/** Canada: Luhn; no number begins with 0 or 8. */
const caSin: DigitCheck = (d, o, n) => d[o] !== 0 && d[o] !== 8 && luhn(d, o, n) && !isRepeated(d, o, n);

/** IRS: the prefixes of the campuses; these are not assigned. */
const NO_CAMPUS = new Set([0, 7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96, 97]);
const usEin: DigitCheck = (d, o) => !NO_CAMPUS.has(number(d, o, 2));

export const northAmerica: readonly Kind[] = [
  {
    tag: 'US_SSN',
    words:
      'ssn ssns socialsecurity social_security socialsecuritynumber ss_number ssnumber taxpayer_id ' +
      'ssid_number my_social your_social his_social her_social their_social social_is social_number social_no social_sec soc_sec',
    digits: [{ check: usSsn, always: '3~2~4|3/2/4', named: '9|3-6|5-4|3~6|5~4', rank: BARE }],
  },
  {
    tag: 'US_ITIN',
    words: 'itin individual_taxpayer taxpayer_id tax_id taxid taxpayer',
    digits: [{ check: usItin, always: '3~2~4', named: '9|3-6|5-4', rank: BARE }],
  },
  {
    tag: 'CA_SIN',
    words: 'sin nas social_insurance socialinsurance assurance_sociale sin_number canadian',
    digits: [{ check: caSin, strict: '9|3~3~3' }],
  },
  {
    tag: 'US_EIN',
    words:
      'ein fein employer_identification federal_tax tax_ein employer_id einnumber ein_number federal_ein',
    digits: [{ check: usEin, named: '2-7|9', rank: BARE }],
  },
];

const isBorn = (b: Uint8Array, o: number): boolean =>
  isDate(2000 + numberAt(b, o, 2), numberAt(b, o + 2, 2), numberAt(b, o + 4, 2));

/** RENAPO: place of each character in the alphabet with N and Ñ, times 18 to 2, modulus 10. */
function curp(b: Uint8Array, o: number): boolean {
  if (!isBorn(b, o + 4) || !isIn('hmx', b, o + 10)) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) {
    const value = base36(b, o + i);
    sum += (value > 23 ? value + 1 : value) * (18 - i);
  }
  return (10 - (sum % 10)) % 10 === numberAt(b, o + 17, 1);
}

/** SAT: the order of characters for the check, in which & stands after N; a company has a space first. */
const RFC_ORDER = '0123456789abcdefghijklmn&opqrstuvwxyz ';

function rfc(b: Uint8Array, o: number, isPerson: boolean): boolean {
  const length = isPerson ? 13 : 12;
  if (!isBorn(b, o + (isPerson ? 4 : 3))) return false;
  let sum = isPerson ? 0 : 37 * 13;
  for (let i = 0; i < length - 1; i++)
    sum += RFC_ORDER.indexOf(String.fromCharCode(lower(b, o + i))) * (length - i);
  const rest = sum % 11;
  const check = rest === 0 ? '0' : rest === 1 ? 'a' : String(11 - rest);
  return lower(b, o + length - 1) === check.charCodeAt(0);
}
const personalRfc = (b: Uint8Array, o: number): boolean => rfc(b, o, true);
const companyRfc = (b: Uint8Array, o: number): boolean => rfc(b, o, false);

export const mexico: readonly Kind[] = [
  {
    tag: 'MX_CURP',
    words: 'curp clave_unica clave_curp registro_poblacion',
    letters: [{ check: curp, always: 'AAAA999999AAAAAAX9' }],
  },
  {
    tag: 'MX_RFC',
    words: 'rfc registro_federal federal_contribuyentes rfc_receptor rfc_emisor',
    letters: [
      { check: personalRfc, upper: 'AAAA999999XXX|AAAA-999999-XXX|AAAA 999999 XXX' },
      { check: companyRfc, strict: 'AAA999999XXX|AAA-999999-XXX|AAA 999999 XXX' },
    ],
  },
];

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
  lower(b, i) < Char.LOWER_A ? digit(b, i) : letter(b, i) + 17;

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
  return lower(b, o + n) === Char.LOWER_K && rutCheck(weightedAt(b, o, RUT_WEIGHTS.slice(8 - n))) === 10;
}

/** DIAN: weights of prime numbers modulus 11. */
const coNit: DigitCheck = (d, o) => {
  const rest = weighted(d, o, [41, 37, 29, 23, 19, 17, 13, 7, 3]) % 11;
  return !isRepeated(d, o, 9) && (rest < 2 ? rest : 11 - rest) === d[o + 9];
};

export const southAmerica: readonly Kind[] = [
  {
    tag: 'BR_CPF',
    words: 'cpf cadastro_de cadastro',
    identity: true,
    digits: [{ check: brCpf, always: '3.3.3-2', strict: '11|3~3~3~2|9-2' }],
  },
  {
    tag: 'BR_CNPJ',
    words: 'cnpj cadastro_nacional cnpj_mf empresa',
    digits: [{ check: brCnpj, always: '2.3.3/4-2', strict: '14|8/4-2' }],
    letters: [{ check: newCnpj, always: 'XX.XXX.XXX/XXXX-99' }],
  },
  {
    tag: 'AR_CUIT',
    words: 'cuit cuil cuit_cuil clave_unica afip',
    digits: [{ check: arCuit, always: '2-8-1', strict: '11|2~8~1' }],
  },
  {
    tag: 'AR_DNI',
    words: 'dni documento_nacional documento numero_documento nro_documento',
    digits: [{ named: '2.3.3|1.3.3|8|7', rank: BARE }],
  },
  {
    tag: 'CL_RUT',
    words: 'rut rol_unico run_numero rut_numero chilean chile rol_nacional',
    digits: [{ check: clRut, always: '2.3.3-1|1.3.3-1', strict: '8-1|7-1|9' }],
    letters: [
      { check: clRutWithK, always: '99.999.999-A|9.999.999-A', strict: '99999999-A|9999999-A|99999999A' },
    ],
  },
  {
    tag: 'CO_NIT',
    words: 'nit nit_numero numero_nit identificacion_tributaria colombia',
    digits: [{ check: coNit, always: '3.3.3-1', strict: '9-1|10' }],
  },
  {
    tag: 'CO_CEDULA',
    words: 'cedula cedula_ciudadania cedula_de numero_cedula',
    digits: [{ named: '6|7|8|10|2.3.3|1.3.3.3|3.3', rank: BARE }],
  },
];
