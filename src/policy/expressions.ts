import {
  type CelEnvironment,
  type CelType,
  type CheckedExpression,
  check,
  isPrintable,
  typeFromJsonSchema,
  types,
} from '../cel/index.ts';
import { stringifyJson } from '../json/stringify.ts';
import { type CheckedCounter, checkCounters, misusedCounters } from './counters/check-expressions.ts';
import { environment, paramsOf } from './environment.ts';
import type { ExpressionSource } from './expression-source.ts';
import { misusedLists } from './lists.ts';
import { parseTemplate } from './message-template.ts';
import { PatternCount } from './pattern-count.ts';
import type { DocumentPath, OnTextIssue, TextIssue } from './policy-issue.ts';
import { checkVariables } from './variable-types.ts';

export type MessagePart = string | CheckedExpression;

/** The checked expressions of a rule; those with mistakes are absent. */
export interface CheckedRule {
  when?: CheckedExpression;
  /** Absent when the rule has none of its own. */
  message?: MessagePart[];
}

/** All expressions of a document, typed. */
export interface CheckedExpressions {
  variables: ReadonlyMap<string, CheckedExpression>;
  /** One for each rule, in their order. */
  rules: CheckedRule[];
  counters: ReadonlyMap<string, CheckedCounter>;
}

/** Types every variable, condition and message. */
export const checkExpressions = (source: ExpressionSource, onIssue: OnTextIssue): CheckedExpressions =>
  atOnce(checkingExpressions(source, onIssue));

/** Runs to the end what may pause. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The same, with a pause after each rule. */
export function* checkingExpressions(
  source: ExpressionSource,
  onIssue: OnTextIssue,
): Generator<void, CheckedExpressions> {
  const params = paramsOf(source.params, source.lists);
  const counters = checkCounters(source.counters, params, onIssue);
  const variables = checkVariables(source.variables, params, counters.type, onIssue);
  const vars = types.object('vars', variables.types);
  const patterns = new PatternCount([
    ...variables.expressions.values(),
    ...[...counters.expressions.values()].flatMap((checked) => Object.values(checked)),
  ]);
  const rules: CheckedRule[] = [];
  for (const [index, { tools, when, message }] of source.rules.entries()) {
    const env = environment(params, vars, { input: inputType(source, tools), counters: counters.type });
    const checked: CheckedRule = {};
    if (when !== undefined) {
      const condition = check(when, env, types.bool);
      if (condition.ok) {
        checked.when = condition.expression;
        const issue = patterns.add(condition.expression);
        if (issue) onIssue(['rules', index, 'when'], issue);
      } else for (const issue of condition.issues) onIssue(['rules', index, 'when'], issue);
    }
    if (message !== undefined) {
      checked.message = checkMessage(message, env, (issue) => onIssue(['rules', index, 'message'], issue));
    }
    rules.push(checked);
    yield;
  }
  const checked = { variables: variables.expressions, rules, counters: counters.expressions };
  reportMisused(source, checked, onIssue);
  return checked;
}

function reportMisused(source: ExpressionSource, checked: CheckedExpressions, onIssue: OnTextIssue): void {
  const split = new Set(Object.entries(source.counters).flatMap(([name, { per }]) => (per ? [name] : [])));
  const look = (path: DocumentPath, expression: CheckedExpression): void => {
    const report = (
      code: string,
      { offset, message, hint }: { offset: number; message: string; hint: string },
    ) => onIssue(path, { code, message, hint, offset, ...placeIn(expression.source, offset) });
    if (checked.counters.size > 0)
      for (const misused of misusedCounters(expression, split)) report('misused_counter', misused);
    for (const misused of misusedLists(expression)) report('misused_list', misused);
  };
  for (const [name, expression] of checked.variables) look(['variables', name], expression);
  for (const [name, counter] of checked.counters)
    for (const [key, expression] of Object.entries(counter)) look(['counters', name, key], expression);
  for (const [index, { when, message = [] }] of checked.rules.entries()) {
    if (when) look(['rules', index, 'when'], when);
    for (const part of message) if (typeof part !== 'string') look(['rules', index, 'message'], part);
  }
}

function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) as string).length + 1 };
}

/** The type of `input` in a rule bound to tools that all share one schema; undefined leaves it untyped. */
function inputType({ toolSchemas }: ExpressionSource, tools: readonly string[]): CelType | undefined {
  const schemas = tools.map((tool) => toolSchemas.get(tool));
  const shared = new Set(schemas.map((schema) => stringifyJson(schema))).size === 1;
  return schemas[0] !== undefined && shared ? typeFromJsonSchema(schemas[0]) : undefined;
}

function checkMessage(
  template: string,
  env: CelEnvironment,
  onIssue: (issue: TextIssue) => void,
): MessagePart[] {
  const say = (offset: number, { code, message, hint }: Pick<TextIssue, 'code' | 'message' | 'hint'>) => {
    onIssue({ code, message, ...(hint ? { hint } : {}), offset, ...placeIn(template, offset) });
  };
  const parsed = parseTemplate(template);
  if (!parsed.ok) {
    say(parsed.offset, { code: 'unclosed_template', message: 'this {{ is never closed' });
    return [];
  }
  return parsed.parts.flatMap((part): MessagePart[] => {
    if ('text' in part) return [part.text];
    const checked = check(part.source, env);
    if (checked.ok && isPrintable(checked.expression.type)) return [checked.expression];
    if (checked.ok) {
      const hint = 'unwrap it with orValue(…)';
      say(part.offset, { code: 'not_printable', message: 'an optional value cannot be printed', hint });
    } else for (const issue of checked.issues) say(part.offset + issue.offset, issue);
    return [];
  });
}
