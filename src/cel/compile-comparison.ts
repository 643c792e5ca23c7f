import { noOverload } from './arithmetic.ts';
import { type Budget, spend } from './budget.ts';
import type { Step } from './compiling.ts';
import { equal } from './equality.ts';
import { isError, SPENT } from './error.ts';
import { compare } from './ordering.ts';

export type OrderOperator = '<' | '<=' | '>' | '>=';

export function equalStep(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return first === second;
    return equal(first, second, budget);
  };
}

/** Most rules compare with a literal or a parameter. That needs no deep comparison and no budget. */
export function equalToConstant(operand: Step, constant: unknown): Step {
  if (typeof constant === 'string') return equalToText(operand, constant);
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    if (value === constant) return true;
    return isError(value) ? value : false;
  };
}

/** Separate from the other kinds, so that V8 sees only string comparisons here. */
function equalToText(operand: Step, constant: string): Step {
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    if (typeof value === 'string') return value === constant;
    return isError(value) ? value : false;
  };
}

const holds: Readonly<Record<OrderOperator, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Everything but two numbers below 2^53: big integers, strings, times, errors. */
function slowOrder(operator: OrderOperator, left: unknown, right: unknown, budget: Budget): unknown {
  if (typeof left === 'string' && typeof right === 'string') {
    if (!spend(budget, Math.min(left.length, right.length))) return SPENT;
  }
  const order = compare(left, right);
  return order === null ? noOverload(operator, left, right) : holds[operator](order);
}

// One closure per operator, so that the comparison itself is a single instruction.
const orderSteps: Readonly<Record<OrderOperator, (left: Step, right: Step) => Step>> = {
  '<': (left, right) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return first < second;
    return slowOrder('<', first, second, budget);
  },
  '<=': (left, right) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return first <= second;
    return slowOrder('<=', first, second, budget);
  },
  '>': (left, right) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return first > second;
    return slowOrder('>', first, second, budget);
  },
  '>=': (left, right) => (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return first >= second;
    return slowOrder('>=', first, second, budget);
  },
};

const orderToNumberSteps: Readonly<Record<OrderOperator, (operand: Step, limit: number) => Step>> = {
  '<': (operand, limit) => (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return typeof value === 'number' ? value < limit : slowOrder('<', value, limit, budget);
  },
  '<=': (operand, limit) => (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return typeof value === 'number' ? value <= limit : slowOrder('<=', value, limit, budget);
  },
  '>': (operand, limit) => (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return typeof value === 'number' ? value > limit : slowOrder('>', value, limit, budget);
  },
  '>=': (operand, limit) => (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return typeof value === 'number' ? value >= limit : slowOrder('>=', value, limit, budget);
  },
};

export const orderStep = (operator: OrderOperator, left: Step, right: Step): Step =>
  orderSteps[operator](left, right);

export const orderToNumber = (operator: OrderOperator, operand: Step, limit: number): Step =>
  orderToNumberSteps[operator](operand, limit);
