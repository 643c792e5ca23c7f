import { CHECKSUM } from '../hits.ts';
import type { Pass } from '../pass.ts';
import { tagId } from '../taxonomy.ts';
import { FULL_STOP, TILDE, UPPER_Q } from '../text/ascii.ts';
import { CLASS, WORD } from '../text/bytes.ts';
import { ALPHABET, BASE64_URL } from './alphabet.ts';

const AZURE = tagId('AZURE_SECRET');

/**
 * A client secret of Microsoft Entra ID: three characters, a digit and `Q~`, then 31 to 34 more; `q` is where the Q
 * stands. Returns where it ends, or 0.
 */
export function azureSecret(pass: Pass, q: number): number {
  const b = pass.text.bytes;
  if (b[q] !== UPPER_Q || b[q + 1] !== TILDE || (b[q - 1] as number) < 48 || (b[q - 1] as number) > 57)
    return 0;
  const from = q - 4;
  for (let i = from; i < q - 1; i++) if (!isPart(b[i] as number)) return 0;
  if ((CLASS[b[from - 1] as number] as number) & WORD) return 0;
  let to = q + 2;
  while (to - q < 40 && isPart(b[to] as number)) to++;
  if (to - q < 33 || to - q > 36) return 0;
  pass.found(AZURE, CHECKSUM, from, to);
  return to;
}

function isPart(c: number): boolean {
  return ((ALPHABET[c] as number) & BASE64_URL) !== 0 || c === FULL_STOP || c === TILDE;
}
