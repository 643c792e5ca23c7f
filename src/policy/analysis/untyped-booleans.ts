import { childrenOf, type Node } from '../../cel/ast.ts';
import type { CheckedExpression } from '../../cel/index.ts';
import { at, type Part, partOf } from './canonical.ts';

/** A comparison of content with `true` or `false` that anything else slips past: `"true"` and `1` are not equal to `true`. */
export interface UntypedBoolean {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Only where the comparison must hold for the rule to match: under a `!`, it is `!=` that leaves something out. */
export function untypedBooleans(expression: CheckedExpression): UntypedBoolean[] {
  const found: UntypedBoolean[] = [];
  visit(partOf(expression), '==', found);
  return found;
}

function visit(part: Part, exact: '==' | '!=', found: UntypedBoolean[]): void {
  const { node } = part;
  if (node.kind === 'operator' && node.operator === exact) {
    const [left, right] = node.operands as [Node, Node];
    const literal = [left, right].find(isBoolean);
    const other = left === literal ? right : left;
    if (literal && part.types.get(other)?.kind === 'dyn') found.push(about(literal, exact));
  }
  const isNot = node.kind === 'operator' && node.operator === '!';
  const inner = isNot ? (exact === '==' ? '!=' : '==') : exact;
  for (const child of childrenOf(node)) visit(at(part, child), inner, found);
}

const isBoolean = (node: Node): node is Node & { value: boolean } =>
  node.kind === 'literal' && node.type === 'bool';

function about({ value, start }: Node & { value: boolean }, exact: '==' | '!='): UntypedBoolean {
  const like = value ? '"true" and 1 are' : '"false" and 0 are';
  const other = exact === '==' ? '!=' : '==';
  return {
    offset: start,
    message: `${like} not ${value}, so a caller who sends them is not covered`,
    hint: `write ${other} ${!value}, which also holds for what is no boolean`,
  };
}
