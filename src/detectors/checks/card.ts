import { isRepeated, luhn, number } from './digits.ts';

/**
 * Whether the first digits and the length belong to an issuer (ISO/IEC 7812 ranges as the networks publish them).
 * 17 digits are no card's length.
 */
export function isIssued(d: Uint8Array, o: number, n: number): boolean {
  const two = number(d, o, 2);
  const four = number(d, o, 4);
  switch (d[o]) {
    case 1:
      return n === 15; // UATP
    case 2:
      return n === 16 && ((four >= 2221 && four <= 2720) || (four >= 2200 && four <= 2204)); // Mastercard, Mir
    case 3:
      if (two === 34 || two === 37) return n === 15; // American Express
      if (four >= 3528 && four <= 3589) return n === 16 || n === 19; // JCB
      return (
        (two === 36 || two === 38 || two === 39 || (four >= 3000 && four <= 3059)) && (n === 14 || n === 16)
      ); // Diners Club
    case 4:
      return n === 13 || n === 16 || n === 19; // Visa
    case 5:
      if (two >= 51 && two <= 55) return n === 16; // Mastercard
      return two !== 59 && n >= 12 && n <= 19 && (n === 16 || n === 18 || n === 19); // Maestro, Dankort
    case 6:
      // Discover, UnionPay, RuPay, Maestro
      if (two === 62 || two === 60 || two === 64 || two === 65 || two === 81) return n === 16 || n === 19;
      return (two === 63 || two === 67) && (n === 16 || n === 18 || n === 19);
    default:
      return false;
  }
}

export function isCard(d: Uint8Array, o: number, n: number): boolean {
  return n >= 13 && n <= 19 && isIssued(d, o, n) && luhn(d, o, n) && !isRepeated(d, o, n);
}
