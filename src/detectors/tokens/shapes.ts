import { isDate } from '../checks/digits.ts';
import { CHECKSUM, FORMATTED, type Rank } from '../hits.ts';
import { tagId } from '../taxonomy.ts';
import { LOWERED } from '../text/bytes.ts';

/** An identifier of letters and digits: where the digits stand, and what else must hold. */
export interface Shape {
  tag: number;
  rank: Rank;
  /** Whether it stands without a word near it: always, in upper case only, or in strict mode only. */
  alone: 'always' | 'upper' | 'strict';
  /** `b` from `o` has the letters and digits of the shape; letters in any case. */
  check: (b: Uint8Array, o: number) => boolean;
}

const digit = (b: Uint8Array, i: number): number => (b[i] as number) - 48;
const lower = (b: Uint8Array, i: number): number => LOWERED[b[i] as number] as number;
const isIn = (letters: string, b: Uint8Array, i: number): boolean =>
  letters.includes(String.fromCharCode(lower(b, i)));

function number(b: Uint8Array, o: number, n: number): number {
  let value = 0;
  for (let i = 0; i < n; i++) value = value * 10 + digit(b, o + i);
  return value;
}

const NIF_LETTERS = 'trwagmyfpdxbnjzsqvhlcke';

/** Spain: the number modulus 23 picks the letter; X, Y and Z stand for 0, 1 and 2. */
const nif =
  (n: number) =>
  (b: Uint8Array, o: number): boolean =>
    lower(b, o + n) === NIF_LETTERS.charCodeAt(number(b, o, n) % 23);
const nie = (b: Uint8Array, o: number): boolean =>
  isIn('xyz', b, o) &&
  lower(b, o + 8) === NIF_LETTERS.charCodeAt(((lower(b, o) - 120) * 1e7 + number(b, o + 1, 7)) % 23);

/** Singapore: weights 2 7 6 5 4 3 2, an offset by the first letter, a row of check letters for each series. */
function nric(b: Uint8Array, o: number): boolean {
  if (!isIn('stfgm', b, o)) return false;
  const first = String.fromCharCode(lower(b, o));
  let sum = first === 't' || first === 'g' ? 4 : first === 'm' ? 3 : 0;
  for (let i = 0; i < 7; i++) sum += digit(b, o + 1 + i) * (([2, 7, 6, 5, 4, 3, 2] as const)[i] as number);
  const rest = sum % 11;
  if (first === 'm') return 'kljnpqrtuwx'.charCodeAt(10 - rest) === lower(b, o + 8);
  return (
    (first === 's' || first === 't' ? 'jzihgfedcba' : 'xwutrqpnmlk').charCodeAt(rest) === lower(b, o + 8)
  );
}

/** HMRC: the pairs of letters that begin no number, because a letter is not used or the pair is not given. */
const NOT_NINO = new Uint8Array(1024);
for (let first = 1; first <= 26; first++) {
  for (let second = 1; second <= 26; second++) {
    const two = String.fromCharCode(96 + first, 96 + second);
    const isUnused = /[dfiquv]/.test(two) || two.endsWith('o') || /bg|gb|kn|nk|nt|tn|zz/.test(two);
    if (isUnused) NOT_NINO[(first << 5) | second] = 1;
  }
}

/** Whether the two letters at `o` may begin a national insurance number. */
export function isNinoPrefix(b: Uint8Array, o: number): boolean {
  return NOT_NINO[(((b[o] as number) & 31) << 5) | ((b[o + 1] as number) & 31)] === 0;
}

const nino = (b: Uint8Array, o: number): boolean =>
  isNinoPrefix(b, o) && isIn('abcd', b, o + 8) && number(b, o + 2, 6) !== 0;

/** Income Tax Department: the fourth letter is the kind of holder. */
const pan = (b: Uint8Array, o: number): boolean => isIn('abcfghljpt', b, o + 3) && number(b, o + 5, 4) !== 0;

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Agenzia delle Entrate: month letter, day, and the check character of all fifteen before it. */
export function fiscalCode(b: Uint8Array, o: number): boolean {
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const c = lower(b, o + i);
    const value = c < 58 ? c - 48 : c - 97;
    if (value < 0 || value > 25) return false;
    sum += i % 2 === 0 ? (ODD[value] as number) : value;
  }
  return isIn('abcdehlmprst', b, o + 8) && lower(b, o + 15) === 97 + (sum % 26);
}

const MBI_LETTERS = 'acdefghjkmnpqrtuvwxy';

/** CMS: eleven places, letters without S, L, O, I, B and Z; no check digit. */
export function mbi(b: Uint8Array, o: number): boolean {
  for (const i of [1, 4, 7, 8]) if (!isIn(MBI_LETTERS, b, o + i)) return false;
  for (const i of [2, 5]) if (!isIn(`${MBI_LETTERS}0123456789`, b, o + i)) return false;
  for (const i of [0, 3, 6, 9, 10]) if (digit(b, o + i) < 0 || digit(b, o + i) > 9) return false;
  return b[o] !== 48;
}

/** DEA: first, third and fifth digit, and twice the others, give the last one; letters of the registrant kinds. */
function dea(b: Uint8Array, o: number): boolean {
  const at = o + 2;
  const sum =
    digit(b, at) +
    digit(b, at + 2) +
    digit(b, at + 4) +
    2 * (digit(b, at + 1) + digit(b, at + 3) + digit(b, at + 5));
  return isIn('abcdefghjklmprstux', b, o) && sum % 10 === digit(b, at + 6);
}

/** Digital and Population Data Services Agency: the birth date, its century, 31 check characters. */
export function hetu(b: Uint8Array, o: number): boolean {
  const year = isIn('abcdef', b, o + 6) ? 2000 : b[o + 6] === 43 ? 1800 : 1900;
  if (!isIn('-+abcdefuvwxy', b, o + 6)) return false;
  if (!isDate(year + number(b, o + 4, 2), number(b, o + 2, 2), number(b, o, 2))) return false;
  const check = '0123456789abcdefhjklmnprstuvwxy'.charCodeAt(
    (number(b, o, 6) * 1000 + number(b, o + 7, 3)) % 31,
  );
  return number(b, o + 7, 3) >= 2 && lower(b, o + 10) === check;
}

/** INSEE, Corsica: 2A counts as 19 and 2B as 18. */
function corsican(b: Uint8Array, o: number): boolean {
  if (b[o + 5] !== 50 || !isIn('ab', b, o + 6) || !(b[o] === 49 || b[o] === 50)) return false;
  const department = lower(b, o + 6) === 97 ? 19 : 18;
  const body = number(b, o, 5) * 1e8 + department * 1e6 + number(b, o + 7, 6);
  return 97 - (body % 97) === number(b, o + 13, 2);
}

type Row = readonly [tag: string, pattern: string, rank: Rank, alone: Shape['alone'], check: Shape['check']];

/** `9` is a digit, `A` a letter. */
const ROWS: readonly Row[] = [
  ['ES_NIF', '99999999A', CHECKSUM, 'strict', nif(8)],
  ['ES_NIF', '9999999A', CHECKSUM, 'strict', nif(7)],
  ['ES_NIE', 'A9999999A', CHECKSUM, 'always', nie],
  ['SG_NRIC_FIN', 'A9999999A', CHECKSUM, 'always', nric],
  ['UK_NINO', 'AA999999A', FORMATTED, 'upper', nino],
  ['IN_PAN', 'AAAAA9999A', FORMATTED, 'upper', pan],
  ['IT_FISCAL_CODE', 'AAAAAA99A99A999A', CHECKSUM, 'always', fiscalCode],
  ['US_MBI', '9A99A99AA99', FORMATTED, 'always', mbi],
  ['US_MBI', '9AA9A99AA99', FORMATTED, 'always', mbi],
  ['US_MBI', '9A99AA9AA99', FORMATTED, 'always', mbi],
  ['US_MBI', '9AA9AA9AA99', FORMATTED, 'always', mbi],
  ['MEDICAL_LICENSE', 'AA9999999', CHECKSUM, 'strict', dea],
  ['MEDICAL_LICENSE', 'A99999999', CHECKSUM, 'strict', (b, o) => b[o + 1] === 57 && dea(b, o)],
  ['FI_PERSONAL_IDENTITY_CODE', '999999A999A', CHECKSUM, 'always', hetu],
  ['FI_PERSONAL_IDENTITY_CODE', '999999A9999', CHECKSUM, 'always', hetu],
  ['FR_NIR', '999999A99999999', CHECKSUM, 'always', corsican],
];

/** Longest identifier of this table. */
export const MAX_SHAPE = 20;

/** Where the digits stand in a word of up to 20 characters, with its length, as one number. */
export function shapeKey(length: number, digits: number): number {
  return (length << MAX_SHAPE) | digits;
}

/** Lengths that any identifier has, one bit each. */
export let SHAPED = 0;
export const shapes = new Map<number, Shape[]>();
for (const [tag, pattern, rank, alone, check] of ROWS) {
  let digits = 0;
  for (let i = 0; i < pattern.length; i++) if (pattern[i] === '9') digits |= 1 << i;
  SHAPED |= 1 << pattern.length;
  const key = shapeKey(pattern.length, digits);
  shapes.set(key, [...(shapes.get(key) ?? []), { tag: tagId(tag), rank, alone, check }]);
}
