import type { ComparisonOperator, Node } from '../../cel/ast.ts';
import type { CheckedExpression } from '../../cel/index.ts';
import type { EnforcementAction } from '../../schemas/decisions.ts';

/** A document as its analysis knows it: its variables, and the values of its params. */
export interface Known {
  readonly variables: ReadonlyMap<string, CheckedExpression>;
  readonly params: Readonly<Record<string, unknown>>;
  /** Variables still to be expanded: `a: vars.b && vars.b` at every level would double without end. */
  readonly expansions: { left: number };
}

const mostExpansions = 300;

/** For the analysis of one expression. */
export const knownOf = (
  params: Known['params'] | undefined,
  { variables }: Pick<Known, 'variables'>,
): Known => ({ variables, params: params ?? {}, expansions: { left: mostExpansions } });

/** A node and the expression it is in. */
export interface Part {
  readonly node: Node;
  readonly types: CheckedExpression['types'];
}

export const partOf = ({ root, types }: CheckedExpression): Part => ({ node: root, types });

/** The same part with another node of the same expression. */
export const at = (part: Part, node: Node): Part => ({ node, types: part.types });

/** A variable as the expression it stands for, at any depth; any other part as it is. */
export function resolved(part: Part, { variables, expansions }: Known): Part {
  let found = part;
  for (;;) {
    const { node } = found;
    const isVariable = node.kind === 'select' && !node.test && !node.optional;
    if (!isVariable || node.operand.kind !== 'name' || node.operand.name !== 'vars') return found;
    const variable = variables.get(node.field);
    if (variable === undefined || expansions.left <= 0) return found;
    expansions.left -= 1;
    found = partOf(variable);
  }
}

/** A text that two nodes share exactly when they are the same computation, whatever their place and spacing. */
function canonical(part: Part, known: Known): string {
  const { node } = resolved(part, known);
  return JSON.stringify(node, (key, value: unknown) => {
    if (key === 'start' || key === 'end' || key === 'at') return undefined;
    return typeof value === 'bigint' ? String(value) : value;
  });
}

/** The value of a literal or of a param; undefined for everything else. */
export function constantOf(part: Part, known: Known): unknown {
  const { node } = resolved(part, known);
  if (node.kind === 'literal') return node.value;
  if (node.kind === 'operator' && node.operator === '-' && node.operands.length === 1) {
    const value = constantOf(at(part, node.operands[0] as Node), known);
    return typeof value === 'number' ? -value : undefined;
  }
  if (node.kind !== 'select' || node.test || node.optional) return undefined;
  if (node.operand.kind === 'name')
    return node.operand.name === 'params' ? own(known.params, node.field) : undefined;
  return own(constantOf(at(part, node.operand), known), node.field);
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

/** The parts of a chain of `&&` or `||`, through variables and brackets. */
export function operandsOf(part: Part, operator: '&&' | '||', known: Known): Part[] {
  const whole = resolved(part, known);
  const { node } = whole;
  if (node.kind !== 'operator' || node.operator !== operator) return [whole];
  return node.operands.flatMap((operand) => operandsOf(at(whole, operand), operator, known));
}

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

/** A rule that compares a counter with a constant, and can match above it. */
export interface CounterLimit {
  readonly counter: string;
  readonly ruleId: string;
  /** Null for a rule that escalates or only labels. */
  readonly effect: EnforcementAction | null;
  readonly comparison: '>' | '>=';
  readonly value: number;
}

/**
 * The limits in the condition of a rule: the comparisons by which it can match once a counter is large enough, wherever they
 * stand in `&&` and `||`. In `counters.paid + input.amount > 500` the limit of `paid` is 500, too. Other conditions have limits
 * that nobody can draw, such as one that depends on the arguments: they are left out.
 */
export function limitsOf(
  when: CheckedExpression,
  known: Known,
): Pick<CounterLimit, 'counter' | 'comparison' | 'value'>[] {
  return comparedIn(partOf(when), known).flatMap((part) => {
    const compared = comparisonOf(part, known);
    if (compared === null) return [];
    const { operator: comparison, constant } = compared;
    if (
      (comparison !== '>' && comparison !== '>=') ||
      (typeof constant !== 'number' && typeof constant !== 'bigint')
    )
      return [];
    const [counter, ...others] = countersIn(compared.part, known);
    return counter === undefined || others.length > 0
      ? []
      : [{ counter, comparison, value: Number(constant) }];
  });
}

/** The parts that `&&` and `||` join, at any depth. */
function comparedIn(part: Part, known: Known): Part[] {
  const { node } = resolved(part, known);
  if (node.kind !== 'operator' || (node.operator !== '&&' && node.operator !== '||')) return [part];
  return operandsOf(part, node.operator, known).flatMap((operand) => comparedIn(operand, known));
}

/** The counters that a sum adds, one for each key included. */
function countersIn(part: Part, known: Known): string[] {
  const whole = resolved(part, known);
  const { node } = whole;
  if (node.kind === 'operator' && node.operator === '+')
    return node.operands.flatMap((operand) => countersIn(at(whole, operand), known));
  if (node.kind === 'index') return countersIn(at(whole, node.operand), known);
  if (node.kind !== 'select' || node.operand.kind !== 'name' || node.operand.name !== 'counters') return [];
  return [node.field];
}
