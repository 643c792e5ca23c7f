import { childrenOf, type Node } from '../../cel/ast.ts';
import type { CheckedExpression } from '../../cel/index.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import type { CheckedExpressions } from '../expressions.ts';
import { type DocumentPath, readablePath } from '../policy-issue.ts';
import { boundsOf, isRecentActions, mostRecentActions } from './bounds.ts';
import { at, constantOf, type Known, knownOf, type Part, partOf, resolved } from './canonical.ts';
import { comparisonOf } from './comparisons.ts';

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
