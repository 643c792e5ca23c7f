import { CHECKSUM, FORMATTED } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { ALNUM, ALPHA, CLASS, DIGIT, LOWERED, WORD } from '../text/bytes.ts';
import { hetu, isNinoPrefix, mbi } from './shapes.ts';

const HETU = tagId('FI_PERSONAL_IDENTITY_CODE');
const MBI = tagId('US_MBI');
const NIE = tagId('ES_NIE');
const NIF = tagId('ES_NIF');
const NINO = tagId('UK_NINO');
const NIF_LETTERS = 'trwagmyfpdxbnjzsqvhlcke';
const packed = new Uint8Array(16);

const is = (b: Uint8Array, i: number, bits: number): boolean =>
  ((CLASS[b[i] as number] as number) & bits) !== 0;

/** 131052-308T, whose date ends at `at`; answers the end, or 0. */
export function dashedHetu(pass: Pass, from: number, at: number): number {
  const b = pass.text.bytes;
  if (at - from !== 6 || !(b[at] === 45 || b[at] === 43) || is(b, from - 1, WORD)) return 0;
  if (!is(b, at + 1, DIGIT) || !is(b, at + 2, DIGIT) || !is(b, at + 3, DIGIT) || !is(b, at + 4, ALNUM))
    return 0;
  if (is(b, at + 5, WORD) || !hetu(b, from)) return 0;
  pass.found(HETU, CHECKSUM, from, at + 5);
  return at + 5;
}

/** 1EG4-TE5-MK73, whose first part is the word from `from` to `to`; answers the end, or 0. */
export function dashedMbi(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  const separator = b[to] as number;
  if (to - from !== 4 || !is(b, from, DIGIT) || !(separator === 45 || separator === 32)) return 0;
  let n = 0;
  let i = from;
  for (; n < 11; i++) {
    if ((n === 4 || n === 7) && i !== from + n + (n === 7 ? 2 : 1)) {
      if (b[i] !== separator) return 0;
      continue;
    }
    if (!is(b, i, ALNUM)) return 0;
    packed[n++] = b[i] as number;
  }
  if (is(b, i, WORD) || !mbi(packed, 0)) return 0;
  pass.found(MBI, FORMATTED, from, i);
  return i;
}

/** 12345678-Z and X1234567-L: the letter after a dash. Answers the end, or 0. */
export function dashedNif(pass: Pass, from: number, to: number): number {
  const b = pass.text.bytes;
  if (b[to] !== 45 || !is(b, to + 1, ALPHA) || is(b, to + 2, WORD)) return 0;
  const first = LOWERED[b[from] as number] as number;
  const isForeigner = first >= 120 && first <= 122;
  const size = to - from;
  if (isForeigner ? size !== 8 : size !== 8 && size !== 7) return 0;
  let value = isForeigner ? first - 120 : 0;
  for (let i = from + (isForeigner ? 1 : 0); i < to; i++) {
    if (!is(b, i, DIGIT)) return 0;
    value = value * 10 + (b[i] as number) - 48;
  }
  if (NIF_LETTERS.charCodeAt(value % 23) !== LOWERED[b[to + 1] as number]) return 0;
  const tag = isForeigner ? NIE : NIF;
  if (!isForeigner && !pass.strict && !pass.around(tag, from, to + 2)) return 0;
  pass.found(tag, CHECKSUM, from, to + 2);
  return to + 2;
}

/** AB 12 34 56 C, AB 123456 C and AB 123456C, whose first digit is at `at`; answers the end, or 0. */
export function spacedNino(pass: Pass, at: number): number {
  const b = pass.text.bytes;
  if (b[at - 1] !== 32 || !is(b, at - 2, ALPHA) || !is(b, at - 3, ALPHA) || is(b, at - 4, WORD)) return 0;
  if (!isNinoPrefix(b, at - 3)) return 0;
  let i = at;
  let nonZero = 0;
  for (let pair = 0; pair < 3; pair++, i += 2) {
    while (pair > 0 && b[i] === 32) i++;
    if (!is(b, i, DIGIT) || !is(b, i + 1, DIGIT)) return 0;
    nonZero |= (b[i] as number) | (b[i + 1] as number);
  }
  if (b[i] === 32) i++;
  const suffix = (LOWERED[b[i] as number] as number) - 97;
  if (suffix < 0 || suffix > 3 || is(b, i + 1, WORD) || nonZero === 48) return 0;
  pass.found(NINO, FORMATTED, at - 3, i + 1);
  return i + 1;
}
