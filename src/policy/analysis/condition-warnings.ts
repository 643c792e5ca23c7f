import { childrenOf, type Node } from '../../cel/ast.ts';
import type { CheckedExpression } from '../../cel/index.ts';
import type { Phase } from '../../schemas/decisions.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import { resultStatuses } from '../../schemas/words.ts';
import { type DocumentPath, type PolicyIssue, readablePath } from '../document/policy-issue.ts';
import type { ReportAt } from '../document/read-document.ts';
import type { CheckedExpressions } from '../expressions.ts';
import { at, comparisonOf, type Known, knownOf, operandsOf, type Part, partOf } from './conditions.ts';
import { type Possible, whyNeverHolds } from './never-holds.ts';
import { unknownWords, type Vocabulary } from './unknown-words.ts';

/** Probable mistakes in conditions and variables, found without running them. */
export function expressionWarnings(
  document: PolicyDocument,
  expressions: CheckedExpressions,
  tags: ReadonlySet<string> | null,
  report: ReportAt,
): PolicyIssue[] {
  const own = (document.detectors ?? []).flatMap(({ tag, category }) => [tag, category]);
  const all = tags === null ? null : new Set([...tags, ...own]);
  const vocabulary = (): Vocabulary => ({ ...knownOf(document.params, expressions), tags: all });
  const conditions = expressions.rules.map(
    ({ when }, index) => [['rules', index, 'when'], when] as [DocumentPath, CheckedExpression],
  );
  const variables = [...expressions.variables].map(
    ([name, expression]) => [['variables', name], expression] as [DocumentPath, CheckedExpression],
  );
  const counters = [...expressions.counters].flatMap(([name, checked]) =>
    Object.entries(checked).map(
      ([key, expression]) => [['counters', name, key], expression] as [DocumentPath, CheckedExpression],
    ),
  );
  return [
    ...conditions.flatMap(([path, when]) => {
      const { on = ['ACTION'] } = document.rules[path[1] as number] ?? {};
      return neverWarning(path, when, { vocabulary: vocabulary(), possible: inPhases(on) }, report);
    }),
    ...counterWarnings(document, expressions, vocabulary, report),
    ...conditions.flatMap(([path, when]) => differsWarning(path, when, vocabulary(), report)),
    ...[...variables, ...counters, ...conditions].flatMap(([path, one]) =>
      untypedBooleans(one).map(({ offset, message, hint }) =>
        report(path, { code: 'untyped_boolean', message: `${readablePath(path)}: ${message}`, hint }, offset),
      ),
    ),
    ...[...variables, ...counters, ...conditions].flatMap(([path, one]) =>
      unknownWords(one, vocabulary()).map(({ offset, message, hint }) => {
        const issue = { code: 'unknown_word', message: `${readablePath(path)}: ${message}` };
        return report(path, hint === null ? issue : { ...issue, hint }, offset);
      }),
    ),
  ];
}

function neverWarning(
  path: DocumentPath,
  when: CheckedExpression,
  { vocabulary, possible }: { vocabulary: Vocabulary; possible: Possible },
  report: ReportAt,
): PolicyIssue[] {
  const why = whyNeverHolds(when, vocabulary, possible);
  if (why === null) return [];
  const message = `${readablePath(path)}: the rule can never match: ${why}`;
  return [report(path, { code: 'never_matches', message })];
}

/** Counters that count nothing, so that the rules which read them never see more than 0. */
function counterWarnings(
  document: PolicyDocument,
  { counters }: CheckedExpressions,
  vocabulary: () => Vocabulary,
  report: ReportAt,
): PolicyIssue[] {
  return [...counters].flatMap(([name, { where }]) => {
    if (where === undefined) return [];
    const { on = 'ACTION', counts = 'ALLOWED' } = document.counters?.[name] ?? {};
    const why = whyNeverHolds(where, vocabulary(), {
      ...withStatus(on),
      ...(counts !== 'ATTEMPTED' && { 'decision.enforcementAction': decided[counts] }),
    });
    if (why === null) return [];
    const path = ['counters', name, 'where'];
    const message = `${readablePath(path)}: the counter stays 0, because this can never hold: ${why}`;
    return [report(path, { code: 'never_counts', message })];
  });
}

/** The decisions of the actions that a counter counts. */
const decided = {
  ALLOWED: {
    values: ['ALLOW', 'WARN'],
    why: '"counts" is ALLOWED, so an action that is counted has ALLOW or WARN',
  },
  HELD: {
    values: ['APPROVAL_REQUIRED'],
    why: '"counts" is HELD, so an action that is counted has APPROVAL_REQUIRED',
  },
  REJECTED: {
    values: ['APPROVAL_REQUIRED'],
    why: '"counts" is REJECTED, so an action that is counted had APPROVAL_REQUIRED',
  },
  BLOCKED: { values: ['BLOCK'], why: '"counts" is BLOCKED, so an action that is counted has BLOCK' },
};

const inPhases = (phases: readonly Phase[]): Possible => ({
  phase: { values: phases, why: `"on" is ${phases.join(', ')}` },
});

/** A rule that reads the result of an action is named elsewhere. */
const withStatus = (phase: Phase): Possible => ({
  ...inPhases([phase]),
  'result.status':
    phase === 'RESULT'
      ? { values: resultStatuses, why: '"on" is RESULT, so the status is OK or FAILED' }
      : { values: [''], why: '"on" is ACTION, so there is no status' },
});

function differsWarning(
  path: DocumentPath,
  when: CheckedExpression,
  vocabulary: Vocabulary,
  report: ReportAt,
): PolicyIssue[] {
  if (!alwaysDiffers(partOf(when), vocabulary)) return [];
  const message = `${readablePath(path)}: "a != x || a != y" is always true`;
  return [report(path, { code: 'always_true', message, hint: 'write && instead of ||, or !(a in [x, y])' })];
}

/** A comparison of content with `true` or `false` that anything else slips past: `"true"` and `1` are not equal to `true`. */
interface UntypedBoolean {
  readonly offset: number;
  readonly message: string;
  readonly hint: string;
}

/** Only where the comparison must hold for the rule to match: under a `!`, it is `!=` that leaves something out. */
function untypedBooleans(expression: CheckedExpression): UntypedBoolean[] {
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

/** Whether a condition contains `a != x || a != y`, which holds whatever `a` is. */
function alwaysDiffers(part: Part, known: Known): boolean {
  const either = operandsOf(part, '||', known);
  if (either.length < 2) {
    const both = operandsOf(part, '&&', known);
    return both.length > 1 && both.some((one) => alwaysDiffers(one, known));
  }
  const different = either
    .flatMap((one) => comparisonOf(one, known) ?? [])
    .filter(({ operator }) => operator === '!=');
  const excluded = new Map<string, unknown>();
  for (const { key, constant } of different) {
    if (excluded.has(key) && excluded.get(key) !== constant) return true;
    excluded.set(key, constant);
  }
  return either.some((one) => operandsOf(one, '&&', known).length > 1 && alwaysDiffers(one, known));
}
