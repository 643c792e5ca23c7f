import { type Budget, spend } from './budget.ts';
import { createDuration, Duration } from './duration.ts';
import { CelError, isError, OVERFLOW, SPENT } from './error.ts';
import { createTimestamp, Timestamp } from './timestamp.ts';
import { kindOf } from './value.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
type Arithmetic = (left: unknown, right: unknown, budget: Budget) => unknown;

/** Integers stay exact or become an error; a result past ±2^53 would silently be another number. */
export const asInt = (value: number): number | CelError =>
  Number.isSafeInteger(value) ? value + 0 : OVERFLOW;

/** Operators on values whose types are not known before running: whole numbers count as integers. */
export const arithmetic: Readonly<Record<ArithmeticOperator, Arithmetic>> = {
  '+': (left, right, budget) => {
    if (typeof left === 'number' && typeof right === 'number') return numeric(left, right, left + right);
    if (typeof left === 'string' && typeof right === 'string') return concat(left, right, budget);
    if (Array.isArray(left) && Array.isArray(right)) return concatLists(left, right, budget);
    return addTimes(left, right) ?? addTimes(right, left) ?? noOverload('+', left, right);
  },
  '-': (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return numeric(left, right, left - right);
    return subtractTimes(left, right) ?? noOverload('-', left, right);
  },
  '*': (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return numeric(left, right, left * right);
    return noOverload('*', left, right);
  },
  '/': (left, right) => {
    if (typeof left !== 'number' || typeof right !== 'number') return noOverload('/', left, right);
    return bothInts(left, right) ? divide(left, right) : left / right;
  },
  '%': (left, right) => {
    if (!Number.isInteger(left) || !Number.isInteger(right)) return noOverload('%', left, right);
    return remainder(left as number, right as number);
  },
};

const bothInts = (left: number, right: number): boolean => Number.isInteger(left) && Number.isInteger(right);

const numeric = (left: number, right: number, result: number): number | CelError =>
  bothInts(left, right) ? asInt(result) : result;

const BY_ZERO = new CelError('division_by_zero', 'an integer was divided by zero');

export const divide = (left: number, right: number): number | CelError =>
  right === 0 ? BY_ZERO : asInt(Math.trunc(left / right));

export const remainder = (left: number, right: number): number | CelError =>
  right === 0 ? BY_ZERO : asInt(left % right);

export function concat(left: string, right: string, budget: Budget): string | CelError {
  return spend(budget, left.length + right.length) ? left + right : SPENT;
}

function concatLists(left: readonly unknown[], right: readonly unknown[], budget: Budget): unknown {
  return spend(budget, left.length + right.length) ? [...left, ...right] : SPENT;
}

function addTimes(left: unknown, right: unknown): unknown {
  if (!(right instanceof Duration)) return undefined;
  const create =
    left instanceof Timestamp ? createTimestamp : left instanceof Duration ? createDuration : null;
  if (create === null) return undefined;
  const { seconds, nanos } = left as Timestamp | Duration;
  return create(seconds + right.seconds, nanos + right.nanos) ?? OVERFLOW_OF_TIME;
}

function subtractTimes(left: unknown, right: unknown): unknown {
  if (right instanceof Duration) return addTimes(left, new Duration(-right.seconds, -right.nanos));
  if (!(left instanceof Timestamp && right instanceof Timestamp)) return undefined;
  return createDuration(left.seconds - right.seconds, left.nanos - right.nanos) ?? OVERFLOW_OF_TIME;
}

const OVERFLOW_OF_TIME = new CelError('overflow', 'a timestamp or duration left its range');

export function negate(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? 0 - value : -value;
  return isError(value)
    ? value
    : new CelError('no_such_overload', `-: no such operator for ${kindOf(value)}`);
}

export function noOverload(operator: string, left: unknown, right: unknown): CelError {
  if (isError(left)) return left;
  if (isError(right)) return right;
  const message = `${operator}: no such operator for ${kindOf(left)} and ${kindOf(right)}`;
  return new CelError('no_such_overload', message);
}
