import { Duration } from './duration.ts';
import { compareNumbers, isNumber } from './number.ts';
import { Timestamp } from './timestamp.ts';

/** Negative, zero or positive as left is before, at or after right; NaN for NaN; null when they have no order. */
export function compare(left: unknown, right: unknown): number | null {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right);
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Timestamp && right instanceof Timestamp) return compareParts(left, right);
  if (left instanceof Duration && right instanceof Duration) return compareParts(left, right);
  return null;
}

const compareParts = (left: Timestamp | Duration, right: Timestamp | Duration): number =>
  left.seconds - right.seconds || left.nanos - right.nanos;

/** By code points. JavaScript compares UTF-16 units, which puts U+1F600 before U+FFFD. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const end = Math.min(left.length, right.length);
  for (let at = 0; at < end; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

// Surrogates stand for code points above every other unit.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
