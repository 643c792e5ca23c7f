/**
 * A number with `digits` digits after the point. A tie goes to the even digit, as in Go and C; toFixed() rounds it away
 * from zero.
 */
export function fixed(value: number, digits: number): string {
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  // From 10^21 on, toFixed() writes an exponent; such numbers have no fraction.
  if (size >= 1e21) return sign + BigInt(size) + (digits === 0 ? '' : `.${'0'.repeat(digits)}`);
  const rounded = size.toFixed(digits);
  // The exact digits of a double: a tie is a 5 with nothing after it.
  const exact = size.toFixed(100);
  const cut = exact.indexOf('.') + digits + (digits === 0 ? 0 : 1);
  const kept = exact.slice(0, cut);
  const isTie = /^\.?50*$/.test(exact.slice(cut));
  return sign + (isTie && /[02468]$/.test(kept) ? kept : rounded);
}

/** With an exponent of at least two digits, as in Go and C. */
export const scientific = (value: number, digits: number): string =>
  value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
