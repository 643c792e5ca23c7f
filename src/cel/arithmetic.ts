import { ALLOCATION, type Budget, MESSAGE, spend } from './budget.ts';
import { CelError, isError, SPENT } from './error.ts';
import { asInt, type CelNumber, isInt, isNumber } from './number.ts';
import { createDuration, createTimestamp, Duration, Timestamp } from './time.ts';
import { kindOf } from './value.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
type Arithmetic = (left: unknown, right: unknown, budget: Budget) => unknown;

/** Operators where both operands are of known types: integers with integers, doubles with doubles. */
export const arithmetic: Readonly<Record<ArithmeticOperator, Arithmetic>> = {
  '+': (left, right, budget) => typed('+', left, right, budget) ?? addOthers(left, right, budget),
  '-': (left, right, budget) => typed('-', left, right, budget) ?? subtractOthers(left, right, budget),
  '*': (left, right, budget) => typed('*', left, right, budget) ?? noOverload('*', left, right, budget),
  '/': (left, right, budget) => typed('/', left, right, budget) ?? noOverload('/', left, right, budget),
  '%': (left, right, budget) =>
    isInt(left) && isInt(right) ? integers['%'](left, right, budget) : noOverload('%', left, right, budget),
};

/** A value that is declared an integer but is a double is computed as a double. */
function typed(
  operator: ArithmeticOperator,
  left: unknown,
  right: unknown,
  budget: Budget,
): CelNumber | CelError | null {
  if (isInt(left) && isInt(right)) return integers[operator](left, right, budget);
  return isNumber(left) && isNumber(right) ? doubles[operator](Number(left), Number(right)) : null;
}

/**
 * Operators where the type of an operand is not known, because it comes from JSON: its numbers mix freely. Integers
 * are exact up to 64 bits and become doubles beyond, `/` does not truncate, and dividing by zero is an error.
 */
export const untypedArithmetic: Readonly<Record<ArithmeticOperator, Arithmetic>> = {
  '+': (left, right, budget) =>
    isNumber(left) && isNumber(right) ? mixed('+', left, right, budget) : addOthers(left, right, budget),
  '-': (left, right, budget) =>
    isNumber(left) && isNumber(right) ? mixed('-', left, right, budget) : subtractOthers(left, right, budget),
  '*': (left, right, budget) =>
    isNumber(left) && isNumber(right)
      ? mixed('*', left, right, budget)
      : noOverload('*', left, right, budget),
  '/': (left, right, budget) =>
    isNumber(left) && isNumber(right) ? quotient(left, right, budget) : noOverload('/', left, right, budget),
  '%': (left, right, budget) =>
    isNumber(left) && isNumber(right)
      ? mixed('%', left, right, budget)
      : noOverload('%', left, right, budget),
};

type IntegerOperator = (left: CelNumber, right: CelNumber, budget: Budget) => CelNumber | CelError;

/** A result that is a safe integer is exact. Any other is computed again with bigints. */
const integers: Readonly<Record<ArithmeticOperator, IntegerOperator>> = {
  '+': (...operands) => exact(doubles['+'], bigints['+'], ...operands),
  '-': (...operands) => exact(doubles['-'], bigints['-'], ...operands),
  '*': (...operands) => exact(doubles['*'], bigints['*'], ...operands),
  '/': (...operands) => (operands[1] === 0 ? BY_ZERO : exact(truncatedQuotient, bigints['/'], ...operands)),
  '%': (...operands) => (operands[1] === 0 ? BY_ZERO : exact(doubles['%'], bigints['%'], ...operands)),
};

function exact(
  onDoubles: (left: number, right: number) => number,
  onBigints: (left: bigint, right: bigint) => bigint,
  left: CelNumber,
  right: CelNumber,
  budget: Budget,
): CelNumber | CelError {
  if (typeof left === 'number' && typeof right === 'number') {
    const result = onDoubles(left, right);
    if (Number.isSafeInteger(result)) return result + 0;
  }
  // The result is right all the same; the next step that is charged ends the program.
  budget.left -= ALLOCATION;
  return asInt(onBigints(BigInt(left), BigInt(right)));
}

const truncatedQuotient = (left: number, right: number): number => Math.trunc(left / right);

const bigints: Readonly<Record<ArithmeticOperator, (left: bigint, right: bigint) => bigint>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

export const doubles: Readonly<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

function mixed(
  operator: Exclude<ArithmeticOperator, '/'>,
  left: CelNumber,
  right: CelNumber,
  budget: Budget,
): unknown {
  if (operator === '%' && isZero(right)) return BY_ZERO;
  if (isInt(left) && isInt(right)) {
    const result = integers[operator](left, right, budget);
    if (!isError(result)) return result;
  }
  return doubles[operator](Number(left), Number(right));
}

function quotient(left: CelNumber, right: CelNumber, budget: Budget): unknown {
  if (isZero(right)) return BY_ZERO;
  const hasBigint = typeof left === 'bigint' || typeof right === 'bigint';
  if (hasBigint && isInt(left) && isInt(right) && integers['%'](left, right, budget) === 0) {
    const result = integers['/'](left, right, budget);
    if (!isError(result)) return result;
  }
  return Number(left) / Number(right);
}

const isZero = (value: CelNumber): boolean => value === 0;

export const BY_ZERO = new CelError('division_by_zero', 'a number was divided by zero');

function addOthers(left: unknown, right: unknown, budget: Budget): unknown {
  if (typeof left === 'string' && typeof right === 'string') return concat(left, right, budget);
  if (Array.isArray(left) && Array.isArray(right)) return concatLists(left, right, budget);
  return addTimes(left, right) ?? addTimes(right, left) ?? noOverload('+', left, right, budget);
}

const subtractOthers = (left: unknown, right: unknown, budget: Budget): unknown =>
  subtractTimes(left, right) ?? noOverload('-', left, right, budget);

export function concat(left: string, right: string, budget: Budget): string | CelError {
  return spend(budget, left.length + right.length) ? left + right : SPENT;
}

function concatLists(left: readonly unknown[], right: readonly unknown[], budget: Budget): unknown {
  return spend(budget, 2 * (left.length + right.length) + ALLOCATION) ? [...left, ...right] : SPENT;
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

/** Negates an integer, or a number of unknown type, which becomes a double beyond 64 bits. */
export function negate(value: unknown, isTyped: boolean): unknown {
  if (isInt(value)) {
    const result = asInt(typeof value === 'bigint' ? -value : 0 - value);
    return isError(result) && !isTyped ? -Number(value) : result;
  }
  if (isNumber(value) && !isTyped) return -Number(value);
  return isError(value)
    ? value
    : new CelError('no_such_overload', `-: no such operator for ${kindOf(value)}`);
}

export function noOverload(operator: string, left: unknown, right: unknown, budget: Budget): CelError {
  if (isError(left)) return left;
  if (isError(right)) return right;
  budget.left -= MESSAGE;
  const message = `${operator}: no such operator for ${kindOf(left)} and ${kindOf(right)}`;
  return new CelError('no_such_overload', message);
}
