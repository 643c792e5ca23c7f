import { ALNUM, byteAt, classAt, DIGIT, LOWER, SPACE, setOf, UPPER, unitAt } from '../text/bytes.ts';

const counts = new Uint16Array(256);
const MAX_MEASURED = 256;

/** Shannon entropy in bits a byte, of at most the first 256 bytes. */
function entropy(b: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, from + MAX_MEASURED);
  const n = end - from;
  let bits = 0;
  for (let i = from; i < end; i++) counts[byteAt(b, i)] = unitAt(counts, byteAt(b, i)) + 1;
  for (let i = from; i < end; i++) {
    const times = unitAt(counts, byteAt(b, i));
    if (times === 0) continue;
    bits -= (times / n) * Math.log2(times / n);
    counts[byteAt(b, i)] = 0;
  }
  return bits;
}

/** The classes of characters that a run has, as bits. */
export function classes(b: Uint8Array, from: number, to: number): number {
  let bits = 0;
  for (let i = from; i < to; i++) bits |= classAt(b, i);
  return bits;
}

/**
 * Whether a value looks drawn by chance: letters and digits mixed, and as varied as such a text is. Identifiers,
 * words and version numbers are not.
 */
export function looksRandom(b: Uint8Array, from: number, to: number): boolean {
  const n = to - from;
  if (n < 10) return false;
  const kinds = classes(b, from, to);
  if (kinds & SPACE) return false; // a sentence
  // symbol2label: one digit among small letters is a name
  const isOneDigit = n < MIN_ONE_DIGIT && (kinds & UPPER) === 0 && countOf(b, from, to, DIGIT) === 1;
  if (isOneDigit && !isUnspeakable(b, from, to)) return false;
  const bits = entropy(b, from, to);
  const wanted = Math.min(3.1, Math.log2(n) * 0.68);
  if (bits < wanted) return false;
  if (kinds & DIGIT)
    return (kinds & (UPPER | LOWER)) === 0
      ? n >= 24
      : !isWordy(b, from, to, kinds) || isUnspeakable(b, from, to) || hasRandomRun(b, from, to);
  return (kinds & ALNUM) === (UPPER | LOWER) && n >= 16 && isEvenlyCased(b, from, to);
}

/** Characters of a secret that somebody made up. */
const MIN_CHOSEN = 8;
const MAX_CHOSEN = 40;
/** Signs in it, beside those that join words. */
const CHOSEN_SIGNS: readonly number[] = [...'-_.!@#%^&*+~'].map((c) => c.charCodeAt(0));

/** Whether a value is made up as passwords are: a digit inside of a word that signs join to others, a capital among them: w1reless-Badger. */
export function looksChosen(b: Uint8Array, from: number, to: number): boolean {
  if (to - from < MIN_CHOSEN || to - from > MAX_CHOSEN) return false;
  let kinds = 0;
  let signs = 0;
  let inside = 0;
  for (let i = from; i < to; i++) {
    const cls = classAt(b, i) & ALNUM;
    if (cls === 0 && !CHOSEN_SIGNS.includes(byteAt(b, i))) return false;
    kinds |= cls;
    if (cls === 0) signs++;
    const isInside = cls === DIGIT && i > from && classAt(b, i - 1) & LOWER && classAt(b, i + 1) & LOWER;
    if (isInside && i + 1 < to) inside++;
  }
  return kinds === ALNUM && signs > 0 && inside > 0;
}

/**
 * The same for a value whose label names the service that issued it: then it may be an identifier in digits, or a dozen
 * letters of both cases.
 */
export function looksIssued(b: Uint8Array, from: number, to: number): boolean {
  const n = to - from;
  const kinds = classes(b, from, to);
  if (kinds === DIGIT) return n >= MIN_ISSUED_DIGITS && entropy(b, from, to) > MIN_ISSUED_BITS;
  if (kinds === (LOWER | DIGIT)) return n >= MIN_VOWELLESS && hasFewVowels(b, from, to);
  return kinds === (UPPER | LOWER) && n >= MIN_ISSUED && isEvenlyCased(b, from, to);
}

/** Whether vowels are as rare as in a drawn text, one letter in four, and not as in words. */
function hasFewVowels(b: Uint8Array, from: number, to: number): boolean {
  let vowels = 0;
  for (let i = from; i < to; i++) {
    if (!(classAt(b, i) & ALNUM)) return false;
    vowels += byteAt(VOWEL, byteAt(b, i));
  }
  return 4 * vowels <= to - from;
}

const MIN_VOWELLESS = 14;

/** Whether capitals are as frequent as in a drawn text, not one a word as in identifiers. */
function isEvenlyCased(b: Uint8Array, from: number, to: number): boolean {
  const capitals = countOf(b, from, to, UPPER);
  return capitals > (to - from) / 4 && capitals < ((to - from) * 3) / 4 && !isWordy(b, from, to, ALNUM);
}

const MIN_ISSUED_DIGITS = 15;
const MIN_ISSUED = 12;
const MIN_ISSUED_BITS = 2;
/** Consonants in a row that no word and no name in code has. */
const MIN_CONSONANTS = 6;
/** Characters of a part between separators that is looked at alone. */
const MIN_RUN = 20;
const VOWEL = setOf('aeiouyAEIOUY');

/** Whether it has an unpronounceable run of small letters, and at least as many in all as a short token. */
function isUnspeakable(b: Uint8Array, from: number, to: number): boolean {
  if (to - from < MIN_UNSPEAKABLE) return false;
  let run = 0;
  for (let i = from; i < to; i++) {
    run = (classAt(b, i) & LOWER) !== 0 && VOWEL[byteAt(b, i)] === 0 ? run + 1 : 0;
    if (run === MIN_CONSONANTS) return true;
  }
  return false;
}

const MIN_UNSPEAKABLE = 14;

/** Whether any part between separators is random, such as that behind the number of an account. */
function hasRandomRun(b: Uint8Array, from: number, to: number): boolean {
  let start = from;
  for (let i = from; i <= to; i++) {
    if (i < to && classAt(b, i) & ALNUM) continue;
    const kinds = i - start < MIN_RUN ? 0 : classes(b, start, i);
    if ((kinds & DIGIT) !== 0 && (kinds & (UPPER | LOWER)) !== 0 && !isWordy(b, start, i, kinds)) return true;
    start = i + 1;
  }
  return false;
}

/** Length from which on a single digit among small letters may be drawn by chance. */
const MIN_ONE_DIGIT = 20;
/** Changes of class between letters and digits, by length, that names with numbers in them stay below. */
const MIN_CHANGES = 0.18;
const MIN_CHANGES_OF_CASE = 0.34;
/** The same for a text behind the prefix of a token, which needs less evidence. */
const MIN_DRAWN_CHANGES = 0.2;

/** Whether a text has digits, and letters and digits alternate more often than in names. */
export function looksDrawn(b: Uint8Array, from: number, to: number): boolean {
  const kinds = classes(b, from, to);
  return (kinds & DIGIT) !== 0 && changesOfClass(b, from, to) >= MIN_DRAWN_CHANGES;
}

/** Whether letters stand together as words and digits as numbers: session-456, fs.s3.kms.keyId, ProgressTokenSchema$1. */
function isWordy(b: Uint8Array, from: number, to: number, kinds: number): boolean {
  const isMixed = (kinds & ALNUM) === ALNUM;
  return changesOfClass(b, from, to) < (isMixed ? MIN_CHANGES_OF_CASE : MIN_CHANGES);
}

/** How often small letters, capitals and digits follow each other, as a share of the characters. */
function changesOfClass(b: Uint8Array, from: number, to: number): number {
  let last = 0;
  let changes = 0;
  let read = 0;
  for (let i = from; i < to; i++) {
    const cls = classAt(b, i) & ALNUM;
    if (cls === 0) continue;
    if (last !== 0 && cls !== last) changes++;
    last = cls;
    read++;
  }
  return read < 2 ? 1 : changes / (read - 1);
}

function countOf(b: Uint8Array, from: number, to: number, cls: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (classAt(b, i) & cls) count++;
  return count;
}

/** Alphabets of token bodies, as bits of a table by byte. */
export const LOWER_HEX = 1;
export const ANY_HEX = 2;
export const UPPER_DIGIT = 4;
export const ALPHANUMERIC = 8;
export const BASE64_URL = 16;
export const BASE64 = 32;
export const LOWER_DIGIT = 64;
/** base64url and dots between parts. */
export const DOTTED = 128;
export const WORD = 256;
/** base64 and base64url with their padding, and low lines between parts. */
export const PADDED = 512;
/** Letters, digits and dollar signs between parts. */
export const DOLLARED = 1024;

export const ALPHABET = new Uint16Array(256);
for (let c = 0; c < 128; c++) {
  const s = String.fromCharCode(c);
  if (/[0-9a-f]/.test(s)) ALPHABET[c] = LOWER_HEX;
  if (/[0-9a-fA-F]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | ANY_HEX;
  if (/[0-9A-Z]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | UPPER_DIGIT;
  if (/[0-9a-z]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | LOWER_DIGIT;
  if (/[0-9A-Za-z]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | ALPHANUMERIC;
  if (/[0-9A-Za-z_]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | WORD;
  if (/[0-9A-Za-z_-]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | BASE64_URL;
  if (/[0-9A-Za-z_.=-]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | DOTTED;
  if (/[0-9A-Za-z_.=+/-]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | PADDED;
  if (/[0-9A-Za-z$]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | DOLLARED;
  if (/[0-9A-Za-z+/]/.test(s)) ALPHABET[c] = unitAt(ALPHABET, c) | BASE64;
}
