import type { Node, OperatorNode } from './ast.ts';
import { arithmeticStep, negationStep } from './compile-arithmetic.ts';
import {
  equalStep,
  equalToConstant,
  type OrderOperator,
  orderStep,
  orderToNumber,
} from './compile-comparison.ts';
import { constantIn, inConstantList, inStep } from './compile-in.ts';
import { and, not, or } from './compile-logic.ts';
import type { Compiling, Step } from './compiling.ts';

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
