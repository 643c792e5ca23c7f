import {
  type ArithmeticOperator,
  arithmetic,
  BY_ZERO,
  concat,
  doubles,
  negate,
  noOverload,
  untypedArithmetic,
} from './arithmetic.ts';
import type { Step } from './compiling.ts';
import { isNumber } from './number.ts';
import type { CelType } from './type.ts';

/** An arithmetic operator for the types of its operands: exact integers, doubles, strings, or chosen at run time. */
export function arithmeticStep(
  operator: ArithmeticOperator,
  [leftType, rightType]: readonly [CelType, CelType],
  [left, right]: readonly [Step, Step],
  hasLiteralDivisor: boolean,
): Step {
  const isUntyped = leftType.kind === 'dyn' || rightType.kind === 'dyn';
  // A double on one side turns any number on the other into a double.
  if (leftType.kind === 'double' || rightType.kind === 'double') {
    const mayFail = isUntyped || !hasLiteralDivisor;
    return operator === '/' && mayFail ? quotientStep(left, right) : doubleStep(operator, left, right);
  }
  if (operator === '+' && (leftType.kind === 'string' || rightType.kind === 'string'))
    return concatStep(left, right);
  const run = (isUntyped ? untypedArithmetic : arithmetic)[operator];
  const exact = exactSteps[operator];
  if (exact !== undefined) return exact(left, right, run);
  return (variables, budget, locals) =>
    run(left(variables, budget, locals), right(variables, budget, locals), budget);
}

type Run = (typeof arithmetic)['+'];

// Where the fast path gives no safe integer, `run` finds the result or the error.
const exactSteps: Partial<Record<ArithmeticOperator, (left: Step, right: Step, run: Run) => Step>> = {
  '+': (left, right, run) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    const sum = typeof first === 'number' && typeof second === 'number' ? first + second : Number.NaN;
    return Number.isSafeInteger(sum) ? sum : run(first, second, budget);
  },
  '-': (left, right, run) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    const difference = typeof first === 'number' && typeof second === 'number' ? first - second : Number.NaN;
    return Number.isSafeInteger(difference) ? difference : run(first, second, budget);
  },
};

function doubleStep(operator: ArithmeticOperator, left: Step, right: Step): Step {
  const compute = doubles[operator];
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return compute(first, second);
    if (isNumber(first) && isNumber(second)) return compute(Number(first), Number(second));
    return noOverload(operator, first, second);
  };
}

/**
 * A quotient of doubles. Dividing by zero is an error, because infinity and NaN would make comparisons true or false
 * that mean nothing: an input of 0 / 0 must not pass a limit. Only `1.0 / 0.0`, with literals, is infinite as in CEL.
 */
function quotientStep(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (!isNumber(first) || !isNumber(second)) return noOverload('/', first, second);
    return second === 0 ? BY_ZERO : Number(first) / Number(second);
  };
}

function concatStep(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'string' && typeof second === 'string') return concat(first, second, budget);
    return noOverload('+', first, second);
  };
}

export function negationStep(type: CelType, operand: Step): Step {
  const isTyped = type.kind === 'int';
  if (type.kind !== 'double') {
    return (variables, budget, locals) => negate(operand(variables, budget, locals), isTyped);
  }
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return typeof value === 'number' ? -value : negate(value, false);
  };
}
