import { CelError, createBudget } from '../cel/index.ts';
import type { PolicyDocument } from '../schemas/policy-documents.ts';
import type { PolicyRule } from '../schemas/policy-rules.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import { subjectNames } from './environment.ts';
import { unknownLists } from './lists.ts';

/**
 * The value of each condition that is the same for every action and session; undefined when it depends on them. The
 * condition runs with an error in place of everything it could read except the params, the variables and, in a rule
 * for a single tool, that tool: `&&` and `||` ignore an error exactly where it cannot change the result.
 */
export function constantConditions(
  document: PolicyDocument,
  policy: CompiledPolicy,
): (boolean | undefined)[] {
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
