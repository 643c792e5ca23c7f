import type { LiteralNode, Node, OperatorNode } from './ast.ts';
import { arithmeticStep, negationStep } from './compile-arithmetic.ts';
import {
  equalStep,
  equalToLiteral,
  type OrderOperator,
  orderStep,
  orderToNumber,
} from './compile-comparison.ts';
import { inLiteralList, inStep, literalIn } from './compile-in.ts';
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
      );
  }
}

function compileEquality(compiling: Compiling, left: Node, right: Node): Step {
  if (right.kind === 'literal') return equalToLiteral(compiling.step(left), right.value);
  if (left.kind === 'literal') return equalToLiteral(compiling.step(right), left.value);
  return equalStep(compiling.step(left), compiling.step(right));
}

const MIRRORED: Readonly<Record<OrderOperator, OrderOperator>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

function compileOrder(compiling: Compiling, operator: OrderOperator, left: Node, right: Node): Step {
  if (isNumber(right)) return orderToNumber(operator, compiling.step(left), right.value as number);
  if (isNumber(left)) return orderToNumber(MIRRORED[operator], compiling.step(right), left.value as number);
  return orderStep(operator, compiling.step(left), compiling.step(right));
}

const isNumber = (node: Node): node is LiteralNode =>
  node.kind === 'literal' && typeof node.value === 'number';

function compileIn(compiling: Compiling, left: Node, right: Node): Step {
  if (right.kind === 'list') {
    const literals = right.elements.map(({ node }) => node).filter((node) => node.kind === 'literal');
    if (literals.length === right.elements.length) {
      return inLiteralList(compiling.step(left), new Set(literals.map(({ value }) => value)));
    }
  }
  if (left.kind === 'literal') return literalIn(left.value, compiling.step(right), compiling.typeOf(right));
  return inStep(compiling.step(left), compiling.step(right), compiling.typeOf(right));
}
