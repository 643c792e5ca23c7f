import { type ArithmeticOperator, arithmetic, concat, negate } from './arithmetic.ts';
import type { Step } from './compiling.ts';
import type { CelType } from './type.ts';

/** An arithmetic operator, as its operands' types allow: exact integers, plain doubles, texts, or found out at run time. */
export function arithmeticStep(
  operator: ArithmeticOperator,
  [leftType, rightType]: readonly [CelType, CelType],
  [left, right]: readonly [Step, Step],
): Step {
  // Known on one side is known on both: the checker lets no int meet a double.
  if (operator !== '%' && (leftType.kind === 'double' || rightType.kind === 'double')) {
    return doubleStep(operator, left, right);
  }
  if (operator === '+' && (leftType.kind === 'string' || rightType.kind === 'string'))
    return concatStep(left, right);
  const exact = exactSteps[operator];
  if (exact !== undefined && (leftType.kind === 'int' || rightType.kind === 'int')) return exact(left, right);
  const run = arithmetic[operator];
  return (variables, budget, locals) =>
    run(left(variables, budget, locals), right(variables, budget, locals), budget);
}

// Where the fast way gives no safe integer, the slow way says why.
const exactSteps: Partial<Record<ArithmeticOperator, (left: Step, right: Step) => Step>> = {
  '+': (left, right) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    const sum = typeof first === 'number' && typeof second === 'number' ? first + second : Number.NaN;
    return Number.isSafeInteger(sum) ? sum : arithmetic['+'](first, second, budget);
  },
  '-': (left, right) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    const difference = typeof first === 'number' && typeof second === 'number' ? first - second : Number.NaN;
    return Number.isSafeInteger(difference) ? difference : arithmetic['-'](first, second, budget);
  },
};

type DoubleOperator = Exclude<ArithmeticOperator, '%'>;
const doubles: Readonly<Record<DoubleOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};

function doubleStep(operator: DoubleOperator, left: Step, right: Step): Step {
  const compute = doubles[operator];
  const run = arithmetic[operator];
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return compute(first, second);
    return run(first, second, budget);
  };
}

function concatStep(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'string' && typeof second === 'string') return concat(first, second, budget);
    return arithmetic['+'](first, second, budget);
  };
}

export function negationStep(type: CelType, operand: Step): Step {
  if (type.kind !== 'double') {
    return (variables, budget, locals) => negate(operand(variables, budget, locals));
  }
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return typeof value === 'number' ? -value : negate(value);
  };
}
