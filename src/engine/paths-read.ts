import type { CheckedExpression } from '../cel/index.ts';
import { sessionFields } from './environment.ts';
import type { CheckedExpressions } from './expressions.ts';
import { variablesRead } from './variable-types.ts';

/** What a decision on a document that checks can run: rules, messages, and the variables these reach. */
function reachable({ rules, variables }: CheckedExpressions): Set<CheckedExpression> {
  const found = new Set<CheckedExpression>();
  const open = rules.flatMap(({ when, message = [] }) => [when as CheckedExpression, ...message]);
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

/** The variables some rule or message reaches. */
export function variablesReached(expressions: CheckedExpressions): Set<string> {
  const used = new Set<string>();
  for (const expression of reachable(expressions)) {
    for (const name of variablesRead(expression, expressions.variables.keys())) used.add(name);
  }
  return used;
}

/** What is read of a root such as `params`: names of its fields; null when it is read as a whole. */
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

/** Parts of the subject: roots such as `input`; of the session its fields, all of them when it is read as a whole. */
export function pathsRead(expressions: CheckedExpressions): Set<string> {
  const paths = new Set<string>();
  for (const { reads } of reachable(expressions)) {
    for (const [root] of reads) {
      if (root !== undefined && root !== 'session' && root !== 'params' && root !== 'vars') paths.add(root);
    }
  }
  for (const field of fieldsReached(expressions, 'session') ?? sessionFields) paths.add(`session.${field}`);
  return paths;
}
