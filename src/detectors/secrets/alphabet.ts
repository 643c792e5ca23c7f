import { unitAt } from '../text/read.ts';
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
