import type { CheckedExpression } from '../../cel/index.ts';
import type { EnforcementAction } from '../../schemas/decisions.ts';
import {
  at,
  comparisonOf,
  type Known,
  operandsOf,
  type Part,
  partOf,
  resolved,
} from '../analysis/conditions.ts';

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
