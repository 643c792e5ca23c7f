import type { CheckedExpression } from '../cel/index.ts';
import type { PolicyDocument } from '../schemas/policy-documents.ts';
import { expressionSource } from './expression-source.ts';
import { checkExpressions } from './expressions.ts';
import { asksSeen } from './provenance/seen.ts';
import { variablesRead } from './variable-types.ts';

/** What the condition of each rule reads, itself and through variables: `input.amount` as `['input', 'amount']`. In the order of the rules. */
export function ruleReads(document: PolicyDocument): (readonly string[])[][] {
  const { rules, variables } = checkExpressions(expressionSource(document, new Set()), () => undefined);
  return rules.map(({ when }) => {
    const paths = new Map<string, readonly string[]>();
    const seen = new Set<CheckedExpression>();
    const open = [when as CheckedExpression];
    for (let next = open.pop(); next; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (asksSeen(next)) paths.set('seen', ['seen']);
      for (const path of next.reads) if (path[0] !== 'vars') paths.set(path.join('.'), path);
      for (const name of variablesRead(next, variables.keys())) {
        open.push(variables.get(name) as CheckedExpression);
      }
    }
    return [...paths.values()];
  });
}
