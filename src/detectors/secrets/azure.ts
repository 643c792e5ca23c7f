import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { FULL_STOP, TILDE, UPPER_Q } from '../text/ascii.ts';
import { WORD } from '../text/bytes.ts';
import { byteAt, classAt, unitAt } from '../text/read.ts';
import { ALPHABET, BASE64_URL } from './alphabet.ts';

const AZURE = tagId('AZURE_SECRET');

/**
 * A client secret of Microsoft Entra ID: three characters, a digit and `Q~`, then 31 to 34 more; `q` is where the Q
 * stands. Returns where it ends, or 0.
 */
export function azureSecret(pass: Pass, q: number): number {
  const b = pass.text.bytes;
  if (b[q] !== UPPER_Q || b[q + 1] !== TILDE || byteAt(b, q - 1) < 48 || byteAt(b, q - 1) > 57) return 0;
  const from = q - 4;
  for (let i = from; i < q - 1; i++) if (!isPart(byteAt(b, i))) return 0;
  if (classAt(b, from - 1) & WORD) return 0;
  let to = q + 2;
  while (to - q < 40 && isPart(byteAt(b, to))) to++;
  if (to - q < 33 || to - q > 36) return 0;
  pass.found(AZURE, CHECKSUM, from, to);
  return to;
}

function isPart(c: number): boolean {
  return (unitAt(ALPHABET, c) & BASE64_URL) !== 0 || c === FULL_STOP || c === TILDE;
}
