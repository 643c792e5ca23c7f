import type { Span } from './issue.ts';

/** The tree of a source text. Macros keep their own nodes instead of being expanded into folds. */
export type Node =
  | LiteralNode
  | NameNode
  | SelectNode
  | IndexNode
  | CallNode
  | OperatorNode
  | ConditionalNode
  | ListNode
  | MapNode
  | MacroNode
  | BindNode;

export interface LiteralNode extends Span {
  readonly kind: 'literal';
  readonly type: 'null' | 'bool' | 'int' | 'double' | 'string';
  readonly value: null | boolean | number | bigint | string;
}
export interface NameNode extends Span {
  readonly kind: 'name';
  readonly name: string;
}
/** `operand.field`, `operand.?field`, and with `test` the argument of `has()`. */
export interface SelectNode extends Span {
  readonly kind: 'select';
  readonly operand: Node;
  readonly field: string;
  /** The place of the field's name. */
  readonly at: Span;
  readonly optional: boolean;
  readonly test: boolean;
}
/** `operand[key]` and `operand[?key]`. */
export interface IndexNode extends Span {
  readonly kind: 'index';
  readonly operand: Node;
  readonly key: Node;
  readonly optional: boolean;
}
/** `name(args)` or `target.name(args)`; a namespaced function such as `math.least` is parsed as the latter. */
export interface CallNode extends Span {
  readonly kind: 'call';
  readonly name: string;
  readonly at: Span;
  readonly target: Node | null;
  readonly args: readonly Node[];
}

export type Operator = '||' | '&&' | '!' | '-' | '+' | '*' | '/' | '%' | ComparisonOperator;
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in';
/** `!a` and `-a` have one operand, all others two. */
export interface OperatorNode extends Span {
  readonly kind: 'operator';
  readonly operator: Operator;
  readonly operands: readonly Node[];
}
export interface ConditionalNode extends Span {
  readonly kind: 'conditional';
  readonly condition: Node;
  readonly yes: Node;
  readonly no: Node;
}
export interface Element {
  readonly node: Node;
  /** `?x`: left out when x is optional.none(). */
  readonly optional: boolean;
}
export interface ListNode extends Span {
  readonly kind: 'list';
  readonly elements: readonly Element[];
}
export interface MapNode extends Span {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: Node; readonly value: Element }[];
}

export type MacroName =
  | 'all'
  | 'exists'
  | 'existsOne'
  | 'map'
  | 'filter'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry'
  | 'sortBy'
  | 'optMap'
  | 'optFlatMap';
/** `range.all(x, body)` and its like: `variables` has one name, or two (index or key, and value). */
export interface MacroNode extends Span {
  readonly kind: 'macro';
  readonly macro: MacroName;
  readonly range: Node;
  readonly variables: readonly NameNode[];
  /** The condition of `map(x, condition, body)` and of the transforms. */
  readonly filter: Node | null;
  readonly body: Node;
}
/** `cel.bind(variable, value, body)`. */
export interface BindNode extends Span {
  readonly kind: 'bind';
  readonly variable: NameNode;
  readonly value: Node;
  readonly body: Node;
}

/** The nodes directly below a node. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'select':
      return [node.operand];
    case 'index':
      return [node.operand, node.key];
    case 'call':
      return node.target === null ? node.args : [node.target, ...node.args];
    case 'operator':
      return node.operands;
    case 'conditional':
      return [node.condition, node.yes, node.no];
    case 'list':
      return node.elements.map((element) => element.node);
    case 'map':
      return node.entries.flatMap(({ key, value }) => [key, value.node]);
    case 'macro':
      return node.filter === null ? [node.range, node.body] : [node.range, node.filter, node.body];
    case 'bind':
      return [node.value, node.body];
  }
}

export function countNodes(root: Node): number {
  return childrenOf(root).reduce((total, child) => total + countNodes(child), 1);
}
