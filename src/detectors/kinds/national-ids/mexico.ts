import { isDate } from '../../checks/digits.ts';
import { base36, isIn, lower, numberAt } from '../../checks/letters.ts';
import { CHECKSUM } from '../../hits.ts';
import type { Kind } from '../kind.ts';

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
    categories: ['PII'],
    words: 'curp clave_unica clave_curp registro_poblacion',
    letters: [{ pattern: 'AAAA999999AAAAAAX9', rank: CHECKSUM, alone: 'always', check: curp }],
    docs: {
      country: 'Mexico',
      counts: 'date of birth, sex, weights modulus 10',
      strength: ['checksum'],
      found: 'HEGG560427MVZRRL04',
      missed: 'HEGG560427MVZRRL05',
    },
  },
  {
    tag: 'MX_RFC',
    categories: ['PII'],
    words: 'rfc registro_federal federal_contribuyentes rfc_receptor rfc_emisor',
    letters: [
      { pattern: 'AAAA999999XXX', rank: CHECKSUM, alone: 'upper', check: personalRfc },
      { pattern: 'AAAA-999999-XXX', rank: CHECKSUM, alone: 'upper', check: personalRfc },
      { pattern: 'AAAA 999999 XXX', rank: CHECKSUM, alone: 'upper', check: personalRfc },
      { pattern: 'AAA999999XXX', rank: CHECKSUM, alone: 'strict', check: companyRfc },
      { pattern: 'AAA-999999-XXX', rank: CHECKSUM, alone: 'strict', check: companyRfc },
      { pattern: 'AAA 999999 XXX', rank: CHECKSUM, alone: 'strict', check: companyRfc },
    ],
    docs: {
      country: 'Mexico',
      counts: 'date, weights modulus 11; of a company with a word',
      strength: ['checksum'],
      found: 'GODE561231GR8',
      missed: 'GODE561231GR9',
    },
  },
];
