import type { CheckedExpression } from '../../cel/index.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import type { CheckedExpressions } from '../expressions.ts';
import { type DocumentPath, type PolicyIssue, readablePath } from '../policy-issue.ts';
import type { ReportAt } from '../read-document.ts';
import { knownOf, partOf } from './canonical.ts';
import { alwaysDiffers } from './implied.ts';
import { whyNeverHolds } from './never-holds.ts';
import { unknownWords, type Vocabulary } from './unknown-words.ts';

/** What is wrong with what the conditions and variables say, found without running them. */
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
  return [
    ...conditions.flatMap(([path, when]) => neverWarning(path, when, vocabulary(), report)),
    ...counterWarnings(expressions, vocabulary, report),
    ...conditions.flatMap(([path, when]) => differsWarning(path, when, vocabulary(), report)),
    ...[...variables, ...conditions].flatMap(([path, one]) =>
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
  vocabulary: Vocabulary,
  report: ReportAt,
): PolicyIssue[] {
  const why = whyNeverHolds(when, vocabulary);
  if (why === null) return [];
  const message = `${readablePath(path)}: the rule can never match: ${why}`;
  return [report(path, { code: 'never_matches', message })];
}

/** Counters that count nothing, so that the rules which read them never see more than 0. */
function counterWarnings(
  { counters }: CheckedExpressions,
  vocabulary: () => Vocabulary,
  report: ReportAt,
): PolicyIssue[] {
  return [...counters].flatMap(([name, { where }]) => {
    if (where === undefined) return [];
    const why = whyNeverHolds(where, vocabulary());
    if (why === null) return [];
    const path = ['counters', name, 'where'];
    const message = `${readablePath(path)}: the counter stays 0, because this can never hold: ${why}`;
    return [report(path, { code: 'never_counts', message })];
  });
}

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
