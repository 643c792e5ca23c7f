import type { Node } from '../../cel/ast.ts';
import type { CheckedExpression } from '../../cel/index.ts';
import { boundsOf } from './bounds.ts';
import {
  at,
  type Comparison,
  comparisonOf,
  constantOf,
  type Known,
  keyOf,
  operandsOf,
  type Part,
  partOf,
  resolved,
  sidesOf,
} from './conditions.ts';

/** Alternatives looked at: a condition of more is not analysed. */
const mostAlternatives = 64;

/** The values that a field may have where a condition stands, and why. By the names of fields: `phase`, `result.status`. */
export type Possible = Readonly<Record<string, { readonly values: readonly string[]; readonly why: string }>>;

/** Why a condition can never be true, in words; null when nothing says so. */
export function whyNeverHolds(condition: CheckedExpression, known: Known, possible: Possible): string | null {
  const alternatives = alternativesOf(partOf(condition), known);
  if (alternatives === null) return null;
  let why: string | null = null;
  for (const parts of alternatives) {
    const contradiction = contradictionIn(parts, known) ?? impossibleWord(parts, known, possible);
    if (contradiction === null) return null;
    why ??= contradiction;
  }
  return why;
}

/** The condition as alternatives, each a list of parts that must all hold; null when there are too many. */
function alternativesOf(part: Part, known: Known): Part[][] | null {
  const either = operandsOf(part, '||', known).flatMap((one) => membersOf(one, known) ?? [one]);
  if (either.length > 1) {
    const all = either.map((one) => alternativesOf(one, known));
    const flat = all.flatMap((one) => one ?? []);
    return all.includes(null) || flat.length > mostAlternatives ? null : flat;
  }
  const both = operandsOf(part, '&&', known);
  if (both.length === 1) return [[both[0] as Part]];
  let product: Part[][] = [[]];
  for (const one of both) {
    const own = alternativesOf(one, known);
    if (own === null || own.length * product.length > mostAlternatives) return null;
    product = product.flatMap((before) => own.map((after) => [...before, ...after]));
  }
  return product;
}

/** `x in [a, b]` is `x == a || x == b`. */
function membersOf(part: Part, known: Known): Part[] | null {
  const whole = resolved(part, known);
  const { node } = whole;
  if (node.kind !== 'operator' || node.operator !== 'in') return null;
  const [value, list] = node.operands as [Node, Node];
  if (list.kind !== 'list' || list.elements.some(({ optional }) => optional)) return null;
  if (list.elements.length === 0) return null;
  return list.elements.map((element) =>
    at(whole, { ...node, operator: '==', operands: [value, element.node] }),
  );
}

/** A field that is none of the words that the parts leave. */
function impossibleWord(parts: readonly Part[], known: Known, possible: Possible): string | null {
  const left = new Map<string, readonly string[]>();
  for (const part of parts) {
    const comparison = comparisonOf(part, known);
    const field = comparison && nameOf(resolved(comparison.part, known));
    const one = field && possible[field];
    if (!comparison || !one) continue;
    const { operator, constant } = comparison;
    const values = (left.get(field) ?? one.values).filter((value) =>
      operator === '==' ? value === constant : operator !== '!=' || value !== constant,
    );
    if (values.length === 0) return one.why;
    left.set(field, values);
  }
  return null;
}

/** `phase`, or the record and its field. */
function nameOf({ node, types }: Part): string | null {
  if (node.kind === 'name') return node.name;
  if (node.kind !== 'select') return null;
  const type = types.get(node.operand);
  return type?.kind === 'object' ? `${type.name}.${node.field}` : null;
}

function contradictionIn(parts: readonly Part[], known: Known): string | null {
  const comparisons: Comparison[] = [];
  for (const part of parts) {
    if (constantOf(part, known) === false) return 'it is false';
    if (looksInNothing(part, known)) return 'it looks for something in an empty list';
    const impossible = impossibleOrder(part, known);
    if (impossible !== null) return impossible;
    const comparison = comparisonOf(part, known);
    if (comparison !== null) comparisons.push(comparison);
  }
  const ranges = new Map<string, Range>();
  for (const comparison of comparisons) {
    const range = ranges.get(comparison.key) ?? rangeOf(comparison.part, known);
    const narrowed = narrow(range, comparison);
    if (isEmpty(narrowed)) {
      return comparisons.filter(({ key }) => key === comparison.key).length > 1
        ? 'two of its comparisons exclude each other'
        : `the value is always ${shown(range)}`;
    }
    ranges.set(comparison.key, narrowed);
  }
  return brokenInvariant(ranges);
}

/** `x in []`, `xs.containsAny([])`, `[].exists(x, …)`. */
function looksInNothing(part: Part, known: Known): boolean {
  const whole = resolved(part, known);
  const { node } = whole;
  const isEmpty = (one: Node | undefined): boolean => {
    const list = one && resolved(at(whole, one), known).node;
    return list?.kind === 'list'
      ? list.elements.length === 0
      : list?.kind === 'map' && list.entries.length === 0;
  };
  if (node.kind === 'operator') return node.operator === 'in' && isEmpty(node.operands[1]);
  if (node.kind === 'macro')
    return (node.macro === 'exists' || node.macro === 'existsOne') && isEmpty(node.range);
  return node.kind === 'call' && node.name === 'containsAny' && node.target !== null && isEmpty(node.args[0]);
}

/** A range of numbers, whether its ends are left out, and the only constants that are possible. */
interface Range {
  readonly part: Part;
  readonly low: number;
  readonly high: number;
  readonly lowOpen: boolean;
  readonly highOpen: boolean;
  readonly only: unknown;
  readonly isExcluded: boolean;
}

function rangeOf(part: Part, known: Known): Range {
  return {
    part,
    ...boundsOf(part, known),
    lowOpen: false,
    highOpen: false,
    only: undefined,
    isExcluded: false,
  };
}

function narrow(range: Range, { operator, constant, part }: Comparison): Range {
  if (operator === '!=') return { ...range, isExcluded: range.isExcluded || range.only === constant };
  if (typeof constant !== 'number') {
    if (operator !== '==') return range;
    const differs = range.only !== undefined && range.only !== constant;
    return { ...range, only: constant, isExcluded: range.isExcluded || differs };
  }
  const isInt = part.types.get(part.node)?.kind === 'int' && Number.isInteger(constant);
  const beyond = operator === '>' || operator === '<';
  const step = isInt && beyond ? 1 : 0;
  const isOpen = beyond && !isInt;
  const raised = operator.startsWith('<') ? range : raise(range, constant + step, isOpen);
  return operator.startsWith('>') ? raised : lower(raised, constant - step, isOpen);
}

const raise = (range: Range, low: number, lowOpen: boolean): Range =>
  low > range.low || (low === range.low && lowOpen) ? { ...range, low, lowOpen } : range;

const lower = (range: Range, high: number, highOpen: boolean): Range =>
  high < range.high || (high === range.high && highOpen) ? { ...range, high, highOpen } : range;

const isEmpty = ({ low, high, lowOpen, highOpen, isExcluded }: Range): boolean =>
  isExcluded || low > high || (low === high && (lowOpen || highOpen));

const shown = ({ low, high }: Range): string =>
  high === Infinity ? `at least ${low}` : low === -Infinity ? `at most ${high}` : `${low} to ${high}`;

/** Fields of the session that are never more than another one: those that are counted are actions. */
function brokenInvariant(ranges: ReadonlyMap<string, Range>): string | null {
  const all = [...ranges.values()];
  for (const part of all) {
    const larger = all.find((one) => isAtMost(part.part, one.part) && part.low > one.high);
    if (larger !== undefined) return 'a part of the actions is never more than all of them';
  }
  return null;
}

/** `session.warningCount > session.actionCount`. */
function impossibleOrder(part: Part, known: Known): string | null {
  const sides = sidesOf(part, known);
  if (sides === null) return null;
  const { left, operator, right } = sides;
  if (operator === '>' && isAtMost(resolved(left, known), resolved(right, known)))
    return 'a part of the actions is never more than all of them';
  if (operator === '<' && isAtMost(resolved(right, known), resolved(left, known)))
    return 'a part of the actions is never more than all of them';
  const isSame = keyOf(left, known) === keyOf(right, known);
  return isSame && ['<', '>', '!='].includes(operator) ? 'it compares a value with itself' : null;
}

const PART_OF_ACTIONS = new Set(['warningCount', 'blockCount', 'reviewCount']);

/** Whether one number of the session is never more than another one. */
function isAtMost(less: Part, more: Part): boolean {
  if (fieldOf(more) !== 'actionCount') return false;
  const field = fieldOf(less);
  return field !== null && (PART_OF_ACTIONS.has(field) || field === 'toolCounts[]');
}

/** The field of the session that a part reads: `toolCounts[]` for an element; null for everything else. */
function fieldOf(part: Part): string | null {
  const { node } = part;
  if (node.kind === 'call' && node.name === 'orValue' && node.target !== null)
    return fieldOf(at(part, node.target));
  if (node.kind === 'index') {
    const inner = fieldOf(at(part, node.operand));
    return inner === null ? null : `${inner}[]`;
  }
  if (node.kind !== 'select') return null;
  return isSession(part, node.operand) ? node.field : null;
}

const isSession = ({ types }: Part, node: Node): boolean => {
  const type = types.get(node);
  return type?.kind === 'object' && type.name === 'session';
};
