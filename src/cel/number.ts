import { type CelError, OVERFLOW } from './error.ts';

/**
 * Numbers at run time. An integer is a `number` up to ±(2^53 - 1), and beyond that a `bigint` up to 64 bits; every other
 * number is a double. A bigint over 64 bits can only come from JSON, and counts as a double.
 */
export type CelNumber = number | bigint;

const LARGEST = 2n ** 63n - 1n;
const SMALLEST = -(2n ** 63n);

export const isNumber = (value: unknown): value is CelNumber =>
  typeof value === 'number' || typeof value === 'bigint';

const fits = (value: bigint): boolean => value >= SMALLEST && value <= LARGEST;

/** Whether a value is an integer of up to 64 bits. */
export const isInt = (value: unknown): value is CelNumber =>
  typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'bigint' && fits(value);

/** The integer in its one form, or null over 64 bits. */
export function toInt(value: bigint): CelNumber | null {
  const double = Number(value);
  if (Number.isSafeInteger(double)) return double;
  return fits(value) ? value : null;
}

/** The same for a number without a fraction; one over 64 bits, or none at all, is an overflow. */
export function asInt(value: CelNumber): CelNumber | CelError {
  if (typeof value === 'bigint') return toInt(value) ?? OVERFLOW;
  if (Number.isSafeInteger(value)) return value + 0;
  return (Number.isFinite(value) ? toInt(BigInt(value)) : null) ?? OVERFLOW;
}

/** Negative, zero or positive as left is less than, equal to or greater than right, exactly; NaN for NaN. */
export function compareNumbers(left: CelNumber, right: CelNumber): number {
  const isMixed = typeof left !== typeof right;
  const first = isMixed ? asDoubleOver64Bits(left) : left;
  const second = isMixed ? asDoubleOver64Bits(right) : right;
  if (first < second) return -1;
  if (first > second) return 1;
  return Number.isNaN(first) || Number.isNaN(second) ? Number.NaN : 0;
}

const asDoubleOver64Bits = (value: CelNumber): CelNumber =>
  typeof value === 'bigint' && !fits(value) ? Number(value) : value;
