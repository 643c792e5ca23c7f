import {
  type ArithmeticOperator,
  arithmetic,
  BY_ZERO,
  concat,
  doubles,
  negate,
  noOverload,
  untypedArithmetic,
} from '../arithmetic.ts';
import type { ConditionalNode, Node, OperatorNode } from '../ast.ts';
import { type Budget, LOOKUP, spend } from '../budget.ts';
import { compare, contains, equal } from '../comparison.ts';
import { CelError, isError, SPENT, Unknown } from '../error.ts';
import { isNumber } from '../number.ts';
import type { CelType, ObjectType } from '../type.ts';
import { isMap, kindOf, lookup } from '../value.ts';
import { fieldStep } from './access.ts';
import type { Compiling, Step } from './compiling.ts';

/** The error for a value that is not a condition: the value itself when it is an error. */
export function notBool(value: unknown): CelError {
  if (isError(value)) return value;
  return new CelError('no_such_overload', `a condition is ${kindOf(value)}, expected bool`);
}

/** Neither side decides. */
const undecided = (first: unknown, second: unknown): CelError =>
  second instanceof Unknown ? second : notBool(first);

const asBool = (value: unknown): boolean | CelError =>
  value === true || value === false ? value : notBool(value);

/**
 * `&&` is false when either side is, `||` true when either side is, even if the other side is an error: this makes
 * both commutative in CEL, and lets a rule guard a field with has() on either side.
 */
function and(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    if (first === false) return false;
    const second = right(variables, budget, locals);
    if (second === false) return false;
    return first === true ? asBool(second) : undecided(first, second);
  };
}

function or(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    if (first === true) return true;
    const second = right(variables, budget, locals);
    if (second === true) return true;
    return first === false ? asBool(second) : undecided(first, second);
  };
}

function not(operand: Step): Step {
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return value === true || value === false ? !value : notBool(value);
  };
}

export function compileConditional(compiling: Compiling, node: ConditionalNode): Step {
  const condition = compiling.step(node.condition);
  const yes = compiling.step(node.yes);
  const no = compiling.step(node.no);
  return (variables, budget, locals) => {
    const chosen = condition(variables, budget, locals);
    if (chosen === true) return yes(variables, budget, locals);
    return chosen === false ? no(variables, budget, locals) : notBool(chosen);
  };
}

/** An arithmetic operator for the types of its operands: exact integers, doubles, strings, or chosen at run time. */
function arithmeticStep(
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
    return noOverload(operator, first, second, budget);
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
    if (!isNumber(first) || !isNumber(second)) return noOverload('/', first, second, budget);
    return second === 0 ? BY_ZERO : Number(first) / Number(second);
  };
}

function concatStep(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'string' && typeof second === 'string') return concat(first, second, budget);
    return noOverload('+', first, second, budget);
  };
}

function negationStep(type: CelType, operand: Step): Step {
  const isTyped = type.kind === 'int';
  if (type.kind !== 'double') {
    return (variables, budget, locals) => negate(operand(variables, budget, locals), isTyped);
  }
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return typeof value === 'number' ? -value : negate(value, false);
  };
}

type OrderOperator = '<' | '<=' | '>' | '>=';

function equalStep(left: Step, right: Step): Step {
  return (variables, budget, locals) => {
    const first = left(variables, budget, locals);
    const second = right(variables, budget, locals);
    if (typeof first === 'number' && typeof second === 'number') return first === second;
    return equal(first, second, budget);
  };
}

/** A text of the same length is compared to its end. */
const stepsToCompare = (constant: unknown): number =>
  typeof constant === 'string' ? constant.length >> 6 : 0;

/** Most rules compare with a literal or a parameter. That needs no deep comparison and no budget. */
function equalToConstant(operand: Step, constant: unknown): Step {
  if (typeof constant === 'string') return equalToText(operand, constant, stepsToCompare(constant));
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    if (value === constant) return true;
    return isError(value) ? value : false;
  };
}

/** Separate from the other kinds, so that V8 sees only string comparisons here. */
function equalToText(operand: Step, constant: string, steps: number): Step {
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    budget.left -= steps;
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
  return order === null ? noOverload(operator, left, right, budget) : holds[operator](order);
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

const orderStep = (operator: OrderOperator, left: Step, right: Step): Step =>
  orderSteps[operator](left, right);

const orderToNumber = (operator: OrderOperator, operand: Step, limit: number): Step =>
  orderToNumberSteps[operator](operand, limit);

/** `tool in ["a", "b"]`: one lookup in a set. It contains only scalars, so equality is identity. */
function inConstantList(operand: Step, constants: ReadonlySet<unknown>): Step {
  return (variables, budget, locals) => {
    const value = operand(variables, budget, locals);
    return isError(value) ? value : constants.has(value);
  };
}

/** `"PII" in session.dataTags`. */
function constantIn(constant: unknown, container: Step, type: CelType): Step {
  if (type.kind === 'object') return inRecord(() => constant, container, type);
  const each = 1 + stepsToCompare(constant);
  return (variables, budget, locals) => {
    const found = container(variables, budget, locals);
    if (!Array.isArray(found)) return inOther(constant, found, budget);
    if (!spend(budget, found.length * each)) return SPENT;
    // A loop, because includes() takes twice as long for the few tags in a list.
    for (let index = 0; index < found.length; index += 1) if (found[index] === constant) return true;
    return false;
  };
}

function inStep(element: Step, container: Step, type: CelType): Step {
  if (type.kind === 'object') return inRecord(element, container, type);
  return (variables, budget, locals) => {
    const value = element(variables, budget, locals);
    const found = container(variables, budget, locals);
    return inOther(value, found, budget);
  };
}

function inOther(value: unknown, container: unknown, budget: Budget): unknown {
  if (isError(value)) return value;
  if (Array.isArray(container)) return contains(container, value, budget);
  budget.left -= LOOKUP;
  return isMap(container)
    ? lookup(container, value) !== undefined
    : noOverload('in', value, container, budget);
}

/** A record has its declared fields and no others. */
function inRecord(element: Step, container: Step, type: ObjectType): Step {
  const steps = new Map(
    [...type.fields.keys()].map((field) => [field, fieldStep(container, field, undefined)]),
  );
  return (variables, budget, locals) => {
    const key = element(variables, budget, locals);
    if (isError(key)) return key;
    const value = steps.get(key as string)?.(variables, budget, locals);
    return isError(value) ? value : value !== undefined;
  };
}

export function compileOperator(compiling: Compiling, node: OperatorNode): Step {
  const [left, right] = node.operands as [Node, Node | undefined];
  if (right === undefined) {
    const operand = compiling.step(left);
    return node.operator === '!' ? not(operand) : negationStep(compiling.typeOf(left), operand);
  }
  const { operator } = node;
  switch (operator) {
    case '&&':
      return and(compiling.step(left), compiling.step(right));
    case '||':
      return or(compiling.step(left), compiling.step(right));
    case '==':
      return compileEquality(compiling, left, right);
    case '!=':
      return not(compileEquality(compiling, left, right));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compileOrder(compiling, operator, left, right);
    case 'in':
      return compileIn(compiling, left, right);
    default:
      return arithmeticStep(
        operator as '+',
        [compiling.typeOf(left), compiling.typeOf(right)],
        [compiling.step(left), compiling.step(right)],
        right.kind === 'literal',
      );
  }
}

function compileEquality(compiling: Compiling, left: Node, right: Node): Step {
  const [first, second] = [compiling.constant(left), compiling.constant(right)];
  if (isScalar(second)) return equalToConstant(compiling.step(left), second);
  if (isScalar(first)) return equalToConstant(compiling.step(right), first);
  return equalStep(compiling.step(left), compiling.step(right));
}

const MIRRORED: Readonly<Record<OrderOperator, OrderOperator>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function compileOrder(compiling: Compiling, operator: OrderOperator, left: Node, right: Node): Step {
  const [first, second] = [compiling.constant(left), compiling.constant(right)];
  if (typeof second === 'number') return orderToNumber(operator, compiling.step(left), second);
  if (typeof first === 'number') return orderToNumber(MIRRORED[operator], compiling.step(right), first);
  return orderStep(operator, compiling.step(left), compiling.step(right));
}

function compileIn(compiling: Compiling, left: Node, right: Node): Step {
  const list = constantList(compiling, right);
  if (list?.every(isScalar)) return inConstantList(compiling.step(left), new Set(list));
  const element = compiling.constant(left);
  if (isScalar(element)) return constantIn(element, compiling.step(right), compiling.typeOf(right));
  return inStep(compiling.step(left), compiling.step(right), compiling.typeOf(right));
}

function constantList(compiling: Compiling, node: Node): readonly unknown[] | null {
  if (node.kind === 'list') return node.elements.map((element) => compiling.constant(element.node));
  const value = compiling.constant(node);
  return Array.isArray(value) ? value : null;
}

/**
 * A value that is identical to every value it equals, so that comparing it is one instruction. A number beyond 2^53 is
 * not: the integer is a bigint, and the double of the same value is not.
 */
function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}
