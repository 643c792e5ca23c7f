import { childrenOf, type NameNode, type Node } from '../../cel/ast.ts';
import { type CelType, type CheckedExpression, check, types } from '../../cel/index.ts';
import { typeName } from '../../cel/type.ts';
import type { OnTextIssue, TextIssue } from '../document/policy-issue.ts';
import { environment, type Params } from '../environment.ts';

/** The expressions of a counter, by the key of the document that holds them. */
export const counterExpressions = ['where', 'add', 'settle', 'distinct', 'per', 'reset'] as const;
export type CounterExpression = (typeof counterExpressions)[number];

/** The texts of a counter's expressions; undefined where there is none to check. */
export type CounterTexts = Readonly<Partial<Record<CounterExpression, string | undefined>>>;

/** Expressions without mistakes. */
export type CheckedCounter = Partial<Record<CounterExpression, CheckedExpression>>;

/** The decision about the action, for `where` and for properties. */
export const decision = types.object('decision', {
  enforcementAction: types.string,
  // A text or null.
  severity: types.dyn,
  rules: types.list(types.string),
});

/** Checks the expressions of all counters. They see the action, the session and params: no variables, no counters. */
export function checkCounters(
  counters: Readonly<Record<string, CounterTexts>>,
  params: Params,
  onIssue: OnTextIssue,
): { expressions: Map<string, CheckedCounter>; type: CelType | null } {
  const { vars: _, ...variables } = environment(params, types.dyn).variables;
  const env = { ...environment(params, types.dyn), variables };
  const envOfWhere = { ...env, variables: { ...variables, decision } };
  const expressions = new Map<string, CheckedCounter>();
  const fields: Record<string, CelType> = {};
  const checkOne = (key: CounterExpression, text: string, onWrong: (issue: TextIssue) => void) => {
    const isCondition = key === 'where' || key === 'reset';
    const result = check(text, key === 'where' ? envOfWhere : env, isCondition ? types.bool : undefined);
    if (!result.ok) {
      for (const issue of result.issues) onWrong(issue);
      return null;
    }
    if (isCondition || fits(key, result.expression.type)) return result.expression;
    onWrong(wrongType(key, result.expression.type));
    return null;
  };
  for (const [name, texts] of Object.entries(counters)) {
    const checked: CheckedCounter = {};
    for (const key of counterExpressions) {
      const text = texts[key];
      if (text === undefined) continue;
      const expression = checkOne(key, text, (issue) => onIssue(['counters', name, key], issue));
      if (expression !== null) checked[key] = expression;
    }
    expressions.set(name, checked);
    fields[name] = typeOfCounter(texts, checked);
  }
  return { expressions, type: Object.keys(fields).length === 0 ? null : types.object('counters', fields) };
}

const numeric: readonly CelType['kind'][] = ['int', 'double', 'dyn'];
const keys: readonly CelType['kind'][] = [...numeric, 'string', 'bool'];
const isAmount = (key: CounterExpression): boolean => key === 'add' || key === 'settle';
const fits = (key: CounterExpression, { kind }: CelType): boolean =>
  (isAmount(key) ? numeric : keys).includes(kind);

function wrongType(key: CounterExpression, type: CelType): TextIssue {
  const expected = isAmount(key) ? 'a number' : 'a text, a number or a bool';
  const message = `the expression is ${typeName(type)}, expected ${expected}`;
  return { code: 'result_type', message, line: 1, column: 1, offset: 0 };
}

/** A sum of numbers from JSON can be mixed with any other number, as these can. */
function typeOfCounter(texts: CounterTexts, { per }: CheckedCounter): CelType {
  const value = texts.add === undefined ? types.int : types.dyn;
  return texts.per === undefined ? value : { kind: 'map', key: per?.type ?? types.dyn, value };
}

/**
 * Where an expression uses `counters`, or a counter that is split by a value, other than to read one number: such a
 * counter has no keys to go through, because only some of it is loaded.
 */
export function misusedCounters(
  { root, slots }: CheckedExpression,
  split: ReadonlySet<string>,
): { offset: number; message: string; hint: string }[] {
  const found: { offset: number; message: string; hint: string }[] = [];
  const isCounters = (node: Node): node is NameNode =>
    node.kind === 'name' && node.name === 'counters' && !slots.has(node);
  const look = (node: Node, parent: Node | null): void => {
    if (isCounters(node) && !(parent?.kind === 'select' && !parent.test && !parent.optional)) {
      const message = 'the counters can only be read by name';
      found.push({ offset: node.start, message, hint: 'write counters.NAME' });
    }
    if (node.kind === 'select' && isCounters(node.operand) && split.has(node.field)) {
      const isRead =
        (parent?.kind === 'index' && parent.operand === node && !parent.optional) ||
        (parent?.kind === 'select' && !parent.test && !parent.optional);
      const message = `the counter "${node.field}" is split by a value, which has to be named`;
      if (!isRead) found.push({ offset: node.start, message, hint: `write counters.${node.field}[value]` });
    }
    for (const child of childrenOf(node)) look(child, node);
  };
  look(root, null);
  return found;
}
