import { keysOf, type Spending } from './run.ts';

/** Whether two JSON values are equal: 1 and 1.0 are, in whatever order the keys stand. */
export function equal(a: unknown, b: unknown, run: Spending): boolean {
  run.spend(1);
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length === b.length) run.spend(a.length >> 6);
    return a === b;
  }
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) {
    if (typeof a === 'bigint' || typeof b === 'bigint') run.spend(2);
    return !(a < b) && !(a > b);
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  run.spend(2);
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((entry, place) => equal(entry, b[place], run));
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = keysOf(left, run);
  if (names.length !== keysOf(right, run).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name], run));
}

/** Whole numbers beyond ±(2^53 - 1) are bigints. */
export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** Decimal, as both are written: 0.3 is a multiple of 0.1. Null for numbers of more than 1,000 digits. */
export function isMultiple(value: number | bigint, of: number | bigint, run: Spending): boolean | null {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return Number(value) % Number(of) === 0;
  run.spend(200);
  const [whole, dividend] = decimal(value) ?? [];
  const [part, divisor] = decimal(of) ?? [];
  if (whole === undefined || dividend === undefined || part === undefined || divisor === undefined)
    return null;
  const least = Math.min(dividend, divisor);
  return (whole * 10n ** BigInt(dividend - least)) % (part * 10n ** BigInt(divisor - least)) === 0n;
}

/** Digits and the power of ten that they are multiplied by. */
function decimal(value: number | bigint): [digits: bigint, exponent: number] | null {
  if (typeof value === 'bigint') return value < most && value > -most ? [value, 0] : null;
  const [, whole = '', fraction = '', exponent = '0'] =
    /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return whole === '' ? null : [BigInt(whole + fraction), Number(exponent) - fraction.length];
}

const most = 10n ** 1_000n;
