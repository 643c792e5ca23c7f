import { type Budget, spend } from './budget.ts';
import { CelError, SPENT, TOO_DEEP } from './error.ts';
import { compareNumbers, isNumber } from './number.ts';
import { Duration, Timestamp } from './time.ts';
import { type CelMap, isMap, keysOf, lookup, Opaque, Optional } from './value.ts';

// Deeper than real documents, and far from a stack overflow.
const DEEPEST = 64;

/** Whether two values are equal: numbers by value, lists in order, maps by key. An error when that cannot be decided. */
export function equal(left: unknown, right: unknown, budget: Budget, depth = 0): boolean | CelError {
  if (typeof left === 'string' && typeof right === 'string') return equalTexts(left, right, budget);
  if (left instanceof CelError) return left;
  if (right instanceof CelError) return right;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return typeof left === 'bigint' || typeof right === 'bigint' ? sameNumber(left, right) : left === right;
  }
  if (left instanceof Timestamp) return right instanceof Timestamp && sameParts(left, right);
  if (left instanceof Duration) return right instanceof Duration && sameParts(left, right);
  if (left instanceof Opaque) return left.equals(right);
  if (depth > DEEPEST) return TOO_DEEP;
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right, budget, depth);
  if (left instanceof Optional) {
    if (!(right instanceof Optional) || left.present !== right.present) return false;
    return equal(left.value, right.value, budget, depth + 1);
  }
  return isMap(right) && equalMaps(left as CelMap, right, budget, depth);
}

const sameNumber = (left: unknown, right: unknown): boolean =>
  isNumber(left) && isNumber(right) && compareNumbers(left, right) === 0;

// Strings of the same length are compared to their end, about 16 characters in the time of a step.
function equalTexts(left: string, right: string, budget: Budget): boolean | CelError {
  if (left.length !== right.length) return false;
  return spend(budget, left.length >> 4) ? left === right : SPENT;
}

const sameParts = (left: Timestamp | Duration, right: Timestamp | Duration): boolean =>
  left.seconds === right.seconds && left.nanos === right.nanos;

function equalLists(
  left: readonly unknown[],
  right: readonly unknown[],
  budget: Budget,
  depth: number,
): boolean | CelError {
  if (left.length !== right.length) return false;
  if (!spend(budget, left.length)) return SPENT;
  for (let index = 0; index < left.length; index += 1) {
    const same = equal(left[index], right[index], budget, depth + 1);
    if (same !== true) return same;
  }
  return true;
}

function equalMaps(left: CelMap, right: CelMap, budget: Budget, depth: number): boolean | CelError {
  const keys = keysOf(left);
  if (!spend(budget, keys.length)) return SPENT;
  if (keys.length !== keysOf(right).length) return false;
  for (const key of keys) {
    const other = lookup(right, key);
    if (other === undefined) return false;
    const same = equal(lookup(left, key), other, budget, depth + 1);
    if (same !== true) return same;
  }
  return true;
}

/** Whether a list has an element equal to the value. */
export function contains(list: readonly unknown[], value: unknown, budget: Budget): boolean | CelError {
  if (!spend(budget, list.length)) return SPENT;
  for (const element of list) {
    const same = equal(element, value, budget);
    if (same !== false) return same;
  }
  return false;
}

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
