import {
  type CelEnvironment,
  type CelType,
  type CheckedExpression,
  check,
  isPrintable,
  preparePattern,
  typeFromJsonSchema,
  types,
} from '../cel/index.ts';
import { stringifyJson } from '../json/stringify.ts';
import {
  type CheckedCounter,
  type CounterTexts,
  checkCounters,
  decision,
  misusedCounters,
} from './counters/check-expressions.ts';
import { perOf } from './counters/window.ts';
import { type DocumentPath, type OnTextIssue, pointerOf, type TextIssue } from './document/policy-issue.ts';
import { checkVariables, environment, misusedLists, paramsOf } from './environment.ts';
import { type DeclaredParams, declaredParams } from './params.ts';
import { isRecord, mapValues, record } from './records.ts';

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
  /** One for each property, in their order. No decision runs them. */
  properties: CheckedProperty[];
}

/** The checked expressions of a property; those with mistakes are absent. */
export interface CheckedProperty {
  when?: CheckedExpression;
  holds?: CheckedExpression;
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
  const properties = source.properties.map((texts, index): CheckedProperty => {
    const env = environment(params, vars, { counters: counters.type });
    const of = { ...env, variables: { ...env.variables, decision } };
    const found: CheckedProperty = {};
    for (const key of ['when', 'holds'] as const) {
      const text = texts[key];
      if (text === undefined) continue;
      const condition = check(text, of, types.bool);
      if (!condition.ok) for (const issue of condition.issues) onIssue(['properties', index, key], issue);
      else {
        found[key] = condition.expression;
        const issue = patterns.add(condition.expression);
        if (issue) onIssue(['properties', index, key], issue);
      }
    }
    return found;
  });
  const checked = { variables: variables.expressions, rules, counters: counters.expressions, properties };
  reportMisused(source, checked, onIssue);
  return checked;
}

/** Must be done before the first decision: see `preparePattern`. Pauses after each pattern. */
export function* preparingPatterns(checked: CheckedExpressions): Generator<void> {
  for (const { calls } of allExpressions(checked)) {
    for (const plan of calls.values()) {
      if (plan.kind !== 'matches' || plan.pattern === null) continue;
      preparePattern(plan.pattern);
      yield;
    }
  }
}

const allExpressions = ({
  variables,
  rules,
  counters,
  properties,
}: CheckedExpressions): CheckedExpression[] =>
  [
    ...variables.values(),
    ...[...counters.values()].flatMap((counter) => Object.values(counter)),
    ...rules.flatMap(({ when, message = [] }) => [when, ...message]),
    ...properties.flatMap(({ when, holds }) => [when, holds]),
  ].filter((one): one is CheckedExpression => one !== undefined && typeof one !== 'string');

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
  for (const [index, property] of checked.properties.entries())
    for (const [key, expression] of Object.entries(property)) look(['properties', index, key], expression);
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

/** The parts of a document that contain expressions. A text is undefined when there is nothing to check. */
export interface ExpressionSource {
  /** undefined: not known, so of any type. */
  params: DeclaredParams | undefined;
  /** The names of the shared lists; null when they are not known. */
  lists: readonly string[] | null;
  variables: Readonly<Record<string, string | undefined>>;
  counters: Readonly<Record<string, CounterTexts>>;
  toolSchemas: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  rules: readonly { tools: readonly string[]; when: string | undefined; message: string | undefined }[];
  properties: readonly { when: string | undefined; holds: string | undefined }[];
}

/**
 * Finds them in a value that may not be a valid document, so that a mistake in one place does not hide mistakes in the
 * expressions of another. `refused`: JSON Pointers of the parts known to be wrong.
 */
export function expressionSource(
  value: unknown,
  refused: ReadonlySet<string>,
  lists: readonly string[] | null = null,
): ExpressionSource {
  const text = (candidate: unknown, path: DocumentPath) =>
    typeof candidate === 'string' && !refused.has(pointerOf(path)) ? candidate : undefined;
  const document = record(value);
  const { rules, params = {} } = document;
  return {
    params: isRecord(params) ? declaredParams(params) : undefined,
    lists,
    variables: mapValues(record(document.variables), (source, name) => text(source, ['variables', name])),
    counters: mapValues(record(document.counters), (counter, name): CounterTexts => {
      const texts = record(counter);
      const at = (key: string, value: unknown) => text(value, ['counters', name, key]);
      return {
        where: at('where', texts.where),
        add: at('add', texts.add),
        settle: at('settle', texts.settle),
        distinct: at('distinct', texts.distinct),
        per: at('per', perOf(texts.per).values[0]),
        reset: at('reset', texts.reset),
      };
    }),
    toolSchemas: new Map(
      Object.entries(record(document.tools)).map(([tool, entry]) => [
        tool,
        record(record(entry).inputSchema),
      ]),
    ),
    properties: (Array.isArray(document.properties) ? document.properties : []).map(
      (property: unknown, index) => {
        const { when, holds } = record(property);
        return {
          when: text(when, ['properties', index, 'when']),
          holds: text(holds, ['properties', index, 'holds']),
        };
      },
    ),
    rules: (Array.isArray(rules) ? rules : []).map((rule: unknown, index) => {
      const { tool, when, message } = record(rule);
      return {
        tools: [tool].flat().filter((name) => typeof name === 'string'),
        when: text(when, ['rules', index, 'when']),
        message: text(message, ['rules', index, 'message']),
      };
    }),
  };
}

/** A piece of a message: text as it stands, or the source of an expression and where it starts in the template. */
type TemplatePart = { text: string } | { source: string; offset: number };

type ParsedTemplate = { ok: true; parts: TemplatePart[] } | { ok: false; offset: number };

/**
 * Splits `text {{CEL}} text`. An expression ends at the first `}}` outside its string literals, so that a message can
 * print braces: `{{"{{"}}`. Not ok when a `{{` is never closed; `offset` is where it stands.
 */
export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let from = 0;
  while (from < template.length) {
    const open = template.indexOf('{{', from);
    if (open === -1) break;
    if (open > from) parts.push({ text: template.slice(from, open) });
    const close = closingBraces(template, open + 2);
    if (close === -1) return { ok: false, offset: open };
    parts.push({ source: template.slice(open + 2, close), offset: open + 2 });
    from = close + 2;
  }
  if (from < template.length) parts.push({ text: template.slice(from) });
  return { ok: true, parts };
}

function closingBraces(template: string, from: number): number {
  let quote = '';
  for (let index = from; index < template.length; index++) {
    const character = template[index] as string;
    if (quote !== '') {
      if (character === '\\') index++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (template.startsWith('}}', index)) return index;
  }
  return -1;
}

/**
 * Each compiled pattern may cache 256 KiB (cel/regex.ts), so 200 patterns let one document use 50 MiB of memory.
 */
const mostPatterns = 200;

/** The different regular expressions in the variables and conditions of one document. */
class PatternCount {
  readonly #seen: Set<string>;
  constructor(expressions: Iterable<CheckedExpression>) {
    this.#seen = new Set([...expressions].flatMap(({ patterns }) => patterns));
  }

  /** Returns an issue for the condition with which there are too many, and only for that one. */
  add({ patterns }: CheckedExpression): TextIssue | null {
    const before = this.#seen.size;
    for (const pattern of patterns) this.#seen.add(pattern);
    if (before > mostPatterns || this.#seen.size <= mostPatterns) return null;
    return {
      code: 'too_many_patterns',
      message: `more than ${mostPatterns} different regular expressions in one document`,
      hint: 'join some of them with "|", or use "in" with a list',
      line: 1,
      column: 1,
      offset: 0,
    };
  }
}
