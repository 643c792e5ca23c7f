import { CelError, createBudget } from '../cel/index.ts';
import type { PolicyDocument, PolicyRule } from '../schemas/policy-documents.ts';
import type { CompiledPolicy } from './compile-policy.ts';
import { subjectNames } from './environment.ts';

/**
 * What a condition gives whatever the action and the session are; undefined when it depends on them. It is run with
 * an error in place of all it could read but the params, the variables and, where the rule is bound to one tool, that
 * tool: `&&` and `||` absorb errors exactly where they do not decide, and everything else passes them on.
 */
export function constantConditions(
  document: PolicyDocument,
  policy: CompiledPolicy,
): (boolean | undefined)[] {
  // One for all rules: a document must not buy a budget with every rule.
  const budget = createBudget();
  return policy.rules.map(({ when }, index) => {
    const activation = {
      ...unknown,
      ...knownTool(document.rules[index] as PolicyRule),
      params: policy.params,
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
