import { DIGIT_0, DIGIT_9, FULL_STOP } from '../text/ascii.ts';
import { byteAt } from '../text/read.ts';

/** Digits of a version that is no date and no address. */
const MAX_DIGITS = 3;
/** Bytes behind it with which no number goes on: the zero after a text, quotes, brackets. */
const CLOSES = new Uint8Array(256);
for (const c of '\0"\'`;]}<>') CLOSES[c.charCodeAt(0)] = 1;

/**
 * Where a version of three numbers and three digits ends, such as 1.2.3, whose first number stands before `dot`; 0 for
 * anything else. Lockfiles are full of them, and they are nothing whatever stands around them.
 */
export function versionEnd(b: Uint8Array, dot: number): number {
  const isVersion =
    isDigit(byteAt(b, dot + 1)) && b[dot + 2] === FULL_STOP && isDigit(byteAt(b, dot + MAX_DIGITS));
  return isVersion && CLOSES[byteAt(b, dot + MAX_DIGITS + 1)] === 1 ? dot + MAX_DIGITS + 1 : 0;
}

function isDigit(c: number): boolean {
  return c >= DIGIT_0 && c <= DIGIT_9;
}
