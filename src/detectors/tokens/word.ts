import type { Pass } from '../pass.ts';
import { jwt } from '../secrets/jwt.ts';
import { vendorToken } from '../secrets/vendorMatch.ts';
import { ALPHA, CLASS, DIGIT, WORD } from '../text/bytes.ts';
import { iban } from './iban.ts';

/** A word of letters and digits that begins at `from`; answers where to go on, at least at its end. */
export function word(pass: Pass, from: number): number {
  const b = pass.text.bytes;
  const token = vendorToken(pass, from) || jwt(pass, from);
  if (token !== 0) return token;
  const second = CLASS[b[from + 1] as number] as number;
  const isCountry =
    (CLASS[b[from] as number] as number) & ALPHA && second & ALPHA && b[from + 4] !== undefined;
  if (
    isCountry &&
    (CLASS[b[from + 2] as number] as number) & DIGIT &&
    (CLASS[b[from + 3] as number] as number) & DIGIT
  ) {
    const account = iban(pass, from);
    if (account !== 0) return account;
  }
  let i = from;
  while ((CLASS[b[i] as number] as number) & WORD) i++;
  return i;
}
