import { childrenOf, type Node } from '../../cel/ast.ts';
import { CelError, type CheckedExpression, createBudget } from '../../cel/index.ts';
import type { Phase } from '../../schemas/decisions.ts';
import type { PolicyDocument } from '../../schemas/policy-documents.ts';
import type { PolicyRule } from '../../schemas/policy-rules.ts';
import { resultStatuses } from '../../schemas/words.ts';
import { Activation } from '../activation.ts';
import { assemblePolicy, type CompiledPolicy } from '../compile-policy.ts';
import { type DocumentPath, type PolicyIssue, pointerOf, readablePath } from '../document/policy-issue.ts';
import type { ReportAt } from '../document/read-document.ts';
import { testSubject } from '../document/test-subject.ts';
import { subjectNames, unknownLists } from '../environment.ts';
import type { CheckedExpressions } from '../expressions.ts';
import type { ProvedPolicy } from '../proof/decision-model.ts';
import { ruleWarnings } from '../proof/findings.ts';
import { proveProperty } from '../proof/property.ts';
import { proveByIntervals } from '../proof/question.ts';
import { fieldsReached, variablesReached } from '../reads.ts';

import { at, comparisonOf, type Known, knownOf, operandsOf, type Part, partOf } from './conditions.ts';
import { type Possible, whyNeverHolds } from './never-holds.ts';
import { unknownWords, type Vocabulary } from './unknown-words.ts';

/** Warnings about a valid document: what is allowed but probably a mistake, in the order of the text. */
export function findWarnings(
  document: PolicyDocument,
  expressions: CheckedExpressions,
  report: ReportAt,
  tags: ReadonlySet<string> | null,
): PolicyIssue[] {
  const policy = assemblePolicy(document, expressions, { policyId: 'check', policyVersion: 1 });
  const constant = conditionWarnings(document, policy, report);
  const isConstant = new Set(constant.map(({ path }) => path));
  const ofExpressions = expressionWarnings(document, expressions, tags, report).filter(
    ({ code, path }) => code !== 'never_matches' || !isConstant.has(path),
  );
  const ofPhases = phaseWarnings(document, expressions, report);
  const known = new Set(
    [...constant, ...ofExpressions, ...ofPhases].flatMap(({ code, path }) =>
      aboutMatching.has(code) ? [path] : [],
    ),
  );
  const isKnown = (rule: number): boolean => known.has(pointerOf(['rules', rule, 'when']));
  const proved = { document, expressions, policy: withoutEmptyParams(policy) };
  const ofRules = ruleWarnings(proved, isKnown, report, { nodes: mostNodes });
  const warnings = [
    ...constant,
    ...ofExpressions,
    ...proveByIntervals(ofRules, { left: mostSteps }, mostStepsEach),
    ...propertyWarnings(proved, report),
    ...unguardedWarnings(document, policy, report),
    ...unusedWarnings(document, expressions, report),
    ...messageWarnings(document, expressions, report),
    ...ofPhases,
    ...grantWarnings(document, report),
  ];
  return warnings.sort((left, right) => left.line - right.line || left.column - right.column);
}

const aboutMatching: ReadonlySet<string> = new Set([
  'never_matches',
  'always_matches',
  'always_true',
  'no_result',
]);

/** An empty list is often there for bindings to fill. */
const withoutEmptyParams = (policy: CompiledPolicy): CompiledPolicy => ({
  ...policy,
  params: Object.fromEntries(
    Object.entries(policy.params).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  ),
});

function conditionWarnings(
  document: PolicyDocument,
  policy: CompiledPolicy,
  report: ReportAt,
): PolicyIssue[] {
  return constantConditions(document, policy).flatMap((constant, index) => {
    const path = ['rules', index, 'when'];
    const where = readablePath(path);
    if (constant === false) {
      return [report(path, { code: 'never_matches', message: `${where}: the rule can never match` })];
    }
    // In a rule for a tool, `true` is how to say "always, for this tool".
    if (constant !== true || policy.rules[index]?.tools !== null) return [];
    return [report(path, { code: 'always_matches', message: `${where}: the rule matches every action` })];
  });
}

/** Properties that some action and session does not have, as the engine confirms. Those that are not shown either way get no warning. */
function propertyWarnings(proved: ProvedPolicy, report: ReportAt): PolicyIssue[] {
  const [nodes, steps] = [{ nodes: mostNodes }, { left: mostSteps }];
  return (proved.document.properties ?? []).flatMap(({ name }, index) => {
    const found = proveByIntervals(
      proveProperty(proved, index, { left: nodes, inSteps: false }),
      steps,
      mostStepsEach,
    );
    if (found.verdict !== 'VIOLATED') return [];
    const path = ['properties', index];
    const given = JSON.stringify(found.witness);
    const message = `${readablePath(path)}: "${name}" does not hold: ${found.decision.enforcementAction} for ${given}`;
    return [report(path, { code: 'property_violated', message })];
  });
}

/** Nodes of expressions, and steps of the search, that a check at save may take: some 20 ms, because a small document is checked on the event loop. */
const mostNodes = 4_000;
const mostSteps = 16_000;
const mostStepsEach = 6_000;

function unusedWarnings(
  document: PolicyDocument,
  expressions: CheckedExpressions,
  report: ReportAt,
): PolicyIssue[] {
  // Properties use them as well.
  const inProperties = expressions.properties.flatMap((one) => Object.values(one));
  const all = { ...expressions, rules: [...expressions.rules, ...inProperties.map((when) => ({ when }))] };
  const params = Object.keys(document.params ?? {});
  const variables = Object.keys(document.variables ?? {});
  const tools = Object.keys(document.tools ?? {});
  const counters = Object.keys(document.counters ?? {});
  const paramsUsed = fieldsReached(all, 'params') ?? new Set(params);
  const variablesUsed = variablesReached(all);
  const toolsUsed = new Set(document.rules.flatMap(({ tool }) => tool ?? []));
  const unused = (section: string, names: readonly string[], used: ReadonlySet<string>) =>
    names
      .filter((name) => !used.has(name))
      .map((name) => {
        const path = [section, name];
        return report(path, { code: 'unused', message: `${readablePath(path)}: no rule uses it` }, 'key');
      });
  return [
    ...unused('params', params, paramsUsed),
    ...unused('variables', variables, variablesUsed),
    ...unused('tools', tools, toolsUsed),
    ...unused('counters', counters, fieldsReached(all, 'counters') ?? new Set(counters)),
  ];
}

function messageWarnings(
  document: PolicyDocument,
  expressions: CheckedExpressions,
  report: ReportAt,
): PolicyIssue[] {
  return document.rules.flatMap((rule, index) => {
    const warnings: PolicyIssue[] = [];
    for (const key of ['message', 'reason'] as const) {
      if (rule.effect !== undefined || rule[key] === undefined) continue;
      const path = ['rules', index, key];
      const message = `${readablePath(path)}: a rule without an effect makes no finding, so this is never shown`;
      warnings.push(report(path, { code: 'unused', message }));
    }
    const parts = expressions.rules[index]?.message ?? [];
    if (parts.some((part) => typeof part !== 'string' && part.reads.some(([root]) => isContent(root)))) {
      const path = ['rules', index, 'message'];
      const message = `${readablePath(path)}: prints content of the input, which is kept with the violation`;
      warnings.push(report(path, { code: 'prints_input', message }));
    }
    return warnings;
  });
}

const isContent = (root: string | undefined): boolean => root === 'input' || root === 'arguments';

/** A grant that compares nothing but the tool: after one approval, an agent may do anything with it. */
function grantWarnings(document: PolicyDocument, report: ReportAt): PolicyIssue[] {
  return document.rules.flatMap((rule, index) => {
    const same = rule.approval?.grant?.same;
    if (same === undefined || same.some((path) => path !== 'tool')) return [];
    const path = ['rules', index, 'approval', 'grant', 'same'];
    const message = `${readablePath(path)}: one approval lets every later call of the tool pass, whatever its arguments`;
    const hint = 'add what has to stay the same, such as destinations or arguments.to';
    return [report(path, { code: 'wide_grant', message, hint })];
  });
}

/** `result.status` is empty in every other phase, so a condition on it says nothing there. */
function phaseWarnings(
  document: PolicyDocument,
  expressions: CheckedExpressions,
  report: ReportAt,
): PolicyIssue[] {
  return document.rules.flatMap((rule, index) => {
    const reads = expressions.rules[index]?.when?.reads ?? [];
    if (rule.on?.includes('RESULT') || !reads.some(([root]) => root === 'result')) return [];
    const path = ['rules', index, 'when'];
    const message = `${readablePath(path)}: reads \`result\`, which only a RESULT has`;
    return [report(path, { code: 'no_result', message, hint: 'add on: [RESULT] to the rule' })];
  });
}

/**
 * The value of each condition that is the same for every action and session; undefined when it depends on them. The
 * condition runs with an error in place of everything it could read except the params, the variables and, in a rule
 * for a single tool, that tool: `&&` and `||` ignore an error exactly where it cannot change the result.
 */
function constantConditions(document: PolicyDocument, policy: CompiledPolicy): (boolean | undefined)[] {
  // One budget for all rules, so that the cost of a check does not grow with their number.
  const budget = createBudget();
  return policy.rules.map(({ when }, index) => {
    const activation = {
      ...unknown,
      ...knownTool(document.rules[index] as PolicyRule),
      params: policy.params,
      lists: unknownLists,
      vars: {},
    };
    activation.vars = policy.bindVariables(activation, budget);
    const value = when.run(activation, budget);
    return typeof value === 'boolean' ? value : undefined;
  });
}

const unknown = Object.fromEntries(
  subjectNames.map((name) => [name, new CelError('no_such_variable', `${name} is not known yet`)]),
);

function knownTool({ tool }: PolicyRule): { tool?: string } {
  const tools = [tool ?? []].flat();
  return tools.length === 1 ? { tool: tools[0] as string } : {};
}

/**
 * Rules that fail on an action without content in a new session. Such a rule reads a field without asking for it
 * first, so that every action which lacks the field takes `onError`, whatever its tool.
 */
function unguardedWarnings(
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
    activation.counters = policy.bindCounters(activation.readings, budget);
    const value = when.run(activation, budget);
    if (!(value instanceof CelError) || value.code !== 'no_such_key') return [];
    const path = ['rules', index, 'when'];
    const onError = document.onError ?? 'BLOCK';
    const message = `${readablePath(path)}: fails on every action without this (${value.message}), which then takes onError: ${onError}`;
    const hint = 'read it as arguments.?field.orValue(…), or ask has(arguments.field) first';
    return [report(path, { code: 'unguarded', message, hint })];
  });
}

/** Probable mistakes in conditions and variables, found without running them. */
function expressionWarnings(
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
