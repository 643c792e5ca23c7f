import type { ComparisonOperator, Node } from '../../cel/ast.ts';
import { at, canonical, constantOf, type Known, type Part, resolved } from './canonical.ts';

/** A comparison of something with a constant, which stands on the right. */
export interface Comparison {
  readonly part: Part;
  readonly key: string;
  readonly operator: Exclude<ComparisonOperator, 'in'>;
  readonly constant: unknown;
}

const mirrored = { '==': '==', '!=': '!=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

/** The two sides of a comparison, when the node is one. */
export function sidesOf(
  part: Part,
  known: Known,
): { left: Part; operator: Comparison['operator']; right: Part } | null {
  const whole = resolved(part, known);
  const { node } = whole;
  if (node.kind !== 'operator' || !Object.hasOwn(mirrored, node.operator)) return null;
  const [left, right] = node.operands as [Node, Node];
  return {
    left: at(whole, left),
    operator: node.operator as Comparison['operator'],
    right: at(whole, right),
  };
}

/** The comparison with a constant that a part is, or null. */
export function comparisonOf(part: Part, known: Known): Comparison | null {
  const sides = sidesOf(part, known);
  if (sides === null) return null;
  const { left, operator, right } = sides;
  const [first, second] = [constantOf(left, known), constantOf(right, known)];
  if (first !== undefined && second === undefined)
    return { part: right, key: keyOf(right, known), operator: mirrored[operator], constant: first };
  if (second === undefined || first !== undefined) return null;
  return { part: left, key: keyOf(left, known), operator, constant: second };
}

/** `size(x)` and `x.size()` are the same. */
export function keyOf(part: Part, known: Known): string {
  const whole = resolved(part, known);
  const { node } = whole;
  if (node.kind !== 'call' || node.name !== 'size') return canonical(whole, known);
  const operand = node.target ?? (node.args[0] as Node);
  return `size ${canonical(at(whole, operand), known)}`;
}
