import { CelError, createBudget } from '../../cel/index.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import { Activation } from '../activation.ts';
import type { CompiledPolicy } from '../compile-policy.ts';
import { unknownLists } from '../lists.ts';
import { type PolicyIssue, readablePath } from '../policy-issue.ts';
import type { ReportAt } from '../read-document.ts';
import { testSubject } from '../test-subject.ts';

/**
 * Rules that fail on an action without content in a new session. Such a rule reads a field without asking for it
 * first, so that every action which lacks the field takes `onError`, whatever its tool.
 */
export function unguardedWarnings(
  document: PolicyDocument,
  policy: CompiledPolicy,
  report: ReportAt,
): PolicyIssue[] {
  // One budget for all rules, so that the cost of a check does not grow with their number.
  const budget = createBudget();
  return policy.rules.flatMap(({ when, tools }, index) => {
    if (tools !== null) return [];
    const phase = document.rules[index]?.on?.[0] ?? 'ACTION';
    const activation = new Activation(testSubject({ phase }, []));
    activation.params = policy.params;
    activation.lists = unknownLists;
    activation.vars = policy.bindVariables(activation, budget);
    activation.counters = policy.bindCounters(activation.readings);
    const value = when.run(activation, budget);
    if (!(value instanceof CelError) || value.code !== 'no_such_key') return [];
    const path = ['rules', index, 'when'];
    const onError = document.onError ?? 'BLOCK';
    const message = `${readablePath(path)}: fails on every action without this (${value.message}), which then takes onError: ${onError}`;
    const hint = 'read it as arguments.?field.orValue(…), or ask has(arguments.field) first';
    return [report(path, { code: 'unguarded', message, hint })];
  });
}
