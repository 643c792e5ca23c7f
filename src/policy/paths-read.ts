import type { CheckedExpression } from '../cel/index.ts';
import { sessionFields } from './environment.ts';
import type { CheckedExpressions } from './expressions.ts';
import { asksSeen } from './provenance/seen.ts';
import { variablesRead } from './variable-types.ts';

/** The expressions that a decision can run: conditions, messages, counters, and the variables that these use. */
function reachable({ rules, variables, counters }: CheckedExpressions): Set<CheckedExpression> {
  const found = new Set<CheckedExpression>();
  const open = [
    ...rules.flatMap(({ when, message = [] }) => [when as CheckedExpression, ...message]),
    ...[...counters.values()].flatMap((counter) => Object.values(counter)),
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' || found.has(next)) continue;
    found.add(next);
    for (const name of variablesRead(next, variables.keys())) {
      const variable = variables.get(name);
      if (variable) open.push(variable);
    }
  }
  return found;
}

/** The variables that some rule or message uses, directly or through others. */
export function variablesReached(expressions: CheckedExpressions): Set<string> {
  const used = new Set<string>();
  for (const expression of reachable(expressions)) {
    for (const name of variablesRead(expression, expressions.variables.keys())) used.add(name);
  }
  return used;
}

/** The fields read from a root such as `params`; null when it is read as a whole. */
export function fieldsReached(expressions: CheckedExpressions, root: string): Set<string> | null {
  const fields = new Set<string>();
  for (const { reads } of reachable(expressions)) {
    for (const [first, second] of reads) {
      if (first !== root) continue;
      if (second === undefined) return null;
      fields.add(second);
    }
  }
  return fields;
}

/** The shared lists that a decision can read, by name. */
export const listsRead = (expressions: CheckedExpressions): string[] =>
  [...(fieldsReached(expressions, 'lists') ?? [])].sort();

export const inputPathsRead = (expressions: CheckedExpressions): (readonly string[])[] =>
  [...reachable(expressions)].flatMap(({ reads }) =>
    reads.filter(([root]) => root === 'input' || root === 'arguments'),
  );

const ofPolicy: ReadonlySet<string> = new Set(['session', 'params', 'lists', 'vars', 'counters']);

/** Parts of the subject: roots such as `input`, and fields of the session (all of them when it is read as a whole). */
export function pathsRead(expressions: CheckedExpressions): Set<string> {
  const paths = new Set<string>();
  for (const { reads } of reachable(expressions)) {
    for (const [root] of reads) {
      if (root !== undefined && !ofPolicy.has(root)) paths.add(root);
    }
  }
  for (const field of fieldsReached(expressions, 'session') ?? sessionFields) paths.add(`session.${field}`);
  const all = [...reachable(expressions)];
  // Of earlier actions, too: it is known only of those that were looked up.
  if (paths.has('session.recentActions') && all.some(({ source }) => source.includes('repeats')))
    paths.add('session.repeats');
  for (const expression of all) if (asksSeen(expression)) paths.add('seen');
  return paths;
}
