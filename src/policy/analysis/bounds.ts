import { type CallNode, childrenOf, type Node } from '../../cel/ast.ts';
import { type CelType, type CheckedExpression, types } from '../../cel/index.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import { severities } from '../../schemas/words.ts';
import { type DocumentPath, readablePath } from '../document/policy-issue.ts';
import type { CheckedExpressions } from '../expressions.ts';
import {
  at,
  comparisonOf,
  constantOf,
  type Known,
  knownOf,
  type Part,
  partOf,
  resolved,
} from './conditions.ts';

/** The numbers a part may be; both ends included. */
interface Bounds {
  readonly low: number;
  readonly high: number;
}

const anything: Bounds = { low: -Infinity, high: Infinity };
const natural: Bounds = { low: 0, high: Infinity };

/** As many entries as `session.recentActions` has at most. */
const mostRecentActions = 50;

/** The numbers that a part of a moment may be, by the name of its function. */
export const partsOfTime: Readonly<Record<string, Bounds>> = {
  getMonth: { low: 0, high: 11 },
  getDayOfMonth: { low: 0, high: 30 },
  getDate: { low: 1, high: 31 },
  getDayOfYear: { low: 0, high: 365 },
  getDayOfWeek: { low: 0, high: 6 },
  getHours: { low: 0, high: 23 },
  getMinutes: { low: 0, high: 59 },
  getSeconds: { low: 0, high: 59 },
  getMilliseconds: { low: 0, high: 999 },
};

/** The bounds of a number that are known without running anything. */
export function boundsOf(part: Part, known: Known): Bounds {
  const constant = constantOf(part, known);
  if (typeof constant === 'number') return { low: constant, high: constant };
  const whole = resolved(part, known);
  const { node } = whole;
  const inner = (operand: Node): Bounds => boundsOf(at(whole, operand), known);
  switch (node.kind) {
    case 'select':
      return isCount(whole) || isCounter(whole) ? natural : anything;
    case 'index':
      return isCountMap(at(whole, node.operand)) || isCounter(whole) ? natural : anything;
    case 'conditional':
      return hull(inner(node.yes), inner(node.no));
    case 'operator': {
      const [left, right] = node.operands as [Node, Node | undefined];
      if (right === undefined || !isNumeric(whole)) return anything;
      return node.operator === '+' ? sum(inner(left), inner(right)) : anything;
    }
    case 'call':
      return boundsOfCall(whole, node, known);
    default:
      return anything;
  }
}

function boundsOfCall(part: Part, node: CallNode, known: Known): Bounds {
  const operands = node.target === null ? node.args : [node.target, ...node.args];
  const [first, second] = operands as [Node | undefined, Node | undefined];
  if (first === undefined) return anything;
  if (node.name === 'size') {
    return isRecentActions(at(part, first), known) ? { low: 0, high: mostRecentActions } : natural;
  }
  if (node.name === 'severityRank') return { low: 0, high: severities.length };
  if (node.name === 'orValue' && second !== undefined)
    return hull(boundsOf(at(part, first), known), boundsOf(at(part, second), known));
  const ofTime = part.types.get(first)?.kind === 'timestamp' && Object.hasOwn(partsOfTime, node.name);
  return ofTime ? (partsOfTime[node.name] as Bounds) : anything;
}

/** `session.recentActions`, and what is left of it by filtering and the like. */
function isRecentActions(part: Part, known: Known): boolean {
  const whole = resolved(part, known);
  const { node } = whole;
  if (node.kind === 'select')
    return node.field === 'recentActions' && nameOf(whole, node.operand) === 'session';
  if (node.kind === 'macro')
    return SHORTENING_MACROS.has(node.macro) && isRecentActions(at(whole, node.range), known);
  const shortens = node.kind === 'call' && node.target !== null && SHORTENING.has(node.name);
  return shortens && isRecentActions(at(whole, node.target as Node), known);
}

const SHORTENING_MACROS: ReadonlySet<string> = new Set(['filter', 'map', 'transformList', 'sortBy']);
const SHORTENING: ReadonlySet<string> = new Set(['distinct', 'slice', 'sort', 'reverse']);

/** The name of the record that a node is: `session`, `action`. */
const nameOf = ({ types: all }: Part, node: Node): string | undefined => {
  const type = all.get(node);
  return type?.kind === 'object' ? type.name : undefined;
};

const isCount = (part: Part): boolean =>
  part.node.kind === 'select' &&
  /Count$/.test(part.node.field) &&
  nameOf(part, part.node.operand) === 'session';

const isCountMap = ({ node, types: all }: Part): boolean =>
  node.kind === 'select' &&
  (node.field === 'toolCounts' || node.field === 'attemptCounts') &&
  nameOf({ node, types: all }, node.operand) === 'session';

/** `counters.NAME`, and `counters.NAME[value]`: sums of amounts that are never negative. */
const isCounter = (part: Part): boolean => {
  const { node } = part;
  if (node.kind !== 'select' && node.kind !== 'index') return false;
  return nameOf(part, node.operand) === 'counters' || isCounter(at(part, node.operand));
};

const isNumeric = ({ node, types: all }: Part): boolean => {
  const type: CelType = all.get(node) ?? types.dyn;
  return type.kind === 'int' || type.kind === 'double';
};

const hull = (left: Bounds, right: Bounds): Bounds => ({
  low: Math.min(left.low, right.low),
  high: Math.max(left.high, right.high),
});
const sum = (left: Bounds, right: Bounds): Bounds => ({
  low: left.low + right.low,
  high: left.high + right.high,
});

/** A mistake in an expression of a document. */
interface Mistake {
  readonly path: DocumentPath;
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Every condition and variable that needs more actions than there are. */
export function tooFewRecentActions(document: PolicyDocument, expressions: CheckedExpressions): Mistake[] {
  const all: [DocumentPath, CheckedExpression | undefined][] = [
    ...[...expressions.variables].map(([name, one]): [DocumentPath, CheckedExpression] => [
      ['variables', name],
      one,
    ]),
    ...expressions.rules.map(({ when }, index): [DocumentPath, CheckedExpression | undefined] => [
      ['rules', index, 'when'],
      when,
    ]),
  ];
  return all.flatMap(([path, expression]) =>
    expression === undefined
      ? []
      : beyondRecentActions(expression, knownOf(document.params, expressions)).map(({ start }) => ({
          path,
          offset: start,
          message: `${readablePath(path)}: session.recentActions has the last ${mostRecentActions} actions, this needs more`,
          hint: 'compare with session.toolCounts, session.attemptCounts or session.actionCount',
        })),
  );
}

/**
 * The places of an expression that need more than the 50 actions which `session.recentActions` has: a limit written
 * so never fires, and a rule that never fires lets everything through.
 */
function beyondRecentActions(expression: CheckedExpression, known: Known): Node[] {
  const found: Node[] = [];
  const open: Node[] = [expression.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const part = at(partOf(expression), node);
    if (comparesBeyond(part, known) || indexesBeyond(part, known)) found.push(node);
    open.push(...childrenOf(node));
  }
  return found;
}

function comparesBeyond(part: Part, known: Known): boolean {
  const { node } = part;
  if (node.kind !== 'operator') return false;
  const comparison = comparisonOf(part, known);
  if (comparison === null || typeof comparison.constant !== 'number') return false;
  if (!isSizeOfRecentActions(comparison.part, known)) return false;
  const { high } = boundsOf(comparison.part, known);
  const { operator, constant } = comparison;
  // `> 50` needs 51 actions, and `<= 50` always holds.
  return operator === '>' || operator === '<=' ? constant >= high : constant > high;
}

function isSizeOfRecentActions(part: Part, known: Known): boolean {
  const whole = resolved(part, known);
  const { node } = whole;
  if (node.kind !== 'call' || node.name !== 'size') return false;
  return isRecentActions(at(whole, node.target ?? (node.args[0] as Node)), known);
}

function indexesBeyond(part: Part, known: Known): boolean {
  const { node } = part;
  if (node.kind !== 'index' || !isRecentActions(at(part, node.operand), known)) return false;
  const key = constantOf(at(part, node.key), known);
  return typeof key === 'number' && key >= mostRecentActions;
}
